import type { ApprovalScope, ServerConfig } from '../../../../src/host/config/serverConfig.ts';
import assert from 'node:assert/strict';
import { later, QuestionQueue } from '../../../../src/host/questions/questionQueue.ts';
import {
  type AccessDecision,
  type AccessQuestion,
  ExtensionAccess,
} from '../../../../src/host/extensions/extensionAccess.ts';
import { isCancelled, McpError } from '../../../../src/mcp/errors.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';
import { turns, waitUntil } from '../../../support/waitUntil.ts';

const never = new AbortController().signal;
const notes = stdioServer('notes');

class Fake {
  readonly asked: AccessQuestion[] = [];
  readonly workspaceMemory = new FakeMemory();
  readonly globalMemory = new FakeMemory();
  readonly questions = new QuestionQueue();
  answer: ApprovalScope | typeof later | undefined = 'once';
  whileAsked = (): void => undefined;
  access = this.inNextWindow();

  inNextWindow(): ExtensionAccess {
    return new ExtensionAccess({
      prompt: {
        confirmAccess: async (question) => {
          this.asked.push(question);
          this.whileAsked();
          return this.answer;
        },
      },
      questions: this.questions,
      memory: this.workspaceMemory,
      globalMemory: this.globalMemory,
    });
  }

  request(
    server: ServerConfig = notes,
    id = 'acme.notes',
    signal = never,
  ): Promise<AccessDecision> {
    const extension = { id, name: 'Acme Notes' };
    return this.access.request(
      { server, extension, wants: { kind: 'resource', uri: 'a:1' } },
      signal,
    );
  }
}

describe('ExtensionAccess', () => {
  it('asks each time, naming who says that it asks and what it wants, until the user says otherwise', async () => {
    const fake = new Fake();
    assert.equal(await fake.request(), 'asked');
    fake.answer = undefined;
    assert.equal(await fake.request(), 'denied');
    assert.deepEqual(
      fake.asked.map(({ extension, wants }) => [extension.id, wants]),
      Array.from({ length: 2 }, () => ['acme.notes', { kind: 'resource', uri: 'a:1' }]),
    );
    assert.deepEqual(fake.access.list(), []);
  });

  it('remembers a yes for one extension and one server, not for others', async () => {
    const fake = new Fake();
    fake.answer = 'session';
    await fake.request();
    fake.answer = undefined;
    assert.equal(await fake.request(), 'remembered');
    assert.equal(await fake.request(notes, 'other.extension'), 'denied');
    assert.equal(await fake.request(stdioServer('mail')), 'denied');
    assert.equal(await fake.request({ ...notes, id: 'user/x' }), 'denied', 'of the same entry');
    fake.answer = 'session';
    await fake.request(notes, 'other.extension');
    await fake.request(stdioServer('mail'));
    assert.equal(fake.access.list().length, 3);
  });

  it('asks again when the entry of the server is another', async () => {
    const fake = new Fake();
    fake.answer = 'always';
    await fake.request();
    fake.answer = undefined;
    const launch = { kind: 'stdio', command: 'another', args: [], env: {} } as const;
    assert.equal(await fake.request(stdioServer('notes', { launch })), 'denied');
  });

  it('offers and takes "always" for servers of the user alone', async () => {
    const fake = new Fake();
    const scope = { kind: 'extension', id: 'acme.servers', name: 'Acme' } as const;
    const contributed = stdioServer('notes', { scope });
    fake.answer = 'always';
    await fake.request(contributed);
    assert.deepEqual(fake.asked[0]?.scopes, ['session', 'workspace']);
    assert.deepEqual(fake.access.list(), []);
    fake.globalMemory.values.set('mcpHost.extensionAccess', [
      { ...first(await remembered(fake)), serverId: contributed.id },
    ]);
    fake.answer = undefined;
    assert.equal(await fake.request(contributed), 'denied');
  });

  it('takes back what was remembered, and does without what is stored in another form', async () => {
    const fake = new Fake();
    await remembered(fake);
    for (const scope of ['session', 'workspace', 'always'] as const) {
      fake.answer = scope;
      await fake.request(stdioServer(scope));
    }
    for (const access of fake.access.list()) {
      await fake.access.revoke(access);
    }
    assert.deepEqual(fake.access.list(), []);
    fake.workspaceMemory.values.set('mcpHost.extensionAccess', [{ extension: 1 }, 'x']);
    assert.deepEqual(fake.access.list(), []);
  });

  it('TRAP-52: takes no late yes for an answer that counts for longer', async () => {
    const fake = new Fake();
    fake.answer = 'always';
    const controller = new AbortController();
    fake.whileAsked = () => controller.abort(new McpError('cancelled', 'given up'));
    await assert.rejects(fake.request(notes, 'acme.notes', controller.signal), isCancelled);
    await turns();
    assert.deepEqual(fake.access.list(), []);
  });

  it('"Later" lets the next question through; a caller that gives up ends the wait', async () => {
    const fake = new Fake();
    fake.answer = later;
    const controller = new AbortController();
    const extension = { id: 'acme.notes', name: 'Acme Notes' };
    const waiting = fake.access.request(
      { server: notes, extension, wants: { kind: 'prompt', name: 'p' } },
      controller.signal,
    );
    await waitUntil('the question to wait', () => fake.questions.waiting.length === 1);
    controller.abort(new McpError('cancelled', 'given up'));
    await assert.rejects(waiting, isCancelled);
    assert.deepEqual(fake.questions.open, []);
  });
});

async function remembered(fake: Fake): Promise<ReturnType<ExtensionAccess['list']>> {
  fake.answer = 'always';
  await fake.request();
  return fake.access.list();
}

function first<T>(items: readonly T[]): T {
  const [item] = items;
  assert.ok(item !== undefined);
  return item;
}
