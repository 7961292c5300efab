import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RpcError } from '../../../../src/mcp/errors.ts';
import type { ClientFeatures } from '../../../../src/mcp/session/session.ts';
import type { Revision } from '../../../../src/mcp/revisions.ts';
import type {
  CreateMessageRequest,
  CreateMessageResult,
} from '../../../../src/mcp/types/clientFeatures.ts';
import { openedLegacy } from '../../../support/legacySession.ts';
import { turns } from '../../../support/waitUntil.ts';

const params = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
  maxTokens: 10,
};
const answer: CreateMessageResult = {
  role: 'assistant',
  content: { type: 'text', text: 'Hello' },
  model: 'demo',
  stopReason: 'endTurn',
};

async function replyTo(
  asked: unknown,
  given: CreateMessageResult | Error,
  revision: Revision = '2025-11-25',
) {
  const requests: CreateMessageRequest[] = [];
  const sample: ClientFeatures['sample'] = async (request, context) => {
    assert.equal(context.revision, revision);
    requests.push(request);
    if (given instanceof Error) {
      throw given;
    }
    return given;
  };
  const { transport, session } = await openedLegacy(
    { protocolVersion: revision },
    { features: { sample } },
  );
  transport.push({ id: 'ask', method: 'sampling/createMessage', params: asked });
  await turns();
  const reply: { readonly result?: unknown; readonly error?: Record<string, unknown> } = JSON.parse(
    JSON.stringify(transport.replies[0]),
  );
  await session.close();
  return { ...reply, requests };
}

describe('sampling in the handshake era', () => {
  it('SAMP-01, SAM-02, CAP-02, TASK-01, TRAP-44: is declared with tools and without context, exactly when it is served', async () => {
    for (const [features, declared] of [
      [{}, {}],
      [
        { sample: async () => answer },
        {
          sampling: { tools: {} },
          tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} } } },
        },
      ],
    ] as const) {
      const { transport, session } = await openedLegacy({}, { features });
      assert.deepEqual(transport.sentOf('initialize')[0]?.params?.['capabilities'], declared);
      await session.close();
    }
  });

  it('CAP-05, SAMP-14: a server whose sampling is switched off gets -32601', async () => {
    const { transport, session } = await openedLegacy({}, { features: {} });
    transport.push({ id: 'ask', method: 'sampling/createMessage', params });
    await turns();
    assert.equal(JSON.parse(JSON.stringify(transport.replies[0])).error.code, -32601);
    await session.close();
  });

  for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const) {
    it(`SAMP-13: hands a request on and sends the answer, in ${revision}`, async () => {
      const { result, requests } = await replyTo(params, answer, revision);
      assert.deepEqual(requests, [params]);
      assert.deepEqual(result, answer);
    });
  }

  it('TRAP-42: lists of blocks and tool uses are sent in 2025-11-25 alone', async () => {
    const use = { type: 'tool_use', id: '1', name: 'add', input: {} } as const;
    for (const content of [use, [use]]) {
      const called = { ...answer, content };
      assert.deepEqual((await replyTo(params, called)).result, called);
      assert.equal((await replyTo(params, called, '2025-06-18')).error?.['code'], -32603);
    }
  });

  it('SAMP-21: params that cannot be used get -32602 before anybody is asked', async () => {
    const { error, requests } = await replyTo({ ...params, maxTokens: 0 }, answer);
    assert.equal(error?.['code'], -32602);
    assert.deepEqual(requests, []);
  });

  it('SAMP-22, TRAP-10: a refusal by the user is error -1', async () => {
    const { error } = await replyTo(params, new RpcError(-1, 'User rejected sampling request'));
    assert.deepEqual(error, { code: -1, message: 'User rejected sampling request' });
  });

  it('CANC-03: a request that the server withdraws is aborted, and nothing is sent', async () => {
    let signal: AbortSignal | undefined;
    const sample: ClientFeatures['sample'] = (_request, context) => {
      signal = context.signal;
      return new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve(answer), { once: true });
      });
    };
    const { transport, session } = await openedLegacy({}, { features: { sample } });
    transport.push({ id: 'ask', method: 'sampling/createMessage', params });
    await turns();
    transport.push({ method: 'notifications/cancelled', params: { requestId: 'ask' } });
    await turns();
    assert.equal(signal?.aborted, true);
    assert.deepEqual(transport.replies, []);
    await session.close();
  });
});
