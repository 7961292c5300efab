/** Public servers that lead into the network of the user to sign in: the user is asked before anything goes there. */
import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { QuestionQueue } from '../../src/host/questions/questionQueue.ts';
import { AccountAccess } from '../../src/host/signIn/accountAccess.ts';
import { createAuthorizer } from '../../src/host/signIn/loadedAuthorizer.ts';
import { memoryStore, userEntry } from '../support/memoryStore.ts';
import { mapMemory, ScriptedUi } from '../support/signInHarness.ts';

const { signal } = new AbortController();

describe('a public server that leads into a private network', () => {
  let inside: Server;
  let url: string;
  let contacts: number;

  beforeEach(async () => {
    contacts = 0;
    inside = createServer((socket) => {
      contacts += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => {
      inside.listen(0, '127.0.0.1', resolve);
    });
    const { port }: AddressInfo = JSON.parse(JSON.stringify(inside.address()));
    url = `https://127.0.0.1:${port}/metadata`;
  });

  afterEach(async () => {
    await new Promise((resolve) => {
      inside.close(resolve);
    });
  });

  /** The refusal of a server that is at an address for documentation, and is itself never contacted. */
  const refuse = (ui: ScriptedUi, mayAsk: boolean): Promise<boolean> => {
    const authorizer = createAuthorizer(
      {
        target: {
          server: { id: 'user:notes', name: 'notes' },
          serverUrl: new URL('https://203.0.113.7/mcp'),
          owner: userEntry,
          provider: undefined,
          hasOwnClient: false,
          mayAsk: () => mayAsk,
          waiting: (run, own) => run(own),
        },
        settings: { grant: { kind: 'authorizationCode' }, dpop: false },
        allowsOriginFallback: false,
        store: memoryStore(),
        readSecret: () => Promise.reject(new Error('no file is named')),
        log: () => undefined,
        onTokens: () => undefined,
        onSecrets: () => undefined,
      },
      {
        ui,
        questions: new QuestionQueue(),
        accounts: new AccountAccess(mapMemory()),
        clientName: 'MCP Host',
      },
    );
    const wwwAuthenticate = `Bearer resource_metadata="${url}"`;
    return authorizer.onRefused(
      { status: 401, wwwAuthenticate, sent: undefined, attempt: 0 },
      signal,
    );
  };

  it('SEC-05 (legacy): asks with the address, and contacts nothing after a no', async () => {
    const ui = new ScriptedUi();
    await assert.rejects(refuse(ui, true), {
      code: 'unauthorized',
      message: /was not contacted: its address is in a private network/u,
    });
    assert.deepEqual(ui.privateAddresses, [new URL(url).origin]);
    assert.equal(contacts, 0);
  });

  it('SEC-05 (legacy): goes there after a yes', async () => {
    const ui = new ScriptedUi();
    ui.allowsPrivateAddresses = true;
    await assert.rejects(refuse(ui, true), { code: 'unreachable' });
    assert.equal(contacts, 1);
  });

  it('SEC-05, SEC-10 (legacy): neither asks nor goes there when nobody asked for the start', async () => {
    const ui = new ScriptedUi();
    await assert.rejects(refuse(ui, false), { code: 'signInNeeded' });
    assert.deepEqual([ui.privateAddresses.length, contacts], [0, 0]);
  });
});
