import type {
  ApprovalScope,
  ConfigScope,
  ServerConfig,
} from '../../../../src/host/config/serverConfig.ts';
import assert from 'node:assert/strict';
import { parseConfig } from '../../../../src/host/config/parseConfig.ts';
import type {
  ToolAnswer,
  ToolApprovals,
  ToolRequest,
} from '../../../../src/host/toolApproval/approvals.ts';
import { isCancelled, McpError } from '../../../../src/mcp/errors.ts';
import type { Tool } from '../../../../src/mcp/types/lists.ts';
import { deferred } from '../../../support/deferred.ts';
import { FakeApprovals } from '../../../support/fakeApprovals.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';
import { turns, waitUntil } from '../../../support/waitUntil.ts';

const never = new AbortController().signal;
const notes = stdioServer('notes');
const reader: Tool = {
  name: 'read',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
};
const writer: Tool = { name: 'write', description: 'Writes', inputSchema: { type: 'object' } };

function call(tool: Tool = writer, server: ServerConfig = notes): ToolRequest {
  return { server, tool, input: { text: 'hi' }, caller: 'model' };
}

function allowing(scope: ApprovalScope): FakeApprovals['answer'] {
  return ({ input }) => ({ kind: 'allow', input, scope });
}

/** The user allows everything for this long, and trusts servers of these names. */
function user(scope: ApprovalScope, ...trustedNames: readonly string[]): FakeApprovals {
  return Object.assign(new FakeApprovals(), { answer: allowing(scope), trustedNames });
}

function ask(fake: FakeApprovals, request = call()): ReturnType<ToolApprovals['request']> {
  return fake.approvals.request(request, never);
}

/** What had changed, for each question. */
function changesOf(fake: FakeApprovals): readonly (readonly string[])[] {
  return fake.asked.map(({ changes }) => changes);
}

/** Asks about these at once. @returns the names of their tools, and what was decided */
function askAll(
  fake: FakeApprovals,
  requests: readonly ToolRequest[],
): Promise<readonly (readonly [string | undefined, string])[]> {
  return Promise.all(
    fake.approvals.requestAll(requests, never).map(async (outcome, index) => {
      const decided = await outcome;
      const how = decided.kind === 'allowed' ? decided.because : decided.kind;
      return [requests[index]?.tool.name, how] as const;
    }),
  );
}

/** The tools in each question about several calls. */
function askedJointly(fake: FakeApprovals): readonly (readonly string[])[] {
  return fake.askedJointly.map((questions) => questions.map(({ tool }) => tool.name));
}

const denied = { kind: 'denied', why: 'The user did not allow this call' } as const;

describe('ToolApprovals', () => {
  it('TOOL-05, TOOL-06: asks about every call, with its input, and takes no for an answer', async () => {
    const fake = new FakeApprovals();
    assert.deepEqual(await ask(fake), {
      kind: 'allowed',
      input: { text: 'hi' },
      because: 'asked',
    });
    fake.answer = () => ({ kind: 'deny' });
    assert.deepEqual(await ask(fake), denied);
    assert.equal(fake.asked.length, 2);
    assert.deepEqual(fake.asked[0]?.input, { text: 'hi' });
  });

  it('HOST-11: what is allowed is the input as it was shown last', async () => {
    const fake = new FakeApprovals();
    fake.answer = () => ({ kind: 'allow', input: { text: 'edited' }, scope: 'once' });
    const outcome = await ask(fake);
    assert.deepEqual(outcome.kind === 'allowed' && outcome.input, { text: 'edited' });
  });

  it('"Later" lets the next question through, allows nothing, and keeps the input as it was left', async () => {
    const fake = new FakeApprovals();
    fake.answer = () => ({ kind: 'later', input: { text: 'edited' } });
    const first = ask(fake);
    await waitUntil('the question to wait', () => fake.questions.waiting.length === 1);
    fake.answer = () => ({ kind: 'deny' });
    assert.deepEqual(await ask(fake, call(reader)), denied);
    const [waiting] = fake.questions.waiting;
    assert.ok(waiting?.about === 'toolCall' && waiting.text === 'write');
    fake.answer = allowing('once');
    fake.questions.reopen(waiting);
    assert.deepEqual(await first, {
      kind: 'allowed',
      input: { text: 'edited' },
      because: 'asked',
    });
  });

  describe('of calls side by side', () => {
    const three = [call(), call(reader), call({ ...writer, name: 'third' })];

    it('TOOL-05: one question has all, and a yes counts for these calls alone', async () => {
      const fake = new FakeApprovals();
      for (const _ of [1, 2]) {
        assert.deepEqual(await askAll(fake, three), [
          ['write', 'asked'],
          ['read', 'asked'],
          ['third', 'asked'],
        ]);
      }
      assert.deepEqual(askedJointly(fake), [
        ['write', 'read', 'third'],
        ['write', 'read', 'third'],
      ]);
      assert.deepEqual([fake.asked, fake.approvals.list()], [[], []]);
      assert.deepEqual(
        fake.audit.map(({ event, tool, outcome, by }) => [event, tool, outcome, by]).slice(0, 3),
        ['write', 'read', 'third'].map((tool) => ['approval', tool, 'allowed', 'hand']),
      );
    });

    it('a no is one for all of them', async () => {
      const fake = new FakeApprovals();
      fake.answerJointly = () => 'deny';
      const outcomes = await askAll(fake, three);
      assert.deepEqual(
        outcomes.map(([, outcome]) => outcome),
        ['denied', 'denied', 'denied'],
      );
    });

    it('what needs no question is not in it, and does not wait for it', async () => {
      const fake = user('once', 'notes');
      const answer = deferred<'deny'>();
      fake.answerJointly = () => answer.promise;
      const [first, second, third] = fake.approvals.requestAll(three, never);
      assert.equal((await second)?.kind, 'allowed');
      answer.resolve('deny');
      assert.deepEqual([(await first)?.kind, (await third)?.kind], ['denied', 'denied']);
      assert.deepEqual(askedJointly(fake), [['write', 'third']]);
    });

    it('a single one that needs a question has the dialog of one', async () => {
      const fake = user('once', 'notes');
      await askAll(fake, [call(), call(reader)]);
      assert.deepEqual([fake.asked.length, fake.askedJointly], [1, []]);
    });

    it('one by one, each has the dialog of one, and an answer for longer counts for the next', async () => {
      const fake = user('session');
      fake.answerJointly = () => 'each';
      assert.deepEqual(await askAll(fake, [call(), call(), call(reader)]), [
        ['write', 'asked'],
        ['write', 'remembered'],
        ['read', 'asked'],
      ]);
      assert.equal(fake.asked.length, 2);
    });

    it('"Later" lets the next question through; reopened, it leaves out what was allowed meanwhile', async () => {
      const fake = user('session');
      fake.answerJointly = () => 'later';
      const elsewhere = call({ ...writer, name: 'third' }, stdioServer('mail'));
      const settling = askAll(fake, [call(), call(reader), elsewhere]);
      await waitUntil('the question to wait', () => fake.questions.waiting.length === 1);
      await ask(fake);
      const [waiting] = fake.questions.waiting;
      assert.ok(waiting?.text === 'write, read, third' && waiting.server === 'notes, mail');
      fake.answerJointly = () => 'deny';
      fake.questions.reopen(waiting);
      assert.deepEqual(await settling, [
        ['write', 'remembered'],
        ['read', 'denied'],
        ['third', 'denied'],
      ]);
    });

    it('where one is left of them by the time of the question, it has the dialog of one', async () => {
      const fake = user('session');
      const answer = deferred<ToolAnswer>();
      fake.answer = () => answer.promise;
      const first = ask(fake);
      const both = askAll(fake, [call(), call(reader)]);
      await waitUntil('the question', () => fake.asked.length === 1);
      fake.answer = allowing('once');
      answer.resolve({ kind: 'allow', input: {}, scope: 'session' });
      await first;
      assert.deepEqual(await both, [
        ['write', 'remembered'],
        ['read', 'asked'],
      ]);
      assert.deepEqual(fake.askedJointly, []);
    });

    it('SKL-53: while a skill acts, earlier answers and trust do not count', async () => {
      const fake = user('session', 'notes');
      await ask(fake);
      const skills = ['docs.pdf'];
      await askAll(
        fake,
        three.map((request) => ({ ...request, skills })),
      );
      assert.deepEqual(askedJointly(fake), [['write', 'read', 'third']]);
      assert.deepEqual(fake.askedJointly[0]?.[0]?.scopes, []);
    });

    it('an answer after the stop allows nothing', async () => {
      const fake = new FakeApprovals();
      const stop = new AbortController();
      fake.answerJointly = () => {
        stop.abort(new McpError('cancelled', 'stopped'));
        return 'run';
      };
      const outcomes = fake.approvals.requestAll(three, stop.signal);
      for (const end of await Promise.allSettled(outcomes)) {
        assert.ok(end.status === 'rejected' && isCancelled(end.reason));
      }
    });
  });

  for (const scope of ['session', 'workspace', 'always'] as const) {
    it(`HOST-11: "${scope}" is remembered for this tool of this server, and can be taken back`, async () => {
      const fake = user(scope);
      await ask(fake);
      const again = await ask(fake);
      assert.equal(again.kind === 'allowed' && again.because, 'remembered');
      await ask(fake, call(reader));
      assert.deepEqual(
        fake.asked.map(({ tool }) => tool.name),
        ['write', 'read'],
      );
      const [first] = fake.approvals.list();
      assert.ok(first);
      assert.equal(first.scope, scope);
      await fake.approvals.revoke(first);
      await ask(fake);
      assert.equal(fake.asked.length, 3);
    });
  }

  it('a session ends with the window, a workspace is not another one, always is everywhere', async () => {
    const before = new FakeApprovals();
    for (const scope of ['session', 'workspace', 'always'] as const) {
      before.answer = allowing(scope);
      await before.approvals.request(call({ ...writer, name: scope }), never);
    }
    const reopened = (): FakeApprovals =>
      new FakeApprovals({ workspace: before.workspaceMemory, global: before.globalMemory });
    const elsewhere = (): FakeApprovals => new FakeApprovals({ global: before.globalMemory });
    assert.equal(await asks(reopened(), 'session'), true);
    assert.equal(await asks(reopened(), 'workspace'), false);
    assert.equal(await asks(reopened(), 'always'), false);
    assert.equal(await asks(elsewhere(), 'workspace'), true);
    assert.equal(await asks(elsewhere(), 'always'), false);
  });

  it('a server of a workspace is never allowed for all workspaces', async () => {
    const fake = user('always');
    await ask(fake, call(writer, ofWorkspace()));
    assert.deepEqual(fake.approvals.list(), []);
    assert.equal(fake.globalMemory.values.size, 0);
    const elsewhere = user('workspace');
    await ask(elsewhere, call(writer, ofWorkspace()));
    for (const [key, value] of elsewhere.workspaceMemory.values) {
      await fake.globalMemory.set(key, value);
    }
    await ask(fake, call(writer, ofWorkspace()));
    assert.equal(fake.asked.length, 2, 'nor by what is kept of all of them');
  });

  it('asks again, and says what has changed, when the definition of the tool or the entry of the server is another', async () => {
    const fake = user('workspace');
    await ask(fake);
    const changed = { ...writer, description: 'Writes, and mails it to us' };
    await ask(fake, call(changed));
    const elsewhere = stdioServer('notes', {
      launch: { kind: 'stdio', command: 'other', args: [], env: {} },
    });
    await ask(fake, call(changed, elsewhere));
    assert.deepEqual(changesOf(fake), [[], ['description'], ['server']]);
    assert.deepEqual(
      fake.asked.map(({ before }) => before?.split('\n')[0]),
      [undefined, 'description: Writes', 'description: Writes, and mails it to us'],
    );
  });

  const unlike: readonly (readonly [string, ToolRequest, readonly string[]])[] = [
    ['VSC-19: another title', call({ ...writer, title: 'Another' }), ['title']],
    ['VSC-19: another input', call({ ...writer, inputSchema: {} }), ['inputSchema']],
    ['VSC-19: other claims', call({ ...writer, annotations: {} }), ['annotations']],
    ['TOOL-05: another server, with the same entry', call(writer, { ...notes, id: 'user/x' }), []],
    ['a server of a workspace, of the same name', call(writer, ofWorkspace()), []],
    ['a call of an app', { ...call(), caller: 'app' }, []],
  ];
  for (const [what, request, changes] of unlike) {
    it(`an answer for always does not count for ${what}`, async () => {
      const fake = user('always');
      await ask(fake);
      await ask(fake, request);
      assert.deepEqual(changesOf(fake), [[], changes]);
    });
  }

  it('an answer to an extension counts for no other one, nor for the model, and trust counts for none', async () => {
    const fake = user('always', 'notes');
    const by = (id: string): ToolRequest => ({
      ...call(reader),
      caller: 'extension',
      extension: { id, name: id },
    });
    await ask(fake, by('one.ext'));
    await ask(fake, by('one.ext'));
    await ask(fake, by('two.ext'));
    assert.deepEqual(
      fake.asked.map(({ extension }) => extension?.id),
      ['one.ext', 'two.ext'],
    );
    fake.trustedNames = [];
    await ask(fake, call(reader));
    assert.equal(fake.asked.length, 3);
  });

  it('SEC-01: counts for the sandbox, the debugger and the folders that the server had', async () => {
    const sandboxed = { command: 'x', args: ['${workspaceFolder}'], sandbox: true };
    const others: readonly (readonly [object, string])[] = [
      [{ ...sandboxed, sandbox: undefined }, '/w/a'],
      [{ ...sandboxed, sandbox: { network: true } }, '/w/a'],
      [{ ...sandboxed, dev: { debug: { type: 'debugpy', debugpyPath: '/tmp/x' } } }, '/w/a'],
      [sandboxed, '/w/b'],
    ];
    for (const [entry, folder] of others) {
      const fake = user('workspace');
      await ask(fake, call(writer, entryOf(sandboxed, '/w/a')));
      await ask(fake, call(writer, entryOf(sandboxed, '/w/a')));
      await ask(fake, call(writer, entryOf(entry, folder)));
      assert.deepEqual(changesOf(fake), [[], ['server']]);
    }
  });

  it('SEC-01: a server of the workspace is trusted for the folder that its relative paths are in', async () => {
    const entry = { command: 'node', args: ['server.js'] };
    const inFolder = (path: string): ServerConfig => entryOf(entry, path, { kind: 'workspace' });
    const fake = new FakeApprovals();
    await fake.trusted.set(inFolder('/w/a'), true);
    const isTrusted = ['/w/a', '/w/b'].map((path) => fake.trusted.isTrusted(inFolder(path)));
    assert.deepEqual(isTrusted, [true, false]);
  });

  it('SEC-01: a server that names a folder is neither allowed nor trusted for all workspaces', async () => {
    for (const entry of [
      { command: 'x', args: ['${workspaceFolder}'] },
      { command: 'x', sandbox: { write: ['${workspaceFolder:a}/n'] } },
      { command: 'python', dev: { debug: { type: 'debugpy', debugpyPath: '${workspaceFolder}' } } },
      { url: 'unix://${workspaceFolder}/s.sock' },
    ]) {
      const server = entryOf(entry, '/w/a');
      const fake = user('always', server.name);
      assert.equal(fake.trusted.isTrusted(server), false);
      await ask(fake, call(writer, server));
      assert.deepEqual(fake.asked[0]?.scopes, ['session', 'workspace']);
      assert.deepEqual(fake.approvals.list(), []);
      await fake.trusted.set(server, true);
      assert.equal(fake.trusted.isTrusted(server), true);
      assert.equal(fake.trusted.isTrusted(entryOf(entry, '/w/b')), false);
      assert.deepEqual(fake.trustedNames, [server.name]);
    }
  });

  it('TOOL-02, TRAP-51, VSC-05: a read-only claim lifts the question only for a trusted server', async () => {
    const fake = new FakeApprovals();
    await ask(fake, call(reader));
    assert.equal(fake.asked.length, 1);
    fake.trustedNames = ['notes'];
    const outcome = await ask(fake, call(reader));
    assert.equal(outcome.kind === 'allowed' && outcome.because, 'trusted');
    await ask(fake, call(writer));
    assert.equal(fake.asked.length, 2);
    assert.equal(fake.asked[1]?.isTrusted, true);
  });

  it('a name in the settings trusts no server of a workspace; that trust ends with its entry', async () => {
    const fake = user('once', 'notes');
    const server = ofWorkspace();
    assert.equal(fake.trusted.isTrusted(server), false);
    await fake.trusted.set(server, true);
    assert.equal(fake.trusted.isTrusted(server), true);
    assert.deepEqual(fake.trustedNames, ['notes']);
    const changed: ServerConfig = {
      ...server,
      launch: { kind: 'http', url: 'https://evil.example', headers: {} },
    };
    assert.equal(fake.trusted.isTrusted(changed), false);
    await fake.trusted.set(server, false);
    assert.equal(fake.trusted.isTrusted(server), false);
    await fake.trusted.set(notes, false);
    assert.deepEqual(fake.trustedNames, []);
  });

  it('VSC-06: a call by hand is asked about each time, whatever the server is trusted to', async () => {
    const fake = user('always', 'notes');
    await ask(fake, { ...call(reader), caller: 'user' });
    await ask(fake, { ...call(reader), caller: 'user' });
    assert.deepEqual(
      fake.asked.map(({ scopes }) => scopes),
      [[], []],
    );
  });

  it('TRAP-52: an answer that comes after the request was cancelled allows and remembers nothing', async () => {
    const fake = new FakeApprovals();
    const answer = deferred<ToolAnswer>();
    fake.answer = () => answer.promise;
    const controller = new AbortController();
    const asking = fake.approvals.request(call(), controller.signal);
    await waitUntil('the question', () => fake.asked.length === 1);
    controller.abort(new McpError('cancelled', 'stopped'));
    await assert.rejects(asking, isCancelled);
    answer.resolve({ kind: 'allow', input: {}, scope: 'always' });
    await turns();
    assert.deepEqual(fake.approvals.list(), []);
    fake.answer = allowing('session');
    await ask(fake);
    await assert.rejects(fake.approvals.request(call(), controller.signal), isCancelled);
  });

  it('one question at a time; an answer for longer spares the questions that wait', async () => {
    const fake = new FakeApprovals();
    const answer = deferred<ToolAnswer>();
    fake.answer = () => answer.promise;
    const both = [ask(fake), ask(fake)] as const;
    await waitUntil('the first question', () => fake.asked.length === 1);
    await turns();
    assert.equal(fake.asked.length, 1);
    answer.resolve({ kind: 'allow', input: { text: 'hi' }, scope: 'session' });
    const outcomes = await Promise.all(both);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.kind === 'allowed' && outcome.because),
      ['asked', 'remembered'],
    );
    assert.equal(fake.asked.length, 1);
  });

  it('reads nothing out of a memory that somebody else has written', async () => {
    const fake = new FakeApprovals();
    await fake.workspaceMemory.set('mcpHost.toolApprovals', [null, { serverId: 'user/notes' }, 7]);
    await fake.globalMemory.set('mcpHost.toolApprovals', { tool: 'write' });
    assert.deepEqual(fake.approvals.list(), []);
    await ask(fake);
    assert.equal(fake.asked.length, 1);
  });

  it('TOOL-03, TRAP-50: hints that are missing have the defaults of the specification', async () => {
    const fake = user('once', 'notes');
    const missing = {
      effect: 'destructive',
      isEffectStated: false,
      isOpenWorld: true,
      isOpenWorldStated: false,
      isIdempotent: false,
    };
    await ask(fake);
    // Not destructive is not read-only.
    await ask(fake, call({ ...writer, annotations: { destructiveHint: false } }));
    assert.deepEqual(
      fake.asked.map(({ claims }) => claims),
      [missing, { ...missing, effect: 'additive', isEffectStated: true }],
    );
  });
});

async function asks(fake: FakeApprovals, tool: string): Promise<boolean> {
  await ask(fake, call({ ...writer, name: tool }));
  return fake.asked.length > 0;
}

/** In a window with this folder; default: of the user. */
function entryOf(entry: object, path: string, scope: ConfigScope = { kind: 'user' }): ServerConfig {
  const scopes = [{ scope, servers: { notes: entry }, inputs: [] }];
  const folders = [{ uri: `file://${path}`, name: 'a', path }];
  const [server] = parseConfig(scopes, { allowsInsecureTls: false, folders }).servers;
  assert.ok(server);
  return server;
}

function ofWorkspace(): ServerConfig {
  return stdioServer('notes', { scope: { kind: 'workspace' } });
}

describe('Audit of approvals', () => {
  it('HOST-07: each decision with its input by names alone, by hand or by rule, and what is remembered', async () => {
    const fake = user('workspace');
    await ask(fake);
    await ask(fake);
    const [kept] = fake.approvals.list();
    assert.ok(kept);
    await fake.approvals.revoke(kept);
    fake.answer = () => ({ kind: 'deny' });
    await ask(fake, { ...call(), caller: 'user' });
    const facts = fake.audit.map(({ event, caller, tool, outcome, by, because = '' }) =>
      [event, caller, tool, outcome, by, because].join(' '),
    );
    assert.deepEqual(facts, [
      'remembered user write done hand workspace',
      'approval model write allowed hand ',
      'approval model write allowed rule remembered',
      'revoked user write done hand workspace',
      'approval user write denied hand ',
    ]);
    assert.deepEqual(fake.audit[1]?.inputNames, ['text']);
    assert.doesNotMatch(JSON.stringify(fake.audit), /"hi"/);
    fake.answer = allowing('session');
    await ask(fake, { ...call(), caller: 'extension', extension: { id: 'one.ext', name: 'One' } });
    await fake.approvals.revoke(fake.approvals.list()[0] ?? assert.fail());
    assert.deepEqual(
      fake.audit.slice(5).map(({ event, extension }) => [event, extension]),
      ['remembered', 'approval', 'revoked'].map((event) => [event, 'one.ext']),
    );
  });

  it('HOST-07: what the rule for trusted servers allowed, and what was withdrawn', async () => {
    const fake = user('once', 'notes');
    await ask(fake, call(reader));
    const gone = new AbortController();
    fake.answer = ({ input }) => {
      gone.abort();
      return { kind: 'allow', input, scope: 'once' };
    };
    await assert.rejects(fake.approvals.request(call(), gone.signal));
    assert.deepEqual(
      fake.audit.map(({ outcome, because }) => [outcome, because]),
      [
        ['allowed', 'trusted'],
        ['cancelled', undefined],
      ],
    );
  });
});
