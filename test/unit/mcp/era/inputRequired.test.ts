import assert from 'node:assert/strict';
import type { ClientFeatures } from '../../../../src/mcp/session/session.ts';
import { McpError, RpcError } from '../../../../src/mcp/errors.ts';
import type { FakeTransport } from '../../../support/fakeTransport.ts';
import { openedModern } from '../../../support/modernSession.ts';
import { turns, waitUntil } from '../../../support/waitUntil.ts';

type Params = Readonly<Record<string, unknown>>;

const form = {
  method: 'elicitation/create',
  params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
};
const link = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Pay', url: 'https://example.com/' },
};
const sampling = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 5 },
};
const sampled = {
  role: 'assistant',
  content: { type: 'text', text: 'Yo' },
  model: 'demo',
} as const;

const all: ClientFeatures = {
  listRoots: async () => [{ uri: 'file:///a' }, { uri: 'vscode-vfs://b' }],
  elicit: async (request) =>
    request.mode === 'form' ? { action: 'accept', content: { name: 'Ann' } } : { action: 'accept' },
  sample: async () => sampled,
};

const ask = (inputRequests: unknown, requestState?: unknown): Params => ({
  resultType: 'input_required',
  inputRequests,
  requestState,
});

/** Answers `tools/call` with these, one after the other, then with a result. */
function answering(transport: FakeTransport, ...answers: readonly Params[]): void {
  const rest = [...answers];
  transport.respond('tools/call', () => rest.shift() ?? { content: [] });
}

async function opened(features: ClientFeatures = all) {
  const { transport, session } = await openedModern({}, { features });
  return {
    transport,
    session,
    call: (signal?: AbortSignal) =>
      session.call('tools/call', { name: 'x', arguments: { a: 1 } }, signal ? { signal } : {}),
    /** The params of each `tools/call`, without `_meta`. */
    sent: () =>
      transport.sentOf('tools/call').map(({ params }) => {
        const { _meta, ...rest } = params ?? {};
        assert.ok(_meta, 'the envelope is on every leg');
        return rest;
      }),
  };
}

const declining = async () => ({ action: 'decline', content: { a: 1 } }) as const;

/** Asks at first. */
function askingOnce(result: Params): () => Params {
  let isFirst = true;
  return () => {
    const answer = isFirst ? ask({ f: form }) : result;
    isFirst = false;
    return answer;
  };
}

const first = { name: 'x', arguments: { a: 1 } };

describe('input_required', () => {
  it('MRTR-05, MRTR-07, MRTR-08, MRTR-10, MRTR-12, MRTR-13: answers every question and sends the call again', async () => {
    const { transport, call, sent } = await opened();
    const requestState = '{"b":1, "a":"\\u00e9☃"}  ';
    answering(
      transport,
      ask({ f: form, l: link, s: sampling, r: { method: 'roots/list' } }, requestState),
    );
    assert.deepEqual(await call(), { content: [] });
    assert.deepEqual(sent(), [
      first,
      {
        ...first,
        inputResponses: {
          f: { action: 'accept', content: { name: 'Ann' } },
          l: { action: 'accept' },
          s: sampled,
          r: { roots: [{ uri: 'file:///a' }] },
        },
        requestState,
      },
    ]);
    const [one, two] = transport.sentOf('tools/call');
    assert.notEqual(one?.id, two?.id);
  });

  it('MRTR-09, MRTR-14: nothing of an earlier round is sent again', async () => {
    const { transport, call, sent } = await opened();
    answering(transport, ask({ f: form }, 'one'), ask({ s: sampling }), ask({ f: form }, ''));
    await call();
    assert.deepEqual(
      sent().map(({ inputResponses, requestState }) => [
        Object.keys(inputResponses ?? {}),
        requestState,
      ]),
      [
        [[], undefined],
        [['f'], 'one'],
        [['s'], undefined],
        [['f'], ''],
      ],
    );
  });

  it('MRTR-06: state alone is sent back after a pause', async () => {
    const { transport, call, sent } = await opened();
    answering(transport, ask(undefined, 'later'), ask({}, 'later still'));
    const before = performance.now();
    await call();
    assert(performance.now() - before > 700);
    assert.deepEqual(sent().slice(1), [
      { ...first, requestState: 'later' },
      { ...first, requestState: 'later still' },
    ]);
  });

  const broken: readonly (readonly [string, Params])[] = [
    ['MRTR-03: neither questions nor state', ask(undefined)],
    ['MRTR-03: no questions and no state', ask({})],
    ['MRTR-03: questions that are no object', ask([form], 's')],
    ['MRTR-07: a state that is no string', ask({ f: form }, 7)],
    ['MRTR-02: another method', ask({ f: form, x: { method: 'tools/list' } })],
    ['MRTR-02: no method', ask({ f: {} })],
    ['params that make no sense', ask({ f: { method: 'elicitation/create' } })],
  ];
  for (const [name, answer] of broken) {
    it(`${name}: the call fails, nothing is sent`, async () => {
      const { transport, call } = await opened();
      answering(transport, answer);
      await assert.rejects(call(), { code: 'protocol' });
      assert.equal(transport.sentOf('tools/call').length, 1);
    });
  }

  it('MRTR-04, SAM-03: what was not declared is shown to nobody', async () => {
    let asked = 0;
    const elicit = async () => {
      asked++;
      return { action: 'decline' } as const;
    };
    const { transport, call } = await opened({ elicit });
    answering(transport, ask({ f: form, s: sampling }));
    await assert.rejects(call(), { code: 'protocol', message: /"sampling\/createMessage"/u });
    assert.equal(asked, 0);
  });

  it('MRTR-15: gives up after ten rounds', async () => {
    const { transport, call } = await opened();
    transport.respond('tools/call', () => ask({ f: form }));
    await assert.rejects(call(), { code: 'protocol', message: /10 times/u });
    assert.equal(transport.sentOf('tools/call').length, 10);
  });

  it('ELI-10: a question that the user declines is answered so', async () => {
    const { transport, call, sent } = await opened({ elicit: declining });
    answering(transport, ask({ f: form }));
    await call();
    assert.deepEqual(sent()[1]?.['inputResponses'], { f: { action: 'decline' } });
  });

  const refusals: readonly (readonly [string, Error, string])[] = [
    ['by the user', new RpcError(-1, 'User rejected sampling request'), 'denied'],
    ['by a limit', new RpcError(-32603, 'Too many'), 'denied'],
    ['by a rule', new McpError('denied', 'no'), 'denied'],
    ['because it makes no sense', new RpcError(-32602, 'Invalid params'), 'protocol'],
    ['by a handler that fails', new TypeError('odd'), 'denied'],
  ];
  for (const [name, error, code] of refusals) {
    it(`MRTR-16, SAM-15: what is refused ${name} ends the call, and nothing is sent`, async () => {
      const { transport, call } = await opened({
        ...all,
        sample: () => Promise.reject(error),
      });
      answering(transport, ask({ s: sampling }, 'state'));
      await assert.rejects(call(), { code });
      assert.equal(transport.sentOf('tools/call').length, 1);
    });
  }

  it('MRTR-16: after a refusal, the other questions of the call are not asked', async () => {
    const { transport, call } = await opened({
      elicit: () => assert.fail('is asked'),
      sample: () => Promise.reject(new RpcError(-1, 'no')),
    });
    answering(transport, ask({ s: sampling, f: form }));
    await assert.rejects(call(), { code: 'denied', message: /: no$/u });
  });

  it('MRTR-05: asks one after the other: hosts limit how much a server may ask at once', async () => {
    let open = 0;
    const { transport, call, sent } = await opened({
      elicit: async () => {
        open += 1;
        assert.equal(open, 1);
        await turns();
        open -= 1;
        return { action: 'decline' };
      },
    });
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
    answering(transport, ask(Object.fromEntries(keys.map((key) => [key, form]))));
    await call();
    assert.deepEqual(Object.keys(Object(sent()[1]?.['inputResponses'])), keys);
  });

  it('MRTR-11: calls at the same time keep their questions and states apart', async () => {
    const { transport, session, sent } = await opened();
    transport.respond('tools/call', ({ name, inputResponses }) =>
      inputResponses === undefined
        ? ask({ [String(name)]: form }, `state of ${String(name)}`)
        : { content: [] },
    );
    const names = ['a', 'b', 'c'];
    await Promise.all(names.map((name) => session.call('tools/call', { name })));
    for (const name of names) {
      const retry = sent().find((params) => params['name'] === name && 'requestState' in params);
      assert.equal(retry?.['requestState'], `state of ${name}`);
      assert.deepEqual(Object.keys(Object(retry?.['inputResponses'])), [name]);
    }
  });

  it('MRTR-17: while the user thinks, no request is open and no limit runs', async () => {
    const { transport, session } = await opened({
      elicit: () => new Promise((resolve) => setTimeout(() => resolve({ action: 'cancel' }), 120)),
    });
    answering(transport, ask({ f: form }));
    const times = { idleMs: 60, totalMs: 60 };
    await session.call('tools/call', { name: 'x' }, { times });
    assert.deepEqual(transport.sentOf('notifications/cancelled'), []);
  });

  it('MRTR-17: a call runs while its input is asked for, also to be cancelled', async () => {
    const { transport, session } = await opened({ elicit: () => new Promise(() => undefined) });
    const running = () => [...session.inFlight.running()];
    const others = running().length;
    transport.respond('prompts/get', () => ask({ f: form }));
    const call = session.call('prompts/get', { name: 'p' }, { origin: 'a person' });
    const began = running().at(-1)?.startedAt ?? assert.fail('does not run');
    await waitUntil('the question', () => running().some(({ dueAt }) => dueAt === Infinity));
    const [one, ...rest] = running();
    assert.equal(rest.length, others);
    assert.deepEqual(
      [one?.method, one?.params, one?.origin],
      ['prompts/get', { name: 'p' }, 'a person'],
    );
    assert.ok(Math.abs((one?.startedAt ?? 0) - began) < 100);
    one?.cancel();
    await assert.rejects(call, { code: 'cancelled' });
    assert.equal(running().length, others);
  });

  it('cancelling the call closes the question; nothing is sent after it', async () => {
    const controller = new AbortController();
    let signal: AbortSignal | undefined;
    const { transport, call } = await opened({
      elicit: (_request, context) => {
        ({ signal } = context);
        controller.abort();
        return new Promise(() => undefined);
      },
    });
    answering(transport, ask({ f: form }, 's'));
    await assert.rejects(call(controller.signal), { code: 'cancelled' });
    assert.equal(signal?.aborted, true);
    assert.deepEqual(transport.events, ['server/discover', 'tools/call']);
  });

  it('cancelling between two tries ends the pause', async () => {
    const controller = new AbortController();
    const { transport, call } = await opened();
    transport.respond('tools/call', () => {
      setImmediate(() => controller.abort());
      return ask(undefined, 's');
    });
    await assert.rejects(call(controller.signal), { code: 'cancelled' });
    assert.equal(transport.sentOf('tools/call').length, 1);
  });

  it('the end of the connection closes the question', async () => {
    let signal: AbortSignal | undefined;
    const { transport, call } = await opened({
      elicit: (_request, context) => {
        ({ signal } = context);
        setImmediate(() => transport.end());
        return new Promise(() => undefined);
      },
    });
    answering(transport, ask({ f: form }));
    await assert.rejects(call(), { code: 'closed' });
    assert.equal(signal?.aborted, true);
  });

  it('RES-06, PRM-05: reading a resource and getting a prompt may ask as well', async () => {
    const { transport, session } = await opened();
    transport.respond('resources/read', askingOnce({ contents: [] }));
    transport.respond('prompts/get', askingOnce({ messages: [] }));
    await session.call('resources/read', { uri: 'a:1' });
    await session.call('prompts/get', { name: 'p' });
    assert.deepEqual(transport.events.slice(1), [
      'resources/read',
      'resources/read',
      'prompts/get',
      'prompts/get',
    ]);
  });
});
