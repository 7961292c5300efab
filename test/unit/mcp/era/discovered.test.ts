import assert from 'node:assert/strict';
import { DiscoveredServer } from '../../../../src/mcp/era/discovered.ts';
import type { ServerChange, Session } from '../../../../src/mcp/session/session.ts';
import { HttpError, RpcError } from '../../../../src/mcp/errors.ts';
import type { RequestId } from '../../../../src/mcp/types/message.ts';
import { deferred } from '../../../support/deferred.ts';
import { type FakeTransport, noReply } from '../../../support/fakeTransport.ts';
import { discoverResult, openedModern, subscriptionKey } from '../../../support/modernSession.ts';
import { turns, waitUntil } from '../../../support/waitUntil.ts';

const tools = { tools: { listChanged: true } };

interface Lapsed {
  readonly transport: FakeTransport;
  readonly session: Session;
  readonly changes: ServerChange[];
}

/** A session with a server whose word held for a millisecond, which is over. */
async function lapsed(later: object): Promise<Lapsed> {
  const { transport, session } = await openedModern({ capabilities: tools, ttlMs: 1 });
  const changes: ServerChange[] = [];
  session.onDidChange((change) => changes.push(change));
  transport
    .respond('server/discover', () => discoverResult({ capabilities: tools, ...later }))
    .respond('tools/list', () => ({ tools: [] }))
    .respond('prompts/list', () => ({ prompts: [] }));
  transport.respond('subscriptions/listen', (params, { id }) => {
    acknowledge(transport, id, params['notifications']);
    return noReply;
  });
  const [first] = transport.sentOf('subscriptions/listen');
  acknowledge(transport, first?.id ?? '', first?.params?.['notifications']);
  const since = performance.now();
  await waitUntil('the time to be over', () => performance.now() > since + 2);
  return { transport, session, changes };
}

function acknowledge(transport: FakeTransport, id: RequestId, notifications: unknown): void {
  const method = 'notifications/subscriptions/acknowledged';
  transport.push({ method, params: { _meta: { [subscriptionKey]: id }, notifications } });
}

const asked = (transport: FakeTransport): number => transport.sentOf('server/discover').length;

describe('what a server says of itself', () => {
  it('DISC-07, CACHE-04: is asked for again with the next request after its time, once', async () => {
    const { transport, session, changes } = await lapsed({ ttlMs: 60_000 });
    assert.equal(asked(transport), 1, 'no timer asks');
    await Promise.all([session.call('tools/list', {}), session.call('tools/list', {})]);
    await session.call('tools/list', {});
    assert.equal(asked(transport), 2);
    assert.deepEqual(changes, []);
  });

  it('DISC-07: without a time it counts for as long as the conversation', async () => {
    const { transport, session } = await openedModern({ ttlMs: 0 });
    transport.respond('tools/list', () => ({ tools: [] }));
    await session.call('tools/list', {});
    assert.equal(asked(transport), 1);
  });

  it('DISC-04, DISC-07: what it offers by now may be called, and everybody is told', async () => {
    const capabilities = { ...tools, prompts: {} };
    const { session, changes } = await lapsed({ capabilities, instructions: 'Anew.' });
    assert.deepEqual((await session.call('prompts/list', {})).prompts, []);
    assert.deepEqual(session.server.capabilities, capabilities);
    assert.equal(session.server.instructions, 'Anew.');
    assert.deepEqual(
      changes.map(({ kind }) => kind),
      ['tools', 'prompts', 'resources'],
    );
  });

  it('SUB-01, SUB-08: listens to what has come to tell of its changes', async () => {
    const capabilities = { ...tools, prompts: { listChanged: true } };
    const { transport, session } = await lapsed({ capabilities });
    await session.call('prompts/list', {});
    await turns();
    const last = transport.sentOf('subscriptions/listen').at(-1)?.params;
    assert.deepEqual(last?.['notifications'], {
      toolsListChanged: true,
      promptsListChanged: true,
    });
  });

  for (const [what, answer] of [
    ['a failure', new RpcError(-32_603, 'not now')],
    ['what is no answer', {}],
  ] as const) {
    it(`CACHE-07: ${what} leaves what was known, for a while`, async () => {
      const { transport, session } = await lapsed({});
      transport.respond('server/discover', () => {
        if (answer instanceof Error) throw answer;
        return answer;
      });
      await session.call('tools/list', {});
      await session.call('tools/list', {});
      assert.deepEqual(session.server.capabilities, tools);
      assert.equal(asked(transport), 2);
    });
  }

  it('ERA-06: a server that has left the revision ends the conversation, with the reason', async () => {
    const { session } = await lapsed({ supportedVersions: ['2031-01-01'] });
    const reasons: unknown[] = [];
    session.onDidClose((reason) => reasons.push(reason));
    await session.call('tools/list', {}).catch(() => undefined);
    await waitUntil('the end', () => reasons.length > 0);
    assert.match(JSON.stringify(reasons[0], messageOf), /2031-01-01/u);
  });
});

describe('a server that is not found when it is asked anew', () => {
  const gone = new HttpError('http', 404, 'no');
  let lost: unknown[];
  let answers: ReturnType<typeof deferred<unknown>>[];
  let server: DiscoveredServer;

  beforeEach(async () => {
    lost = [];
    answers = [];
    const result = { ...discoverResult({ ttlMs: 1 }) };
    const channel = { label: 'Streamable HTTP', wire: 'http' } as const;
    server = new DiscoveredServer(
      channel,
      { revision: '2026-07-28', result },
      {
        ask: () => {
          const answer = deferred<unknown>();
          answers.push(answer);
          return answer.promise;
        },
        changed: () => undefined,
        lost: (reason) => lost.push(reason),
        diagnose: () => undefined,
      },
    );
    const since = performance.now();
    await waitUntil('the time to be over', () => performance.now() > since + 2);
  });

  for (const status of [400, 404, 405, 410]) {
    it(`ERA-06: is not lost for an answer ${status} that came only because it was time`, async () => {
      const renewal = server.renew();
      answers[0]?.reject(new HttpError('http', status, 'no'));
      await renewal;
      assert.deepEqual(lost, []);
    });
  }

  it('ERA-06: is lost where a request found none before', async () => {
    server.confirm();
    answers[0]?.reject(gone);
    await server.renew();
    assert.deepEqual(lost, [gone]);
  });

  it('ERA-06: is lost where a request found none while it was asked', async () => {
    const renewal = server.renew();
    server.confirm();
    answers[0]?.reject(gone);
    await renewal;
    assert.equal(answers.length, 1);
    assert.deepEqual(lost, [gone]);
  });

  it('ERA-06: is not lost for a doubt that was dispelled', async () => {
    server.confirm();
    answers[0]?.resolve(discoverResult({ ttlMs: 1 }));
    await server.renew();
    const since = performance.now();
    await waitUntil('the time to be over', () => performance.now() > since + 2);
    const renewal = server.renew();
    answers[1]?.reject(gone);
    await renewal;
    assert.equal(answers.length, 2);
    assert.deepEqual(lost, []);
  });
});

function messageOf(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}
