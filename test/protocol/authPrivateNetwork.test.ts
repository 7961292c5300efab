/** Public servers that lead into the network of the user to sign in: the user is asked before anything goes there. */
import assert from 'node:assert/strict';
import { QuestionQueue } from '../../src/host/questions/questionQueue.ts';
import { AccountAccess } from '../../src/host/signIn/accountAccess.ts';
import { createAuthorizer } from '../../src/host/signIn/signInConversation.ts';
import { HttpScripted } from '../servers/httpScripted.ts';
import { closedAfterTest } from '../support/closing.ts';
import { FakeMemory } from '../support/fakeApprovals.ts';
import { memoryStore, userEntry } from '../support/memoryStore.ts';
import { ScriptedUi } from '../support/signInHarness.ts';

const { signal } = new AbortController();

describe('a public server that leads into a private network', () => {
  let inside: HttpScripted;
  let url: string;

  beforeEach(async () => {
    inside = closedAfterTest(await new HttpScripted(() => undefined).start());
    url = `https://127.0.0.1:${inside.port}/metadata`;
  });

  /** The refusal of a server that is at an address for documentation, and is itself never contacted. */
  const refusing = (
    ui: ScriptedUi,
    store = memoryStore(),
  ): ((mayAsk: boolean) => Promise<boolean>) => {
    let mayAskNow = false;
    const authorizer = createAuthorizer(
      {
        server: { id: 'user:notes', name: 'notes' },
        serverUrl: new URL('https://203.0.113.7/mcp'),
        owner: userEntry,
        mayAsk: () => mayAskNow,
        waiting: (run, own) => run(own),
        settings: { grant: { kind: 'authorizationCode' }, dpop: false },
        allowsOriginFallback: false,
        store,
        readSecret: () => Promise.reject(new Error('no file is named')),
        log: () => undefined,
        onTokens: () => undefined,
        onSecrets: () => undefined,
      },
      {
        ui,
        questions: new QuestionQueue(),
        accounts: new AccountAccess(new FakeMemory()),
        clientName: 'MCP Host',
      },
    );
    return async (mayAsk) => {
      mayAskNow = mayAsk;
      const wwwAuthenticate = `Bearer resource_metadata="${url}"`;
      const refusal = { status: 401, wwwAuthenticate, sent: undefined, attempt: 0 };
      return authorizer.onRefused(refusal, signal);
    };
  };

  it('SEC-05 (legacy): asks with the address, and contacts nothing after a no', async () => {
    const ui = new ScriptedUi();
    await assert.rejects(refusing(ui)(true), {
      code: 'unauthorized',
      message: /was not contacted: its address is in a private network/u,
    });
    assert.deepEqual(ui.privateAddresses, [new URL(url).origin]);
    assert.equal(inside.accepted, 0);
  });

  it('SEC-05 (legacy): goes there after a yes', async () => {
    const ui = new ScriptedUi();
    ui.allowsPrivateAddresses = true;
    await assert.rejects(refusing(ui)(true), { code: 'unreachable' });
    assert.equal(inside.accepted, 1);
  });

  it('SEC-05, SEC-10 (legacy): neither asks nor goes there when nobody asked for the start', async () => {
    const ui = new ScriptedUi();
    await assert.rejects(refusing(ui)(false), { code: 'signInNeeded' });
    assert.deepEqual([ui.privateAddresses.length, inside.accepted], [0, 0]);
  });

  it('SEC-05 (legacy): asks when it may, although nobody could be asked before', async () => {
    const ui = new ScriptedUi();
    ui.allowsPrivateAddresses = true;
    const refuse = refusing(ui);
    await assert.rejects(refuse(false), { code: 'signInNeeded' });
    await assert.rejects(refuse(true), { code: 'unreachable' });
    assert.deepEqual(ui.privateAddresses, [new URL(url).origin]);
  });

  it('SEC-05 (legacy): asks again after a no', async () => {
    const ui = new ScriptedUi();
    const refuse = refusing(ui);
    await assert.rejects(refuse(true), { code: 'unauthorized' });
    ui.allowsPrivateAddresses = true;
    await assert.rejects(refuse(true), { code: 'unreachable' });
    assert.equal(inside.accepted, 1);
  });

  it('SEC-05 (legacy): keeps a yes for other windows, which nobody asks, and for this address alone', async () => {
    const store = memoryStore();
    const ui = new ScriptedUi();
    ui.allowsPrivateAddresses = true;
    await assert.rejects(refusing(ui, store)(true), { code: 'unreachable' });
    const next = refusing(new ScriptedUi(), store);
    await assert.rejects(next(false), { code: 'unreachable' });
    assert.equal(inside.accepted, 2);
    const other = closedAfterTest(await new HttpScripted(() => undefined).start());
    url = `https://127.0.0.1:${other.port}/metadata`;
    await assert.rejects(next(false), { code: 'signInNeeded' });
    assert.equal(other.accepted, 0);
  });
});
