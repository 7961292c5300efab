import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ArgumentCompletion } from '../../../../src/host/resources/argumentCompletion.ts';
import { type PromptServer, resolvePrompt } from '../../../../src/host/prompts/resolvePrompt.ts';
import { McpError, RpcError } from '../../../../src/mcp/errors.ts';
import type { Prompt } from '../../../../src/mcp/types/lists.ts';
import { type Answers, FakeSession } from '../../../support/fakeSession.ts';

const never = new AbortController().signal;
const ref = { type: 'ref/prompt', name: 'plan' } as const;
const prompt: Prompt = {
  name: 'plan',
  arguments: [{ name: 'city', required: true }, { name: 'days' }],
};

function serverWith(answers: Answers): PromptServer & { readonly session: FakeSession } {
  const session = new FakeSession({ prompts: {}, completions: {} }, answers);
  return {
    session,
    config: { name: 'travel' },
    withSession: (use, signal) => use(session, signal),
  };
}

describe('resolvePrompt', () => {
  it('PRM-02, PROM-03: sends what was given as texts, and no empty optional argument', async () => {
    const sent: unknown[] = [];
    const server = serverWith({
      'prompts/get': (params) => {
        sent.push(params);
        return { messages: [{ role: 'user', content: { type: 'text', text: 'Go' } }] };
      },
    });
    const result = await resolvePrompt(server, prompt, { city: 'Paris', days: '' }, never);
    assert.equal(result.messages.length, 1);
    await resolvePrompt(server, { name: 'plain' }, {}, never);
    assert.deepEqual(sent, [{ name: 'plan', arguments: { city: 'Paris' } }, { name: 'plain' }]);
  });

  it('PROM-07, PRM-04, PROM-08: asks the server nothing while a required argument is missing', async () => {
    const server = serverWith({});
    await assert.rejects(resolvePrompt(server, prompt, { days: '3' }, never), {
      code: 'invalidInput',
      message: 'The prompt "plan" needs a value for: city',
    });
    assert.deepEqual(server.session.calls, []);
  });

  it('PROM-08: names server and prompt in the error of the server, and keeps its code', async () => {
    const server = serverWith({
      'prompts/get': () => {
        throw new RpcError(-32602, 'no such city');
      },
    });
    await assert.rejects(resolvePrompt(server, prompt, { city: 'x' }, never), {
      rpcCode: -32602,
      message: 'The server "travel" did not return the prompt "plan": no such city',
    });
  });
});

describe('ArgumentCompletion', () => {
  it('COMP-02, COMP-03, CMP-01, CMP-02: asks by the name of the prompt, with the values chosen before and no empty ones', async () => {
    const asked: unknown[] = [];
    const server = serverWith({
      'completion/complete': (params) => {
        asked.push(params);
        return { completion: { values: ['Paris', 'Parma'], total: 5 } };
      },
    });
    const completion = new ArgumentCompletion(server, ref);
    const values = { country: 'FR', city: 'Lyon', days: '' };
    const found = await completion.suggest('city', 'Pa', values, never);
    assert.deepEqual(found, { values: ['Paris', 'Parma'], hasMore: true });
    await completion.suggest('city', '', {}, never);
    assert.deepEqual(asked, [
      {
        ref: { type: 'ref/prompt', name: 'plan' },
        argument: { name: 'city', value: 'Pa' },
        context: { arguments: { country: 'FR' } },
      },
      { ref: { type: 'ref/prompt', name: 'plan' }, argument: { name: 'city', value: '' } },
    ]);
  });

  it('COMP-04, CMP-03: shows no more than 100 values and says that there are more', async () => {
    const server = serverWith({
      'completion/complete': () => ({
        completion: { values: Array.from({ length: 150 }, (_, index) => String(index)) },
      }),
    });
    const found = await new ArgumentCompletion(server, ref).suggest('city', '', {}, never);
    assert.equal(found.values.length, 100);
    assert.equal(found.hasMore, true);
  });

  it('COMP-05, COMP-06, CMP-03, CMP-04: asks the same question once', async () => {
    const server = serverWith({
      'completion/complete': () => ({ completion: { values: ['a'] } }),
    });
    const completion = new ArgumentCompletion(server, ref);
    await completion.suggest('city', 'a', {}, never);
    await completion.suggest('city', 'a', {}, never);
    assert.equal(server.session.calls.length, 1);
  });

  it('COMP-05: falls silent for a server that completes nothing', async () => {
    const server = serverWith({
      'completion/complete': () => {
        throw new McpError('unsupported', 'no completions');
      },
    });
    const completion = new ArgumentCompletion(server, ref);
    assert.deepEqual(await completion.suggest('city', 'a', {}, never), {
      values: [],
      hasMore: false,
    });
    await completion.suggest('city', 'ab', {}, never);
    assert.equal(server.session.calls.length, 1);
  });

  it('lets a suggestion go that nobody waits for any more', async () => {
    const giveUp = new AbortController();
    const server = serverWith({
      'completion/complete': () => {
        giveUp.abort();
        throw new McpError('cancelled', 'typed on');
      },
    });
    const completion = new ArgumentCompletion(server, ref);
    await assert.rejects(completion.suggest('city', 'a', {}, giveUp.signal), { code: 'cancelled' });
  });
});
