import assert from 'node:assert/strict';
import type { AuditEntry } from '../../../../src/host/audit/audit.ts';
import type { ServerConfig } from '../../../../src/host/config/serverConfig.ts';
import type { AccessDecision } from '../../../../src/host/extensions/extensionAccess.ts';
import { ExtensionCalls } from '../../../../src/host/extensions/extensionCalls.ts';
import { McpError } from '../../../../src/mcp/errors.ts';
import type { Prompt, Tool } from '../../../../src/mcp/types/lists.ts';
import { createSchemaChecker } from '../../../../src/entries/schemas.ts';
import { FakeAgentServer } from '../../../support/fakeAgent.ts';
import { FakeApprovals } from '../../../support/fakeApprovals.ts';

const never = new AbortController().signal;
const extension = { id: 'acme.notes', name: 'Acme Notes' };
const tool: Tool = {
  name: 'add',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
  annotations: { readOnlyHint: true },
};
const ofApps: Tool = { ...tool, name: 'ofApps', _meta: { ui: { visibility: ['app'] } } };
const contents = [{ uri: 'a:1', kind: 'text', text: 'contents' }] as const;
const prompt: Prompt = { name: 'greet', arguments: [{ name: 'who', required: true }] };
interface World {
  readonly server: FakeAgentServer;
  readonly fake: FakeApprovals;
  readonly calls: ExtensionCalls;
  readonly audit: AuditEntry[];
  /** As configured. */
  readonly servers: Map<string, FakeAgentServer>;
  decision: AccessDecision;
  /** Happens while the user is asked for access. */
  whileAsked: () => void;
  isOn: boolean;
}

function world(more: Partial<ServerConfig> = {}): World {
  const fake = new FakeApprovals();
  const server = new FakeAgentServer('notes', [tool, ofApps], more);
  server.prompts = [prompt];
  server.contents = contents;
  server.session.answers['prompts/get'] = () => ({ messages: [] });
  const checker = createSchemaChecker();
  const audit = { record: (entry: AuditEntry) => void fake.audit.push(entry) };
  const made: Omit<World, 'calls'> = {
    server,
    fake,
    audit: fake.audit,
    servers: new Map([[server.id, server]]),
    decision: 'asked',
    whileAsked: () => undefined,
    isOn: true,
  };
  const services = {
    servers: () => made.servers,
    approvals: fake.approvals,
    access: {
      request: async () => {
        made.whileAsked();
        return made.decision;
      },
    },
    selection: { isOn: () => made.isOn },
    checker: () => checker,
    callServices: (config: ServerConfig) => ({ recorded: { audit, server: config } }),
    audit,
  };
  return Object.assign(made, { calls: new ExtensionCalls(services, extension) });
}

function rejectsWith(code: string, promise: Promise<unknown>): Promise<void> {
  return assert.rejects(promise, (error) => error instanceof McpError && error.code === code);
}

describe('ExtensionCalls', () => {
  it('TOOL-06, HOST-07: asks before a tool runs, naming the extension, also of a server that the user trusts, and records it', async () => {
    const { audit, calls, fake, server } = world();
    fake.trustedNames = ['notes'];
    const { result, input } = await calls.callTool(server.id, 'add', { a: 1 }, { signal: never });
    assert.deepEqual(result.content, [{ type: 'text', text: 'done' }]);
    assert.deepEqual(input, { a: 1 });
    const [question] = fake.asked;
    assert.deepEqual([question?.caller, question?.extension], ['extension', extension]);
    assert.deepEqual(server.called, [{ name: 'add', input: { a: 1 } }]);
    assert.deepEqual(
      audit.map(({ event, caller, extension: id, outcome }) => [event, caller, id, outcome]),
      [
        ['approval', 'extension', extension.id, 'allowed'],
        ['toolCall', 'extension', extension.id, 'done'],
      ],
    );
  });

  it('keeps approvals for each extension apart, and from those for models', async () => {
    const { calls, fake, server } = world();
    fake.answer = ({ input }) => ({ kind: 'allow', input, scope: 'workspace' });
    await calls.callTool(server.id, 'add', { a: 1 }, { signal: never });
    assert.deepEqual(
      fake.approvals.list().map((approval) => approval.extension),
      [extension.id],
    );
    fake.answer = () => ({ kind: 'deny' });
    await calls.callTool(server.id, 'add', { a: 2 }, { signal: never });
    const request = { server: server.config, tool, input: {} } as const;
    const other = { caller: 'extension', extension: { id: 'b.c', name: 'B' } } as const;
    for (const caller of [{ caller: 'model' } as const, other]) {
      const { kind } = await fake.approvals.request({ ...request, ...caller }, never);
      assert.equal(kind, 'denied');
    }
    for (const approval of fake.approvals.list()) {
      await fake.approvals.revoke(approval);
    }
    await rejectsWith('denied', calls.callTool(server.id, 'add', { a: 3 }, { signal: never }));
  });

  it('HOST-11: sends the input as the user saw it last', async () => {
    const { calls, fake, server } = world();
    fake.answer = () => ({ kind: 'allow', input: { a: 2 }, scope: 'once' });
    const { input } = await calls.callTool(server.id, 'add', { a: 1 }, { signal: never });
    assert.deepEqual([input, server.called], [{ a: 2 }, [{ name: 'add', input: { a: 2 } }]]);
  });

  it('sends nothing that the user denied, switched off, that is for apps alone, or that does not fit', async () => {
    const made = world();
    const { calls, fake, server } = made;
    fake.answer = () => ({ kind: 'deny' });
    await rejectsWith('denied', calls.callTool(server.id, 'add', { a: 1 }, { signal: never }));
    await rejectsWith('invalidInput', calls.callTool(server.id, 'add', {}, { signal: never }));
    await rejectsWith('invalidInput', calls.callTool(server.id, 'no', {}, { signal: never }));
    const input = { a: 1 };
    await rejectsWith(
      'invalidInput',
      calls.callTool(server.id, 'ofApps', input, { signal: never }),
    );
    await rejectsWith('invalidInput', calls.callTool('user/no', 'add', {}, { signal: never }));
    made.isOn = false;
    await rejectsWith('denied', calls.callTool(server.id, 'add', { a: 1 }, { signal: never }));
    assert.deepEqual(server.called, []);
    assert.equal(fake.asked.length, 1);
  });

  it('starts a server that runs on demand, and no other', async () => {
    const lazy = world({ startup: 'onDemand' });
    lazy.server.state = { kind: 'stopped' };
    await lazy.calls.callTool(lazy.server.id, 'add', { a: 1 }, { signal: never });
    assert.equal(lazy.server.starts, 1);
    const manual = world();
    manual.server.state = { kind: 'stopped' };
    const call = manual.calls.callTool(manual.server.id, 'add', { a: 1 }, { signal: never });
    await rejectsWith('closed', call);
    assert.equal(manual.server.starts, 0);
  });

  it('HOST-07: reads a resource and gets a prompt after a yes, and records either', async () => {
    const made = world();
    const { calls, server, audit } = made;
    assert.deepEqual(await calls.readResource(server.id, 'a:1', never), contents);
    made.decision = 'remembered';
    await calls.getPrompt(server.id, 'greet', { who: 'me' }, never);
    assert.deepEqual(
      audit.map(({ event, extension: id, prompt: name, by, outcome }) => [
        event,
        id,
        name,
        by,
        outcome,
      ]),
      [
        ['resourceRead', extension.id, undefined, 'hand', 'done'],
        ['promptUse', extension.id, 'greet', 'rule', 'done'],
      ],
    );
  });

  it('reads nothing of an entry that took the place of the one that the user was asked about', async () => {
    const made = world();
    const { calls, server, servers } = made;
    const next = world().server;
    made.whileAsked = () => {
      server.state = { kind: 'stopped' };
      servers.set(server.id, next);
    };
    await rejectsWith('closed', calls.readResource(server.id, 'a:1', never));
    assert.deepEqual([server.read, next.read], [[], []]);
  });

  it('reads nothing, and starts nothing, without a yes', async () => {
    const made = world({ startup: 'onDemand' });
    const { calls, server, audit } = made;
    server.state = { kind: 'stopped' };
    made.decision = 'denied';
    await rejectsWith('denied', calls.readResource(server.id, 'a:1', never));
    await rejectsWith('denied', calls.getPrompt(server.id, 'greet', {}, never));
    assert.equal(server.starts, 0);
    assert.deepEqual(
      audit.map(({ outcome }) => outcome),
      ['denied', 'denied'],
    );
    made.decision = 'remembered';
    await rejectsWith('invalidInput', calls.getPrompt(server.id, 'greet', {}, never));
    await rejectsWith('invalidInput', calls.getPrompt(server.id, 'no', {}, never));
  });
});
