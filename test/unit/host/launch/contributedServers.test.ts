import assert from 'node:assert/strict';
import { ContributedServers } from '../../../../src/host/launch/contributedServers.ts';
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

describe('ContributedServers', () => {
  it('are entries like those of the settings, of a scope of their own', () => {
    const contributed = new ContributedServers();
    contributed.set(
      {},
      {
        extension,
        definitions: [{ name: 'notes', command: 'node', env: { TOKEN: '${input:token}' } }],
        valueOf: nothing,
      },
    );
    const { servers, inputs, problems } = parseConfig(contributed.scopes);
    assert.deepEqual(problems, []);
    const scope = { kind: 'extension', ...extension };
    assert.deepEqual(
      servers.map((server) => [server.id, server.scope]),
      [['extension:acme.servers/notes', scope]],
    );
    assert.deepEqual(inputs.get('extension:acme.servers'), [token]);
  });

  it('stand behind an entry of the same name that the user wrote', () => {
    const contributed = new ContributedServers();
    const definitions = [{ name: 'notes', command: 'theirs' }];
    contributed.set({}, { extension, definitions, valueOf: nothing });
    const user = { kind: 'user' } as const;
    const { servers } = parseConfig([
      { scope: user, servers: { notes: { command: 'mine' } }, inputs: undefined },
      ...contributed.scopes,
    ]);
    assert.deepEqual(
      servers.map(({ id, hiddenBy }) => [id, hiddenBy]),
      [
        ['user/notes', undefined],
        ['extension:acme.servers/notes', user],
      ],
    );
  });

  it('of several registrations are one scope; the first definition of a name counts', () => {
    const contributed = new ContributedServers();
    const [one, two] = [{}, {}];
    contributed.set(one, {
      extension,
      definitions: [{ name: 'a', command: 'first' }],
      valueOf: nothing,
    });
    contributed.set(two, {
      extension,
      definitions: [
        { name: 'a', command: 'second' },
        { name: 'b', command: 'b' },
      ],
      valueOf: nothing,
    });
    const commands = (): Readonly<Record<string, unknown>> =>
      Object.fromEntries(
        parseConfig(contributed.scopes).servers.map(({ name, launch }) => [
          name,
          launch.kind === 'stdio' && launch.command,
        ]),
      );
    assert.deepEqual(commands(), { a: 'first', b: 'b' });
    contributed.delete(two);
    assert.deepEqual(commands(), { a: 'first' });
    contributed.delete(one);
    assert.deepEqual(contributed.scopes, []);
  });

  it('tell what is wrong with a definition, and keep the others', () => {
    const contributed = new ContributedServers();
    const definitions = [
      'x',
      { command: 'nameless' },
      { name: 'empty' },
      { name: 'ok', url: 'https://a.b' },
    ];
    contributed.set({}, { extension, definitions, valueOf: nothing });
    const { servers, problems } = parseConfig(contributed.scopes);
    assert.deepEqual(
      servers.map(({ name }) => name),
      ['ok'],
    );
    assert.deepEqual(new Set(problems.map(({ entry }) => entry)), new Set(['', 'empty']));
  });

  it('get the values of inputs from their extension, other servers from the user', async () => {
    const contributed = new ContributedServers();
    const asked: unknown[] = [];
    contributed.set(
      {},
      {
        extension,
        definitions: [{ name: 'notes', command: 'node' }],
        valueOf: async (...question) => {
          asked.push(question.slice(0, 2));
          return 'secret';
        },
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

  it('do not start on a value that their extension does not give', async () => {
    const contributed = new ContributedServers();
    const definitions = [{ name: 'notes', command: 'node' }];
    contributed.set({}, { extension, definitions, valueOf: nothing });
    const scope = { kind: 'extension', ...extension } as const;
    for (const name of ['notes', 'unknown']) {
      const value = contributed.inputs(own).value(stdioServer(name, { scope }), token, never);
      await assert.rejects(value, (error) => isMcpError(error) && error.code === 'invalidConfig');
    }
  });

  it('tell each change', () => {
    const contributed = new ContributedServers();
    let changes = 0;
    contributed.onDidChange(() => {
      changes += 1;
    });
    const key = {};
    contributed.set(key, { extension, definitions: [], valueOf: nothing });
    contributed.delete(key);
    contributed.delete(key);
    assert.equal(changes, 2);
  });
});
