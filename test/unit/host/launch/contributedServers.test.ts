import assert from 'node:assert/strict';
import {
  ContributedServers,
  type Contribution,
} from '../../../../src/host/launch/contributedServers.ts';
import { parseConfig } from '../../../../src/host/config/parseConfig.ts';
import type { InputDefinition } from '../../../../src/host/config/serverConfig.ts';
import { isMcpError } from '../../../../src/mcp/errors.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

const never = new AbortController().signal;
const extension = { id: 'acme.servers', name: 'Acme Servers' };
const nothing = async (): Promise<undefined> => undefined;
const token: InputDefinition = {
  id: 'token',
  description: 'token',
  type: 'promptString',
  password: true,
};
const own = {
  has: async () => false,
  peek: async () => "the user's",
  value: async () => "the user's",
};

/** What the settings would have of these definitions of the extension. */
function contributing(definitions: readonly unknown[], valueOf: Contribution['valueOf'] = nothing) {
  const contributed = new ContributedServers();
  const key = {};
  contributed.set(key, { extension, definitions, valueOf });
  return { contributed, key };
}

describe('ContributedServers', () => {
  it('are entries like those of the settings, of a scope of their own', () => {
    const definitions = [{ name: 'notes', command: 'node', env: { TOKEN: '${input:token}' } }];
    const { contributed } = contributing(definitions);
    const { servers, inputs, problems } = parseConfig(contributed.scopes);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      servers.map((server) => [server.id, server.scope]),
      [['extension:acme.servers/notes', { kind: 'extension', ...extension }]],
    );
    assert.deepEqual(inputs.get('extension:acme.servers'), [token]);
  });

  it('stand behind an entry of the same name that the user wrote', () => {
    const { contributed } = contributing([{ name: 'notes', command: 'theirs' }]);
    const user = { kind: 'user' } as const;
    const mine = { scope: user, servers: { notes: { command: 'mine' } }, inputs: undefined };
    const { servers } = parseConfig([mine, ...contributed.scopes]);
    assert.deepEqual(
      servers.map(({ hiddenBy }) => hiddenBy),
      [undefined, user],
    );
  });

  it('of several registrations are one scope, where the first definition of a name counts; each change is told', () => {
    const { contributed, key } = contributing([{ name: 'a', command: 'first' }]);
    let changes = 0;
    contributed.onDidChange(() => {
      changes += 1;
    });
    const commands = (): readonly unknown[] =>
      parseConfig(contributed.scopes).servers.map(
        ({ launch }) => 'command' in launch && launch.command,
      );
    const two = {};
    const definitions = ['a', 'b'].map((name) => ({ name, command: `second ${name}` }));
    contributed.set(two, { extension, definitions, valueOf: nothing });
    assert.deepEqual(new Set(commands()), new Set(['first', 'second b']));
    contributed.delete(two);
    contributed.delete(two);
    assert.deepEqual(commands(), ['first']);
    contributed.delete(key);
    assert.deepEqual(contributed.scopes, []);
    assert.equal(changes, 3);
  });

  it('tell what is wrong with a definition, and keep the others', () => {
    const ok = { name: 'ok', url: 'https://a.b' };
    const { contributed } = contributing(['x', { command: 'nameless' }, { name: 'empty' }, ok]);
    const { servers, problems } = parseConfig(contributed.scopes);
    assert.deepEqual(
      servers.map(({ name }) => name),
      ['ok'],
    );
    assert.deepEqual(new Set(problems.map(({ entry }) => entry)), new Set(['', 'empty']));
  });

  it('get the values of inputs from their extension, other servers from the user', async () => {
    const asked: unknown[] = [];
    const { contributed } = contributing(
      [{ name: 'notes', command: 'node' }],
      async (...question) => {
        asked.push(question.slice(0, 2));
        return 'secret';
      },
    );
    const inputs = contributed.inputs(own);
    const scope = { kind: 'extension', ...extension } as const;
    const notes = stdioServer('notes', { scope });
    assert.equal(await inputs.has(notes, token), true);
    assert.equal(await inputs.value(notes, token, never), 'secret');
    assert.deepEqual(asked, [['notes', 'token']]);
    assert.equal(await inputs.peek(notes, token), undefined);
    assert.equal(await inputs.peek(stdioServer('notes'), token), "the user's");
    assert.equal(await inputs.has(stdioServer('notes'), token), false);
    assert.equal(await inputs.value(stdioServer('notes'), token, never), "the user's");
  });

  it('get no value of an extension with a server of the same name', async () => {
    const definitions = [{ name: 'notes', command: 'node' }];
    const { contributed } = contributing(definitions, async () => "Acme's");
    const other = { id: 'other.servers', name: 'Other' };
    contributed.set({}, { extension: other, definitions, valueOf: async () => "Other's" });
    const values = [extension, other].map((one) => {
      const server = stdioServer('notes', { scope: { kind: 'extension', ...one } });
      return contributed.inputs(own).value(server, token, never);
    });
    assert.deepEqual(await Promise.all(values), ["Acme's", "Other's"]);
  });

  it('do not start on a value that their extension does not give', async () => {
    const { contributed } = contributing([{ name: 'notes', command: 'node' }]);
    const scope = { kind: 'extension', ...extension } as const;
    for (const name of ['notes', 'unknown']) {
      const value = contributed.inputs(own).value(stdioServer(name, { scope }), token, never);
      await assert.rejects(value, (error) => isMcpError(error) && error.code === 'invalidConfig');
    }
  });
});
