import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RpcError } from '../../../../src/mcp/errors.ts';
import type { ClientFeatures } from '../../../../src/mcp/session/session.ts';
import type { Revision } from '../../../../src/mcp/revisions.ts';
import type { ElicitRequest, ElicitResult } from '../../../../src/mcp/types/clientFeatures.ts';
import { openedLegacy } from '../../../support/legacySession.ts';
import { turns } from '../../../support/waitUntil.ts';

const form = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
const link = { mode: 'url', message: 'Pay', elicitationId: 'e1', url: 'https://example.com/' };

/** What the server gets for its `elicitation/create`. */
async function replyTo(
  params: unknown,
  answer: ElicitResult | RpcError,
  revision: Revision = '2025-11-25',
) {
  const asked: ElicitRequest[] = [];
  const elicit: ClientFeatures['elicit'] = async (request, context) => {
    assert.equal(context.revision, revision);
    asked.push(request);
    if (answer instanceof Error) {
      throw answer;
    }
    return answer;
  };
  const { transport, session } = await openedLegacy(
    { protocolVersion: revision },
    { features: { elicit } },
  );
  transport.push({ id: 'ask', method: 'elicitation/create', params });
  await turns();
  const [reply] = transport.replies;
  await session.close();
  return { reply, asked };
}

const resultOf = (reply: unknown): unknown => JSON.parse(JSON.stringify(reply)).result;
const codeOf = (reply: unknown): unknown => JSON.parse(JSON.stringify(reply)).error?.code;

describe('elicitation in the handshake era', () => {
  it('ELIC-01, ELI-01, CAP-02, TASK-01: is declared with both modes exactly when it is served', async () => {
    for (const [features, declared] of [
      [{}, {}],
      [
        { elicit: async () => ({ action: 'cancel' as const }) },
        {
          elicitation: { form: {}, url: {} },
          tasks: { list: {}, cancel: {}, requests: { elicitation: { create: {} } } },
        },
      ],
    ] as const) {
      const { transport, session } = await openedLegacy({}, { features });
      assert.deepEqual(transport.sentOf('initialize')[0]?.params?.['capabilities'], declared);
      await session.close();
    }
  });

  it('CAP-05: without the feature, the method is unknown', async () => {
    const { transport, session } = await openedLegacy({}, { features: {} });
    transport.push({ id: 'ask', method: 'elicitation/create', params: form });
    await turns();
    assert.equal(codeOf(transport.replies[0]), -32601);
    await session.close();
  });

  it('CAP-03: revisions before 2025-06-18 have no such method', async () => {
    for (const revision of ['2024-11-05', '2025-03-26'] as const) {
      const { reply, asked } = await replyTo(form, { action: 'cancel' }, revision);
      assert.equal(codeOf(reply), -32601);
      assert.deepEqual(asked, []);
    }
  });

  it('ELIC-02, ELIC-19: hands a form on and sends the answer', async () => {
    const { reply, asked } = await replyTo(form, { action: 'accept', content: { name: 'Ada' } });
    assert.deepEqual(asked, [{ mode: 'form', ...form }]);
    assert.deepEqual(resultOf(reply), { action: 'accept', content: { name: 'Ada' } });
  });

  it('asks all that comes before the code that answers is there, in its order', async () => {
    const asked: string[] = [];
    const { transport, session } = await openedLegacy(
      {},
      {
        features: {
          elicit: async ({ message }) => {
            asked.push(message);
            return { action: 'decline' };
          },
        },
      },
    );
    for (const message of ['first', 'second', 'third']) {
      transport.push({ id: message, method: 'elicitation/create', params: { ...form, message } });
    }
    await turns();
    assert.deepEqual(asked, ['first', 'second', 'third']);
    assert.equal(transport.replies.length, 3);
    await session.close();
  });

  it('CANC-03: closes a question that is taken back at once, and answers nothing', async () => {
    let question: AbortSignal | undefined;
    const { transport, session } = await openedLegacy(
      {},
      {
        features: {
          elicit: async (_request, { signal }) => {
            question = signal;
            return { action: 'decline' };
          },
        },
      },
    );
    transport.push({ id: 'ask', method: 'elicitation/create', params: form });
    transport.push({ method: 'notifications/cancelled', params: { requestId: 'ask' } });
    assert.equal(question?.aborted, true);
    await turns();
    assert.deepEqual(transport.replies, []);
    await session.close();
  });

  it('ELIC-03: refuses params that cannot be used before anybody is asked', async () => {
    for (const [params, revision] of [
      [link, '2025-06-18'],
      [{ ...form, mode: 'voice' }, '2025-11-25'],
      [{ message: 'Who?' }, '2025-11-25'],
      [undefined, '2025-11-25'],
    ] as const) {
      const { reply, asked } = await replyTo(params, { action: 'cancel' }, revision);
      assert.equal(codeOf(reply), -32602);
      assert.deepEqual(asked, []);
    }
  });

  it('ELIC-19, ELIC-26: sends content for an accepted form alone', async () => {
    const content = { a: 1 };
    const accepted = await replyTo(link, { action: 'accept', content });
    assert.deepEqual(resultOf(accepted.reply), { action: 'accept' });
    for (const action of ['decline', 'cancel'] as const) {
      const { reply } = await replyTo(form, Object.assign({ action }, { content }));
      assert.deepEqual(resultOf(reply), { action });
    }
    const empty = await replyTo(form, { action: 'accept' });
    assert.deepEqual(resultOf(empty.reply), { action: 'accept', content: {} });
  });

  it('ELIC-20: sends lists of strings in 2025-11-25 alone', async () => {
    const answer = { action: 'accept', content: { colours: ['red'] } } as const;
    assert.deepEqual(resultOf((await replyTo(form, answer)).reply), answer);
    assert.equal(codeOf((await replyTo(form, answer, '2025-06-18')).reply), -32603);
  });

  it('sends an error of the handler with its code and text', async () => {
    const { reply } = await replyTo(form, new RpcError(-32602, 'Field "a" is nested'));
    assert.deepEqual(JSON.parse(JSON.stringify(reply)).error, {
      code: -32602,
      message: 'Field "a" is nested',
    });
  });

  it('CANC-03: a question that the server withdraws is aborted, and nothing is sent', async () => {
    let signal: AbortSignal | undefined;
    const elicit: ClientFeatures['elicit'] = (_request, context) => {
      signal = context.signal;
      return new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve({ action: 'cancel' }), { once: true });
      });
    };
    const { transport, session } = await openedLegacy({}, { features: { elicit } });
    transport.push({ id: 'ask', method: 'elicitation/create', params: form });
    await turns();
    transport.push({ method: 'notifications/cancelled', params: { requestId: 'ask' } });
    await turns();
    assert.equal(signal?.aborted, true);
    assert.deepEqual(transport.replies, []);
    await session.close();
  });

  it('ELIC-27: tells what was completed; an id that is none is ignored', async () => {
    const completed: string[] = [];
    const { transport, session } = await openedLegacy(
      {},
      {
        features: {
          elicitationCompleted: (id) => completed.push(id),
        },
      },
    );
    for (const elicitationId of ['e1', 7, undefined]) {
      transport.push({ method: 'notifications/elicitation/complete', params: { elicitationId } });
    }
    assert.deepEqual(completed, ['e1']);
    await session.close();
  });

  it('ELIC-27: a link that is completed at once is completed after it was asked about', async () => {
    const told: string[] = [];
    const elicit: ClientFeatures['elicit'] = async () => {
      told.push('asked');
      return { action: 'accept' };
    };
    const elicitationCompleted = (id: string): unknown => told.push(`completed ${id}`);
    const { transport, session } = await openedLegacy(
      {},
      { features: { elicit, elicitationCompleted } },
    );
    const completed = {
      method: 'notifications/elicitation/complete',
      params: { elicitationId: 'e1' },
    };
    for (const id of ['first', 'second']) {
      transport.push({ id, method: 'elicitation/create', params: link });
      transport.push(completed);
      await turns();
    }
    assert.deepEqual(told, ['asked', 'completed e1', 'asked', 'completed e1']);
    await session.close();
  });
});
