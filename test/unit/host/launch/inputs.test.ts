import assert from 'node:assert/strict';
import { later, QuestionQueue } from '../../../../src/host/questions/questionQueue.ts';
import { back, inputOf, InputValues, useOfInput } from '../../../../src/host/launch/inputs.ts';
import type {
  ConfigScope,
  InputDefinition,
  ServerConfig,
} from '../../../../src/host/config/serverConfig.ts';
import { memoryStore } from '../../../support/memoryStore.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

const signal = new AbortController().signal;
const folder: ConfigScope = { kind: 'folder', uri: 'file:///w/a', name: 'a' };
const token: InputDefinition = {
  id: 'token',
  description: 'Token',
  type: 'promptString',
  password: true,
};
const mode = {
  id: 'mode',
  description: 'Mode',
  type: 'pickString',
  options: ['a', 'b'],
} as const satisfies InputDefinition;

function server(scope: ConfigScope, name = 's'): ServerConfig {
  return stdioServer(name, { scope });
}

const user = server({ kind: 'user' });
const workspace = server({ kind: 'workspace' });

function harness(
  answer: (
    id: string,
    byDefault: string | undefined,
    mayGoBack: boolean,
  ) => Promise<string | typeof later | typeof back | undefined>,
  kept = new Map<string, string>(),
  workspaceId = 'w1',
  questions = new QuestionQueue(),
) {
  const asked: string[] = [];
  const prompt = {
    ask: async (
      { name }: ServerConfig,
      { id, default: byDefault }: InputDefinition,
      _turn: unknown,
      mayGoBack: boolean,
    ) => {
      asked.push(`${name} ${id}`);
      return answer(id, byDefault, mayGoBack);
    },
  };
  return {
    values: new InputValues(memoryStore(kept), prompt, () => workspaceId, questions),
    asked,
    kept,
  };
}

describe('InputValues', () => {
  it('asks once, keeps the answer in the secret storage, and asks no more', async () => {
    const { values, asked, kept } = harness(async () => 'abc');
    assert.equal(await values.has(user, token), false);
    assert.equal(await values.value(user, token, signal), 'abc');
    assert.equal(await values.value(server({ kind: 'user' }, 'other'), token, signal), 'abc');
    assert.equal(await values.has(user, token), true);
    assert.deepEqual(asked, ['s token']);
    assert.deepEqual([...kept.values()], ['abc']);
  });

  it('keeps a value that came with an import, for its scope alone, and does not ask for it', async () => {
    const { values, asked } = harness(async () => 'asked');
    await values.keep({ kind: 'user' }, 'token', 'imported');
    assert.equal(await values.value(user, token, signal), 'imported');
    assert.deepEqual(asked, []);
    assert.equal(await values.value(workspace, token, signal), 'asked');
    assert.deepEqual(await values.stored(), [
      { scope: 'user', id: 'token' },
      { scope: 'workspace', id: 'token' },
    ]);
    await values.discard({ kind: 'user' }, 'token');
    assert.deepEqual(await values.stored(), [{ scope: 'workspace', id: 'token' }]);
  });

  it('asks for another value on request, and keeps the old one until there is one', async () => {
    const answers = ['first', undefined, 'second'];
    const { values, asked } = harness(async () => answers.shift());
    assert.equal(await values.value(user, token, signal), 'first');
    assert.equal(await values.change(user, [token], signal), false);
    assert.equal(await values.value(user, token, signal), 'first');
    assert.equal(await values.change(user, [token], signal), true);
    assert.equal(await values.value(user, token, signal), 'second');
    assert.equal(asked.length, 3);
  });

  const region: InputDefinition = { ...token, id: 'region', password: false };

  it('asks for all that a start lacks, with a way back to each that was asked', async () => {
    const answers: (string | typeof back)[] = ['wrong', back, 'right', 'north', back, 'south', 'b'];
    const shown: string[] = [];
    const { values } = harness(async (id, byDefault = '', mayGoBack) => {
      shown.push(`${id} ${byDefault}${mayGoBack ? ' <' : ''}`);
      return answers.shift();
    });
    const other: InputDefinition = { ...token, id: 'other' };
    await values.keep(user.scope, 'other', 'known');
    const all = [token, other, region, mode];
    assert.equal(await values.value(user, token, signal, all), 'right');
    assert.equal(await values.value(user, region, signal, all), 'south');
    assert.deepEqual(shown, [
      'token ',
      'region  <',
      'token ',
      'region  <',
      'mode  <',
      'region north <',
      'mode  <',
    ]);
  });

  it('asks for several other values, each beginning with what it was unless that is secret', async () => {
    const answers = ['first', 'north', 'second', 'south'];
    const { values, asked } = harness(async (id, byDefault = '') => {
      asked.push(`${id} was ${byDefault}`);
      return answers.shift();
    });
    await values.value(user, token, signal, [token, region]);
    asked.length = 0;
    assert.equal(await values.change(user, [token, region], signal), true);
    assert.deepEqual(asked, ['s token', 'token was ', 's region', 'region was north']);
    assert.equal(await values.value(user, region, signal), 'south');
  });

  it('keeps another value when the user goes back to it and then closes the question', async () => {
    const answers: (string | typeof back)[] = ['first', 'north', 'second', back];
    const { values } = harness(async () => answers.shift());
    await values.value(user, token, signal, [token, region]);
    assert.equal(await values.change(user, [token, region], signal), false);
    assert.equal(await values.value(user, token, signal), 'second');
  });

  it('"Later" keeps no value, and asks again when the question is opened', async () => {
    const questions = new QuestionQueue();
    const answers: (string | typeof later)[] = [later, 'abc'];
    const { values, kept } = harness(async () => answers.shift(), new Map(), 'w1', questions);
    const value = values.value(user, token, signal);
    await waitUntil('the question to wait', () => questions.waiting.length === 1);
    assert.equal(kept.size, 0);
    const [waiting] = questions.waiting;
    assert.deepEqual(waiting, {
      server: 's',
      serverId: user.id,
      about: 'input',
      text: 'token',
      holdsUp: true,
      takesKeyboard: true,
    });
    questions.reopen(waiting);
    assert.equal(await value, 'abc');
  });

  it("a workspace input never reads the value of a user's, of a folder's, of the remote machine's or of another workspace's", async () => {
    const kept = new Map<string, string>();
    const answers = ['of user', 'of workspace', 'of folder', 'of remote'];
    const first = harness(async () => answers.shift(), kept);
    assert.equal(await first.values.value(user, token, signal), 'of user');
    assert.equal(await first.values.value(workspace, token, signal), 'of workspace');
    assert.equal(await first.values.value(server(folder), token, signal), 'of folder');
    const remote = server({ kind: 'remote' });
    assert.equal(await first.values.value(remote, token, signal), 'of remote');
    assert.equal((await first.values.stored()).length, 4);
    const second = harness(async () => 'of second', kept, 'w2');
    assert.equal(await second.values.value(workspace, token, signal), 'of second');
    assert.equal(await second.values.has(remote, token), false);
    assert.equal(await second.values.value(user, token, signal), 'of user');
    assert.equal(await first.values.value(workspace, token, signal), 'of workspace');
  });

  it('asks one question at a time, and the same one once', async () => {
    let open = 0;
    let most = 0;
    const { values, asked } = harness(async (id) => {
      most = Math.max(most, ++open);
      await new Promise(setImmediate);
      open--;
      return id === 'mode' ? 'b' : id;
    });
    const all = [token, mode, token, { ...token, id: 'other' }];
    const got = await Promise.all(all.map(async (input) => values.value(user, input, signal)));
    assert.deepEqual(got, ['token', 'b', 'token', 'other']);
    assert.equal(most, 1);
    assert.deepEqual(asked, ['s token', 's mode', 's other']);
  });

  it('keeps nothing when the question is closed or the start given up, and goes on with the next', async () => {
    const { values, kept } = harness(async (id) => (id === 'mode' ? 'a' : undefined));
    await assert.rejects(values.value(user, token, signal), {
      code: 'cancelled',
      message: /\$\{input:token\}/u,
    });
    const controller = new AbortController();
    const late = harness(async () => {
      controller.abort(new Error('gone'));
      return 'late';
    });
    await assert.rejects(late.values.value(user, token, controller.signal), { code: 'cancelled' });
    assert.equal(late.kept.size, 0);
    assert.equal(await values.value(user, mode, signal), 'a');
    assert.deepEqual([...kept.values()], ['a']);
  });

  it('asks again when the kept choice is no longer offered', async () => {
    const answers = ['a', 'x'];
    const { values, asked } = harness(async () => answers.shift());
    await values.value(user, mode, signal);
    await values.value(user, { ...mode, options: ['b', 'a'] }, signal);
    assert.equal(asked.length, 1);
    const changed = { ...mode, options: ['x'] };
    assert.equal(await values.has(user, changed), false);
    assert.equal(await values.value(user, changed, signal), 'x');
    assert.equal(asked.length, 2);
  });

  it('lists names and forgets those that are named, never what another workspace has', async () => {
    const kept = new Map<string, string>();
    kept.set('oauth', 'not ours');
    const other = harness(async () => 'x', kept, 'w2');
    await other.values.value(workspace, token, signal);
    const { values } = harness(async () => 'x', kept);
    for (const scope of [{ kind: 'user' }, { kind: 'workspace' }, folder] as const) {
      await values.value(server(scope), token, signal);
    }
    assert.deepEqual(await values.stored(), [
      { scope: 'user', id: 'token' },
      { scope: 'workspace', id: 'token' },
      { scope: 'folder', id: 'token' },
    ]);
    await values.forget(({ scope }) => scope === 'workspace');
    assert.deepEqual(
      (await values.stored()).map(({ scope }) => scope),
      ['user', 'folder'],
    );
    await values.forget(() => true);
    assert.deepEqual(await values.stored(), []);
    assert.equal(kept.size, 2);
    assert.equal((await other.values.stored()).length, 1);
  });
});

describe('useOfInput', () => {
  it('says which of the inputs it is, and where its value goes', () => {
    const launch = {
      kind: 'http',
      url: 'https://${input:host}.example/${input:token}',
      headers: { 'X-Mode': '${env:MODE}', Authorization: 'Bearer ${input:token}' },
    } as const;
    assert.deepEqual(useOfInput({ launch }, 'token'), {
      position: 2,
      total: 2,
      fields: ['url', 'headers.Authorization'],
    });
  });
});

describe('inputOf', () => {
  const config = {
    inputs: new Map([
      ['user', [token]],
      ['workspace', []],
      ['folder:file:///w/a', [mode]],
    ]),
  };

  it('finds inputs of the own scope, and says where others are and would have to be', () => {
    assert.equal(inputOf(config, { kind: 'user' }, 'token'), token);
    assert.equal(inputOf(config, folder, 'mode'), mode);
    assert.throws(() => inputOf(config, { kind: 'workspace' }, 'token'), {
      code: 'invalidConfig',
      message:
        '${input:token} is defined in the user settings, but the server is from the workspace settings and finds only inputs that are defined there too',
    });
    assert.throws(
      () => inputOf(config, { kind: 'remote' }, 'token'),
      /the server is from the settings of the remote machine and finds only/u,
    );
    assert.throws(
      () => inputOf(config, { kind: 'user' }, 'mode'),
      /defined in the settings of the folder file:\/\/\/w\/a/u,
    );
  });

  it('says where to add one that is defined nowhere', () => {
    assert.throws(() => inputOf(config, { kind: 'user' }, 'tokn'), {
      message:
        '${input:tokn} is not defined: add it to `mcpHost.inputs` in the user settings; did you mean ${input:token}?',
    });
  });
});
