import assert from 'node:assert/strict';
import { samplingLimits } from '../../../../src/host/sampling/samplingBudget.ts';
import type { ModelPart } from '../../../../src/host/models/model.ts';
import { isCancelled, isRpcError, McpError } from '../../../../src/mcp/errors.ts';
import type { Revision } from '../../../../src/mcp/revisions.ts';
import type {
  CreateMessageRequest,
  CreateMessageResult,
} from '../../../../src/mcp/types/clientFeatures.ts';
import { deferred } from '../../../support/deferred.ts';
import { FakeSampling, ScriptedModel, aborting, userSays } from '../../../support/fakeSampling.ts';
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

/** The question stays open until it is settled. */
function holding(fake: FakeSampling) {
  const held = deferred<'session' | 'always' | 'deny'>();
  fake.answer = () => held.promise;
  return held;
}

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
    const second = JSON.stringify(fake.model.requests[1]?.messages);
    assert.match(second, /The second/);
    assert.doesNotMatch(second, /The first|Be brief|Hello/);
  });

  it('SAMP-22, TRAP-10, TRAP-45: a no is error -1, sends nothing, and is for one request', async () => {
    const fake = new FakeSampling();
    for (const [answer, asked, sent] of [
      ['deny', 1, 0],
      ['deny', 2, 0],
      ['once', 3, 1],
      ['deny', 4, 1],
    ] as const) {
      fake.answer = () => answer;
      const sampled = sample(fake);
      if (answer === 'deny') {
        assert.deepEqual(await refusal(sampled), {
          code: -1,
          message: 'User rejected sampling request',
        });
      }
      await sampled.catch(() => undefined);
      assert.deepEqual([fake.approvals.length, fake.model.requests.length], [asked, sent]);
    }
    assert.deepEqual(fake.memory.values, new Map());
  });

  for (const scope of ['session', 'always'] as const) {
    it(`SAMP-05: "${scope}" asks no more for this server; the answer is still reviewed`, async () => {
      const fake = new FakeSampling();
      fake.answer = () => scope;
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
    const reopened = async (): Promise<void> => {
      await waitUntil('a question to wait', () => fake.questions.waiting.length === 1);
      fake.questions.reopen(fake.questions.waiting[0] ?? assert.fail());
    };
    fake.answer = (draft) => {
      draft.request = userSays('Bonjour');
      return 'later';
    };
    const first = sample(fake);
    await waitUntil('the question to wait', () => fake.questions.waiting.length === 1);
    fake.answer = () => 'session';
    await sample(fake, userSays('Next'));
    fake.judge = (draft) => {
      draft.isEdited = true;
      return fake.reviews.length === 2 ? 'later' : 'send';
    };
    await reopened();
    await waitUntil('the review', () => fake.reviews.length === 2);
    await reopened();
    await first;
    assert.deepEqual(fake.approvals[2]?.request, userSays('Bonjour'));
    assert.equal(fake.reviews[2]?.isEdited, true);
    assert.match(JSON.stringify(fake.model.requests.at(-1)), /Bonjour/u);
  });

  it('SAMP-03: what is sent is what the user edited', async () => {
    const fake = new FakeSampling();
    fake.answer = (draft) => {
      draft.request = userSays('Bonjour', { maxTokens: 3 });
      return 'once';
    };
    const { content, stopReason } = await sample(fake, userSays('Hi'));
    assert.match(JSON.stringify(fake.model.requests[0]?.messages), /Bonjour/);
    assert.deepEqual([content, stopReason], [{ type: 'text', text: 'Hel' }, 'maxTokens']);
  });

  it('SAMP-04: the answer can be edited or discarded', async () => {
    const fake = new FakeSampling();
    const edited = { type: 'text', text: 'Edited' } as const;
    fake.judge = (draft) => {
      draft.answer = { ...draft.answer, content: [edited] };
      return 'send';
    };
    assert.deepEqual((await sample(fake)).content, edited);
    fake.judge = () => 'discard';
    assert.equal((await refusal(sample(fake))).code, -1);
  });

  it('SAMP-04, SAMP-16: the stop reason is that of the answer as it was edited', async () => {
    const fake = new FakeSampling();
    const call = { kind: 'toolCall', callId: 'c1', tool: 'echo', input: {} } as const;
    const use = { type: 'tool_use', id: 'c1', name: 'echo', input: {} } as const;
    const said = { type: 'text', text: 'No' } as const;
    for (const [part, edited, stopReason] of [
      [call, said, 'endTurn'],
      [{ kind: 'text', text: 'No' }, use, 'toolUse'],
    ] as const) {
      fake.model.parts = [part];
      fake.judge = (draft) => {
        draft.answer = { ...draft.answer, content: [edited] };
        return 'send';
      };
      const { content, stopReason: sent } = await sample(fake);
      assert.deepEqual([content, sent], [edited, stopReason]);
    }
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

  it('APP-75: each request of an app is asked about and reviewed, whatever its server may', async () => {
    const fake = new FakeSampling();
    fake.answer = () => 'always';
    fake.isTrusted = true;
    await fake.settings.setAnswerUnseen(notes, true);
    await sample(fake);
    assert.deepEqual([fake.approvals.length, fake.reviews.length], [1, 0]);
    fake.answer = () => 'once';
    const signal = new AbortController().signal;
    const context = { signal, revision: newest, caller: 'app' } as const;
    await fake.sampling.sample(notes, userSays('Hi'), context);
    assert.deepEqual([fake.approvals.length, fake.reviews.length], [2, 1]);
    const { caller, isAnswerReviewed } = fake.approvals.at(-1) ?? {};
    assert.deepEqual({ caller, isAnswerReviewed }, { caller: 'app', isAnswerReviewed: true });
    fake.answer = () => 'deny';
    await refusal(fake.sampling.sample(notes, userSays('Hi'), context));
    assert.deepEqual(
      fake.audit.map(({ caller: by, outcome }) => `${by} ${outcome}`),
      ['server allowed', 'app allowed', 'app denied'],
    );
  });

  it('SAMP-09, SAMP-13: the model that the user chose answers, and is remembered with the yes', async () => {
    const fake = new FakeSampling();
    const model = new ScriptedModel('other');
    fake.models = [fake.model, model];
    fake.answer = (draft) => {
      assert.deepEqual(draft.choice.because, { kind: 'hint', hint: 'fake' });
      draft.choice = { model, because: { kind: 'user' } };
      return 'always';
    };
    const request = userSays('Hi', { modelPreferences: { hints: [{ name: 'fake' }] } });
    assert.equal((await sample(fake, request)).model, 'other');
    assert.equal((await sample(fake, request)).model, 'other');
    assert.equal(fake.approvals.length, 1);
  });

  it('SAMP-05, SAMP-09: a yes for the model that the user chose is none for another', async () => {
    const fake = new FakeSampling();
    const [chosen, third] = [new ScriptedModel('chosen'), new ScriptedModel('third')];
    fake.models = [fake.model, chosen];
    fake.answer = (draft) => {
      draft.choice = { model: chosen, because: { kind: 'user' } };
      return 'always';
    };
    await sample(fake);
    fake.models = [fake.model, third];
    fake.answer = () => 'always';
    assert.equal((await sample(fake)).model, 'fake');
    assert.equal(fake.approvals.length, 2);
    const request = userSays('Hi', { modelPreferences: { hints: [{ name: 'third' }] } });
    assert.equal((await sample(fake, request)).model, 'fake');
    assert.equal(fake.approvals.length, 2);
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
    const reason = 'fake: quota of ada@example.com';
    fake.model.parts = [() => Promise.reject(new McpError('unsupported', reason))];
    assert.deepEqual(await refusal(sample(fake)), {
      code: -32603,
      message: 'The language model failed',
    });
    assert.deepEqual(fake.notices, [{ kind: 'failed', reason }]);
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
    await sample(fake, userSays('my secret', { includeContext: 'allServers' }));
    const lines = fake.logs.lines.join('\n');
    assert.match(lines, /allServers/);
    assert.ok(!lines.includes('my secret'));
  });
});

describe('Sampling: budgets', () => {
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
    const [spent, ...others] = fake.notices;
    assert.ok(spent?.kind === 'spent' && others.length === 0);
    assert.equal(fake.approvals.length, 1);
    await sample(fake, userSays('Hi'), { server: stdioServer('other') });
    spent.allowMore();
    assert.equal(fake.budget.tokensLeft(notes.id), samplingLimits.tokensPerSession);
    assert.equal(fake.budget.tokensUsed(notes.id), samplingLimits.tokensPerSession);
    await sample(fake);
    fake.budget.spend(notes.id, samplingLimits.tokensPerSession);
    await refusal(sample(fake));
    assert.equal(fake.notices.length, 2);
  });

  it('SAMP-19, SAMP-21: a loop of tool calls ends with the budget of its server, also where nobody is asked', async () => {
    const fake = new FakeSampling();
    fake.answer = () => 'session';
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

  it('SAMP-21: what came before a cancellation or an error counts, too', async () => {
    const fake = new FakeSampling();
    const controller = new AbortController();
    const text: ModelPart = { kind: 'text', text: 'x'.repeat(400) };
    fake.model.parts = [text, aborting(controller)];
    await assert.rejects(
      sample(fake, userSays('1234'), { signal: controller.signal }),
      isCancelled,
    );
    assert.equal(fake.budget.tokensUsed(notes.id), 104);
    const input = { text: 'x'.repeat(389) };
    const call: ModelPart = { kind: 'toolCall', callId: 'c1', tool: 'echo', input };
    fake.model.parts = [call, () => Promise.reject(new Error('no quota'))];
    await refusal(sample(fake, userSays('1234')));
    assert.equal(fake.budget.tokensUsed(notes.id), 208);
  });

  it('SAMP-21: tools and images of a request count', async () => {
    const fake = new FakeSampling();
    fake.model.parts = [];
    const tools = [{ name: 'echo', inputSchema: { type: 'object' } }];
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;
    await sample(fake, {
      ...userSays('', { tools }),
      messages: [{ role: 'user', content: image }],
    });
    const [tool] = fake.model.requests[0]?.tools ?? [];
    assert.equal(fake.budget.tokensUsed(notes.id), 1_000 + JSON.stringify(tool).length);
  });

  it('SAMP-21: no more than a few wait for an answer at once', async () => {
    const fake = new FakeSampling();
    const held = holding(fake);
    const open = Array.from({ length: samplingLimits.atOnce }, () => sample(fake));
    const { message } = await refusal(sample(fake));
    assert.match(message, /^Too many sampling requests: 3 are open/u);
    assert.deepEqual(fake.notices, [{ kind: 'tooManyOpen', open: 3 }]);
    held.resolve('deny');
    await Promise.allSettled(open);
  });

  it('SAMP-21: requests side by side share what is left', async () => {
    const fake = new FakeSampling();
    fake.answer = () => 'session';
    fake.budget.spend(notes.id, samplingLimits.tokensPerSession - 50);
    fake.model.parts = [{ kind: 'text', text: 'x'.repeat(1_000) }];
    await Promise.allSettled([sample(fake), sample(fake), sample(fake)]);
    assert.equal(fake.budget.tokensLeft(notes.id), 0);
  });

  it('a request beyond what is left, or beyond the model, is not sent', async () => {
    const fake = new FakeSampling();
    fake.budget.spend(notes.id, samplingLimits.tokensPerSession - 5);
    await refusal(sample(fake, userSays('12345')));
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
    const withdrawal = new AbortController();
    const held = holding(fake);
    const sampled = sample(fake, userSays('Hi'), { signal: withdrawal.signal });
    await waitUntil('the question', () => fake.approvals.length === 1);
    withdrawal.abort();
    await assert.rejects(sampled, isCancelled);
    assert.deepEqual(fake.notices, []);
    held.resolve('always');
    await turns();
    assert.deepEqual(fake.notices, [{ kind: 'withdrawn' }]);
    assert.equal(fake.settings.allowance(notes), undefined);
    assert.deepEqual(fake.model.requests, []);
  });

  it('CANC-03: withdrawn while the model answers, it stops and nobody reviews', async () => {
    const fake = new FakeSampling();
    const controller = new AbortController();
    fake.model.parts = [aborting(controller)];
    await assert.rejects(sample(fake, userSays('Hi'), { signal: controller.signal }), isCancelled);
    assert.equal(fake.model.isStopped, true);
    assert.deepEqual([fake.reviews, fake.notices], [[], []]);
  });

  it('CANC-03: withdrawn during the review, the answer stays here', async () => {
    const fake = new FakeSampling();
    const withdrawal = new AbortController();
    fake.judge = () => {
      withdrawal.abort();
      return 'send';
    };
    await assert.rejects(sample(fake, userSays('Hi'), { signal: withdrawal.signal }), isCancelled);
    await turns();
    assert.deepEqual(fake.notices, [{ kind: 'withdrawn' }]);
  });

  it('one question at a time: a session that is allowed meanwhile spares the next', async () => {
    const fake = new FakeSampling();
    const held = holding(fake);
    const both = [sample(fake), sample(fake)];
    await turns();
    held.resolve('session');
    await Promise.all(both);
    assert.equal(fake.approvals.length, 1);
  });
});

describe('Audit of sampling', () => {
  it('HOST-07: each request with its model and sizes, by hand or by rule, and no word of it', async () => {
    const fake = new FakeSampling();
    fake.answer = () => 'deny';
    await refusal(sample(fake));
    fake.answer = () => 'session';
    await sample(fake, userSays('hunter2'));
    await sample(fake);
    fake.judge = () => 'discard';
    await refusal(sample(fake));
    fake.models = [];
    await refusal(sample(fake));
    assert.deepEqual(
      fake.audit.map(({ event, server, model = '', outcome, by, because = '', code = '' }) =>
        [event, server, model, outcome, by, because, code].join(' '),
      ),
      [
        'sampling notes  denied hand  ',
        'sampling notes fake allowed hand  ',
        'sampling notes fake allowed rule session ',
        'sampling notes fake denied hand session ',
        'sampling notes  refused rule  -32603',
      ],
    );
    assert.deepEqual(
      fake.audit.map(({ resultSize = 0 }) => resultSize > 0),
      [false, true, true, false, false],
    );
    assert.doesNotMatch(JSON.stringify(fake.audit), /hunter2|Hello/);
  });
});
