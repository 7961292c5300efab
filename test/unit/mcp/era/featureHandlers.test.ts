import assert from 'node:assert/strict';
import { appsSettings } from '../../../../src/mcp/extensions.ts';
import { RpcError } from '../../../../src/mcp/errors.ts';
import type { AskContext, ClientFeatures } from '../../../../src/mcp/session/session.ts';
import type { Revision } from '../../../../src/mcp/revisions.ts';
import type {
  CreateMessageResult,
  ElicitResult,
} from '../../../../src/mcp/types/clientFeatures.ts';
import { openedLegacy } from '../../../support/legacySession.ts';
import { turns } from '../../../support/waitUntil.ts';

const form = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
const link = { mode: 'url', message: 'Pay', elicitationId: 'e1', url: 'https://example.com/' };

const sampling = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
  maxTokens: 10,
};
const sampled: CreateMessageResult = {
  role: 'assistant',
  content: { type: 'text', text: 'Hello' },
  model: 'demo',
  stopReason: 'endTurn',
};

/** What the server gets for a request that the feature answers so. */
async function exchange<T>(
  method: string,
  params: unknown,
  featureOf: (serve: (request: unknown, context: AskContext) => Promise<T>) => ClientFeatures,
  answer: T | Error,
  revision: Revision,
) {
  const asked: unknown[] = [];
  const features = featureOf(async (request, context) => {
    assert.equal(context.revision, revision);
    asked.push(request);
    if (answer instanceof Error) {
      throw answer;
    }
    return answer;
  });
  const { transport, session } = await openedLegacy({ protocolVersion: revision }, { features });
  transport.push({ id: 'ask', method, params });
  await turns();
  const [reply] = transport.replies;
  await session.close();
  return { reply, asked };
}

const replyTo = (
  params: unknown,
  answer: ElicitResult | Error,
  revision: Revision = '2025-11-25',
) =>
  exchange<ElicitResult>('elicitation/create', params, (elicit) => ({ elicit }), answer, revision);

const replyToSampling = (
  params: unknown,
  answer: CreateMessageResult | Error,
  revision: Revision = '2025-11-25',
) =>
  exchange<CreateMessageResult>(
    'sampling/createMessage',
    params,
    (sample) => ({ sample }),
    answer,
    revision,
  );

const resultOf = (reply: unknown): unknown => JSON.parse(JSON.stringify(reply)).result;
const errorOf = (reply: unknown): { readonly code?: unknown } =>
  JSON.parse(JSON.stringify(reply)).error ?? {};
const codeOf = (reply: unknown): unknown => errorOf(reply).code;

describe('requests of a server in the handshake era', () => {
  for (const [what, features, declared] of [
    ['CAP-02: nothing is declared without a feature', {}, {}],
    [
      'ELIC-01, ELI-01, CAP-02, TASK-01: elicitation is declared with both modes when it is served',
      { elicit: async () => ({ action: 'cancel' as const }) },
      {
        elicitation: { form: {}, url: {} },
        tasks: { list: {}, cancel: {}, requests: { elicitation: { create: {} } } },
      },
    ],
    [
      'SAMP-01, SAM-02, CAP-02, TASK-01, TRAP-44: sampling is declared with tools and without context when it is served',
      { sample: async () => sampled },
      {
        sampling: { tools: {} },
        tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} } } },
      },
    ],
    [
      'APP-01, APP-03: MCP Apps are declared with the kind of page that is rendered',
      {
        extensions: {
          'io.modelcontextprotocol/ui': appsSettings,
          'io.modelcontextprotocol/tasks': {},
        },
      },
      {
        extensions: {
          'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
        },
      },
    ],
  ] as const) {
    it(what, async () => {
      const { transport } = await openedLegacy({}, { features });
      assert.deepEqual(transport.sentOf('initialize')[0]?.params?.['capabilities'], declared);
    });
  }

  it('TASK-01, CAP-05: roots are never a task, and without what may be one there are none', async () => {
    const { transport } = await openedLegacy({}, { features: { listRoots: async () => [] } });
    transport.push({ id: 'ask', method: 'roots/list', params: { task: {} } });
    transport.push({ id: 'list', method: 'tasks/list' });
    await turns();
    const answerTo = (id: string): unknown => transport.replies.find((reply) => reply.id === id);
    assert.deepEqual(resultOf(answerTo('ask')), { roots: [] });
    assert.equal(codeOf(answerTo('list')), -32601);
  });

  for (const [rules, method, params] of [
    ['CAP-05', 'elicitation/create', form],
    ['CAP-05, SAMP-14', 'sampling/createMessage', sampling],
  ] as const) {
    it(`${rules}: without the feature, "${method}" is unknown`, async () => {
      const { transport } = await openedLegacy({}, { features: {} });
      transport.push({ id: 'ask', method, params });
      await turns();
      assert.equal(codeOf(transport.replies[0]), -32601);
    });

    it(`CANC-03: "${method}" that the server withdraws is aborted, and nothing is sent`, async () => {
      let signal: AbortSignal | undefined;
      const wait = (_request: unknown, context: AskContext): Promise<never> => {
        ({ signal } = context);
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('withdrawn')), { once: true });
        });
      };
      const features = { elicit: wait, sample: wait };
      const { transport } = await openedLegacy({}, { features });
      transport.push({ id: 'ask', method, params });
      await turns();
      transport.push({ method: 'notifications/cancelled', params: { requestId: 'ask' } });
      await turns();
      assert.equal(signal?.aborted, true);
      assert.deepEqual(transport.replies, []);
    });
  }
});

describe('elicitation in the handshake era', () => {
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

  it('ELIC-27: tells what was completed; an id that is none is ignored', async () => {
    const completed: string[] = [];
    const { transport } = await openedLegacy(
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
  });
});

describe('sampling in the handshake era', () => {
  for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const) {
    it(`SAMP-13: hands a request on and sends the answer, in ${revision}`, async () => {
      const { reply, asked } = await replyToSampling(sampling, sampled, revision);
      assert.deepEqual(asked, [sampling]);
      assert.deepEqual(resultOf(reply), sampled);
    });
  }

  it('TRAP-42: lists of blocks and tool uses are sent in 2025-11-25 alone', async () => {
    const use = { type: 'tool_use', id: '1', name: 'add', input: {} } as const;
    for (const content of [use, [use]]) {
      const called = { ...sampled, content };
      assert.deepEqual(resultOf((await replyToSampling(sampling, called)).reply), called);
      assert.equal(codeOf((await replyToSampling(sampling, called, '2025-06-18')).reply), -32603);
    }
  });

  it('SAMP-21: params that cannot be used get -32602 before anybody is asked', async () => {
    const { reply, asked } = await replyToSampling({ ...sampling, maxTokens: 0 }, sampled);
    assert.equal(codeOf(reply), -32602);
    assert.deepEqual(asked, []);
  });

  it('SAMP-22, TRAP-10: a refusal by the user is error -1', async () => {
    const refusal = new RpcError(-1, 'User rejected sampling request');
    const { reply } = await replyToSampling(sampling, refusal);
    assert.deepEqual(errorOf(reply), { code: -1, message: 'User rejected sampling request' });
  });
});
