import assert from 'node:assert/strict';
import { samplingLimits } from '../../../../src/host/sampling/samplingBudget.ts';
import type { SamplingDecision } from '../../../../src/host/sampling/samplingUi.ts';
import { isCancelled, isRpcError, McpError } from '../../../../src/mcp/errors.ts';
import type { Revision } from '../../../../src/mcp/revisions.ts';
import type {
  CreateMessageRequest,
  CreateMessageResult,
} from '../../../../src/mcp/types/clientFeatures.ts';
import { deferred } from '../../../support/deferred.ts';
import {
  FakeSampling,
  ScriptedModel,
  aborting,
  allowing,
  userSays,
} from '../../../support/fakeSampling.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';
import { turns, waitUntil } from '../../../support/waitUntil.ts';

const notes = stdioServer('notes');
const newest: Revision = '2025-11-25';

function sample(
  fake: FakeSampling,
  request: CreateMessageRequest = userSays('Hi'),
  { signal = new AbortController().signal, revision = newest, server = notes } = {},
): Promise<CreateMessageResult> {
  return fake.sampling.sample(server, request, { signal, revision });
}

async function refusal(sampled: Promise<unknown>): Promise<{ code: number; message: string }> {
  const error = await sampled.then(
    () => assert.fail('was answered'),
    (thrown: unknown) => thrown,
  );
  assert.ok(isRpcError(error), String(error));
  return { code: error.rpcCode, message: error.message };
}

/** Refused twice in the same words: what the user is told, the user is told once. */
async function isRefusedAgain(fake: FakeSampling, message: string): Promise<void> {
  for (let n = 0; n < 2; n += 1) {
    assert.deepEqual(await refusal(sample(fake)), { code: -32603, message });
  }
}

const deny = (): SamplingDecision => ({ kind: 'deny' });

describe('Sampling', () => {
  it('SAMP-02, SAMP-04, SAMP-13: asks before the model and before the server, then answers', async () => {
    const fake = new FakeSampling();
    const request = userSays('Hi', { systemPrompt: 'Be brief' });
    assert.deepEqual(await sample(fake, request), {
      role: 'assistant',
      content: { type: 'text', text: 'Hello' },
      model: 'fake',
      stopReason: 'endTurn',
    });
    assert.deepEqual(fake.approvals[0]?.request, request);
    assert.equal(fake.approvals[0]?.isAnswerReviewed, true);
    assert.equal(fake.reviews.length, 1);
    assert.match(fake.model.requests[0]?.justification ?? '', /"notes"/);
  });

  it('SAM-14: nothing of one request goes with the next', async () => {
    const fake = new FakeSampling();
    await sample(fake, userSays('The first', { systemPrompt: 'Be brief' }));
    await sample(fake, userSays('The second'));
    assert.match(JSON.stringify(fake.model.requests[0]?.messages), /The first/);
    const second = JSON.stringify(fake.model.requests[1]?.messages);
    assert.match(second, /The second/);
    assert.doesNotMatch(second, /The first|Be brief|Hello/);
  });

  it('SAMP-22, TRAP-10: a no is error -1, and nothing reaches the model', async () => {
    const fake = new FakeSampling();
    fake.answer = deny;
    assert.deepEqual(await refusal(sample(fake)), {
      code: -1,
      message: 'User rejected sampling request',
    });
    assert.deepEqual(fake.model.requests, []);
  });

  it('TRAP-45: a no denies the next request too, unless that one is allowed: it asks every time', async () => {
    const fake = new FakeSampling();
    fake.answer = deny;
    for (let n = 1; n <= 4; n += 1) {
      assert.equal((await refusal(sample(fake))).code, -1);
      assert.equal(fake.approvals.length, n);
    }
    assert.equal(fake.settings.allowance(notes), undefined);
    assert.deepEqual(fake.memory.values, new Map());
    fake.answer = allowing('once');
    await sample(fake);
    fake.answer = deny;
    assert.equal((await refusal(sample(fake))).code, -1);
    assert.equal(fake.approvals.length, 6);
    assert.equal(fake.model.requests.length, 1);
  });

  for (const scope of ['session', 'always'] as const) {
    it(`SAMP-05: "${scope}" asks no more for this server; the answer is still reviewed`, async () => {
      const fake = new FakeSampling();
      fake.answer = allowing(scope);
      await sample(fake);
      await sample(fake);
      assert.deepEqual([fake.approvals.length, fake.reviews.length], [1, 2]);
      await sample(fake, userSays('Hi'), { server: stdioServer('other') });
      assert.equal(fake.approvals.length, 2);
      fake.reopen();
      await sample(fake);
      assert.equal(fake.approvals.length, scope === 'session' ? 3 : 2);
    });
  }

  it('"Later" lets the next question through; what was edited is there again, and asked about', async () => {
    const fake = new FakeSampling();
    const edited = userSays('Bonjour');
    fake.answer = (question) => ({
      kind: 'later',
      question: { ...question, request: edited, isEdited: true },
    });
    const first = sample(fake);
    await waitUntil('the question to wait', () => fake.questions.waiting.length === 1);
    fake.answer = allowing('session');
    await sample(fake, userSays('Next'));
    assert.equal(fake.approvals.length, 2);
    const [waiting] = fake.questions.waiting;
    assert.ok(waiting);
    fake.answer = allowing('once');
    let isPutOff = false;
    fake.judge = (question) => {
      if (isPutOff) {
        assert.equal(question.isEdited, true);
        return { kind: 'send', answer: question.answer };
      }
      isPutOff = true;
      return { kind: 'later', question: { ...question, isEdited: true } };
    };
    fake.questions.reopen(waiting);
    await waitUntil('the answer to wait', () => isPutOff && fake.questions.waiting.length === 1);
    const [answer] = fake.questions.waiting;
    assert.equal(answer?.about, 'sampledAnswer');
    fake.questions.reopen(answer);
    await first;
    assert.partialDeepStrictEqual(fake.approvals[2], { request: edited, isEdited: true });
    assert.match(JSON.stringify(fake.model.requests.at(-1)), /Bonjour/u);
  });

  it('SAMP-03: what is sent is what the user edited', async () => {
    const fake = new FakeSampling();
    const edited = userSays('Bonjour', { maxTokens: 3 });
    fake.answer = allowing('once', { request: edited });
    const { content, stopReason } = await sample(fake, userSays('Hi'));
    assert.deepEqual(fake.model.requests[0]?.messages[0]?.parts, [
      { kind: 'text', text: 'Bonjour' },
    ]);
    assert.deepEqual([content, stopReason], [{ type: 'text', text: 'Hel' }, 'maxTokens']);
  });

  it('SAMP-04: the answer can be edited or discarded', async () => {
    const fake = new FakeSampling();
    fake.judge = ({ answer }) => ({
      kind: 'send',
      answer: { ...answer, content: [{ type: 'text', text: 'Edited' }] },
    });
    assert.deepEqual((await sample(fake)).content, { type: 'text', text: 'Edited' });
    fake.judge = () => ({ kind: 'discard' });
    assert.equal((await refusal(sample(fake))).code, -1);
  });

  it('SAMP-04: only for a trusted server can the review be switched off', async () => {
    const fake = new FakeSampling();
    await fake.settings.setAnswerUnseen(notes, true);
    await sample(fake);
    assert.equal(fake.reviews.length, 1);
    fake.isTrusted = true;
    await sample(fake);
    assert.equal(fake.reviews.length, 1);
    assert.equal(fake.approvals.at(-1)?.isAnswerReviewed, false);
  });

  it('SAMP-09, SAMP-13: the model that the user chose answers, and is remembered with the yes', async () => {
    const fake = new FakeSampling();
    const other = new ScriptedModel('other');
    fake.models = [fake.model, other];
    fake.answer = allowing('always', { model: other, isOwnModel: true });
    const request = userSays('Hi', { modelPreferences: { hints: [{ name: 'fake' }] } });
    assert.equal((await sample(fake, request)).model, 'other');
    assert.equal((await sample(fake, request)).model, 'other');
    assert.deepEqual(fake.approvals[0]?.choice.because, { kind: 'hint', hint: 'fake' });
    assert.equal(fake.approvals.length, 1);
  });

  it('SAMP-16, TRAP-43: calls of tools go back to the server and are run by nobody here', async () => {
    const fake = new FakeSampling();
    fake.model.parts = [{ kind: 'toolCall', callId: '1', tool: 'add', input: { a: 1 } }];
    const tools = [{ name: 'add', inputSchema: { type: 'object', properties: {} } }];
    assert.deepEqual(await sample(fake, userSays('Hi', { tools })), {
      role: 'assistant',
      content: { type: 'tool_use', id: '1', name: 'add', input: { a: 1 } },
      model: 'fake',
      stopReason: 'toolUse',
    });
    assert.equal(fake.model.requests.length, 1);
    assert.equal(fake.reviews.length, 1);
  });

  it('TRAP-42: one block before 2025-11-25, a list from then on', async () => {
    const fake = new FakeSampling();
    const picture = { kind: 'data', mimeType: 'image/png', bytes: new Uint8Array([0]) } as const;
    fake.model.parts = [{ kind: 'text', text: 'a' }, picture, { kind: 'text', text: 'b' }];
    const old = await sample(fake, userSays('Hi'), { revision: '2025-06-18' });
    assert.deepEqual(old.content, { type: 'text', text: 'ab' });
    const { content } = await sample(fake);
    assert.ok(Array.isArray(content) && content.length === 3);
    fake.model.parts = [picture];
    const { content: only } = await sample(fake, userSays('Hi'), { revision: '2024-11-05' });
    assert.ok('type' in only && only.type === 'image');
    fake.model.parts = [];
    for (const revision of ['2024-11-05', '2025-11-25'] as const) {
      const empty = await sample(fake, userSays('Hi'), { revision });
      assert.deepEqual(empty.content, { type: 'text', text: '' });
    }
  });

  it('SAMP-12: what no model takes is refused before anybody is asked', async () => {
    const fake = new FakeSampling();
    const content = { type: 'audio', data: 'AAEC', mimeType: 'audio/wav' } as const;
    const request = { messages: [{ role: 'user', content }], maxTokens: 1 } as const;
    assert.equal((await refusal(sample(fake, request))).code, -32602);
    assert.deepEqual(fake.approvals, []);
  });

  it('says to server and user that there is no model', async () => {
    const fake = new FakeSampling();
    fake.models = [];
    assert.equal((await refusal(sample(fake))).code, -32603);
    assert.deepEqual(fake.notices, [{ kind: 'noModel' }]);
  });

  it('a model that fails: the user gets its words, the server does not', async () => {
    const fake = new FakeSampling();
    fake.model.parts = [
      () => Promise.reject(new McpError('unsupported', 'fake: quota of ada@example.com')),
    ];
    assert.deepEqual(await refusal(sample(fake)), {
      code: -32603,
      message: 'The language model failed',
    });
    assert.deepEqual(fake.notices, [{ kind: 'failed', reason: 'fake: quota of ada@example.com' }]);
  });

  it('a stop by the user, or no access to the model, is a no', async () => {
    const fake = new FakeSampling();
    fake.model.parts = [() => Promise.reject(new McpError('denied', 'no access'))];
    assert.equal((await refusal(sample(fake))).code, -1);
    fake.model.parts = [aborting(fake.stop)];
    assert.equal((await refusal(sample(fake))).code, -1);
    assert.equal(fake.reviews.length, 0);
  });

  it('says in the server’s log what is not done as it wants, and nothing of the contents', async () => {
    const fake = new FakeSampling();
    await sample(fake, userSays('my secret', { includeContext: 'allServers', temperature: 1 }));
    const lines = fake.logs.lines.join('\n');
    assert.match(lines, /allServers/);
    assert.match(lines, /temperature/);
    assert.ok(!lines.includes('my secret'));
  });
});

describe('Sampling: budgets', () => {
  it('SAMP-21, SAM-12: as many a minute as the entry of the server says', async () => {
    const fake = new FakeSampling();
    const server = stdioServer('chatty', { limits: { samplingPerMinute: 2 } });
    await sample(fake, userSays('Hi'), { server });
    await sample(fake, userSays('Hi'), { server });
    assert.match((await refusal(sample(fake, userSays('Hi'), { server }))).message, /at most 2 a/);
    await sample(fake);
  });

  it('SAMP-21, HOST-08: too many a minute are refused, and the user is told once', async () => {
    const fake = new FakeSampling();
    for (let n = 0; n < samplingLimits.perMinute; n += 1) {
      await sample(fake);
    }
    await isRefusedAgain(
      fake,
      'Too many sampling requests: at most 10 a minute, which `limits.samplingPerMinute` of its entry can raise; try again in 60 s',
    );
    assert.deepEqual(fake.notices, [{ kind: 'tooMany', perMinute: 10 }]);
    await sample(fake, userSays('Hi'), { server: stdioServer('other') });
    fake.clock.advance(60_000);
    await sample(fake);
  });

  it('SAMP-21: too many at once are refused; a denied one makes room', async () => {
    const fake = new FakeSampling();
    const first = deferred<SamplingDecision>();
    fake.answer = () => first.promise;
    const open = Array.from({ length: samplingLimits.atOnce }, () => sample(fake));
    await isRefusedAgain(
      fake,
      'Too many sampling requests: 3 are open already; try again once one of them is answered',
    );
    assert.deepEqual(fake.notices, [{ kind: 'tooManyOpen', open: 3 }]);
    first.resolve({ kind: 'deny' });
    for (const one of open) {
      assert.equal((await refusal(one)).code, -1);
    }
    fake.answer = allowing('once');
    await sample(fake);
  });

  it('SAMP-21: tokens of a session, both ways; the user may give as much again', async () => {
    const fake = new FakeSampling();
    fake.budget.spend(notes.id, samplingLimits.tokensPerSession - 10);
    fake.model.parts = [{ kind: 'text', text: 'x'.repeat(50) }];
    const { content, stopReason } = await sample(fake, userSays('12345'));
    assert.deepEqual([content, stopReason], [{ type: 'text', text: 'xxxxx' }, 'maxTokens']);
    await isRefusedAgain(
      fake,
      'The sampling budget of this session is spent: 200000 tokens; "Manage Sampling…" renews it',
    );
    assert.equal(fake.renewals.length, 1);
    fake.renewals[0]?.();
    assert.equal(fake.budget.tokensLeft(notes.id), samplingLimits.tokensPerSession);
    assert.equal(fake.budget.tokensUsed(notes.id), samplingLimits.tokensPerSession);
    await sample(fake);
  });

  it('SAMP-19: a loop of tool calls ends with the budget of its server, also where nobody is asked', async () => {
    const fake = new FakeSampling();
    fake.answer = allowing('session');
    fake.model.parts = [{ kind: 'toolCall', callId: 'c1', tool: 'echo', input: {} }];
    const request = userSays('Go on', {
      tools: [{ name: 'echo', inputSchema: { type: 'object' } }],
    });
    for (let round = 1; round <= samplingLimits.perMinute; round += 1) {
      assert.equal((await sample(fake, request)).stopReason, 'toolUse');
    }
    assert.equal((await refusal(sample(fake, request))).code, -32603);
    assert.equal(fake.model.requests.length, samplingLimits.perMinute);
  });

  it('a request beyond what is left, or beyond the model, is not sent', async () => {
    const fake = new FakeSampling();
    fake.budget.spend(notes.id, samplingLimits.tokensPerSession - 5);
    await refusal(sample(fake, userSays('123456')));
    const small = new ScriptedModel('small', 5);
    fake.models = [small];
    fake.budget.renew(notes.id);
    assert.match((await refusal(sample(fake, userSays('123456')))).message, /too long: 6 tokens/);
    assert.deepEqual([...fake.model.requests, ...small.requests], []);
  });
});

describe('Sampling: withdrawn by the server', () => {
  it('CANC-03: a yes that comes too late sends nothing and is not remembered, and the user is told', async () => {
    const fake = new FakeSampling();
    const controller = new AbortController();
    const late = deferred<SamplingDecision>();
    fake.answer = () => late.promise;
    const sampled = sample(fake, userSays('Hi'), { signal: controller.signal });
    await turns();
    const [question] = fake.approvals;
    assert.ok(question);
    controller.abort(new McpError('cancelled', 'by the server'));
    await assert.rejects(sampled, isCancelled);
    assert.deepEqual(fake.notices, []);
    late.resolve(allowing('always')(question));
    await turns();
    assert.deepEqual(fake.notices, [{ kind: 'withdrawn' }]);
    assert.equal(fake.settings.allowance(notes), undefined);
    assert.deepEqual(fake.model.requests, []);
  });

  it('CANC-03: withdrawn while it waits its turn, it was never seen', async () => {
    const fake = new FakeSampling();
    const first = deferred<SamplingDecision>();
    fake.answer = () => first.promise;
    const denied = refusal(sample(fake));
    const controller = new AbortController();
    const second = sample(fake, userSays('Hi'), { signal: controller.signal });
    await turns();
    controller.abort();
    await assert.rejects(second, isCancelled);
    first.resolve({ kind: 'deny' });
    await denied;
    assert.equal(fake.approvals.length, 1);
    assert.deepEqual(fake.notices, []);
  });

  it('CANC-03: withdrawn while the model answers, it stops and nobody reviews', async () => {
    const fake = new FakeSampling();
    const controller = new AbortController();
    fake.model.parts = [aborting(controller)];
    await assert.rejects(sample(fake, userSays('Hi'), { signal: controller.signal }), isCancelled);
    assert.equal(fake.model.isStopped, true);
    assert.deepEqual(fake.reviews, []);
    assert.deepEqual(fake.notices, []);
  });

  it('CANC-03: withdrawn during the review, the answer stays here', async () => {
    const fake = new FakeSampling();
    const controller = new AbortController();
    fake.judge = ({ answer }) => {
      controller.abort();
      return { kind: 'send', answer };
    };
    await assert.rejects(sample(fake, userSays('Hi'), { signal: controller.signal }), isCancelled);
    await turns();
    assert.deepEqual(fake.notices, [{ kind: 'withdrawn' }]);
  });

  it('one question at a time: a session that is allowed meanwhile spares the next', async () => {
    const fake = new FakeSampling();
    const first = deferred<SamplingDecision>();
    fake.answer = () => first.promise;
    const both = [sample(fake), sample(fake)];
    await turns();
    const [question] = fake.approvals;
    assert.ok(question);
    assert.equal(fake.approvals.length, 1);
    first.resolve(allowing('session')(question));
    await Promise.all(both);
    assert.equal(fake.approvals.length, 1);
  });
});

describe('Audit of sampling', () => {
  it('HOST-07: each request with its model and sizes, by hand or by rule, and no word of it', async () => {
    const fake = new FakeSampling();
    fake.answer = allowing('session');
    await sample(fake, userSays('hunter2'));
    await sample(fake);
    fake.judge = () => ({ kind: 'discard' });
    await refusal(sample(fake));
    fake.models = [];
    await refusal(sample(fake));
    assert.deepEqual(
      fake.audit.map(({ event, server, model = '', outcome, by, because = '', code = '' }) =>
        [event, server, model, outcome, by, because, code].join(' '),
      ),
      [
        'sampling notes fake allowed hand  ',
        'sampling notes fake allowed rule session ',
        'sampling notes fake denied hand session ',
        'sampling notes  refused rule  -32603',
      ],
    );
    assert.doesNotMatch(JSON.stringify(fake.audit), /hunter2|Hello/);
  });

  it('HOST-07: a no before anything is sent', async () => {
    const fake = new FakeSampling();
    fake.answer = deny;
    await refusal(sample(fake));
    assert.deepEqual(
      fake.audit.map(({ outcome, by, model }) => [outcome, by, model]),
      [['denied', 'hand', undefined]],
    );
  });
});
