/** Elicitation over stdio: a scripted server asks, the host's own code answers. */
import assert from 'node:assert/strict';
import { noAudit } from '../../src/host/audit/audit.ts';
import { Elicitation } from '../../src/host/elicitation/elicitation.ts';
import { featuresFor, visitsFor } from '../../src/host/servers/features.ts';
import { QuestionQueue } from '../../src/host/questions/questionQueue.ts';
import { WorkspaceRoots } from '../../src/host/roots/workspaceRoots.ts';
import { systemClock } from '../../src/base/clock.ts';
import { callTool } from '../../src/host/tools/callTool.ts';
import type { Binding } from '../../src/mcp/client/connect.ts';
import { createStdioTransport } from '../../src/mcp/transport/stdio/stdio.ts';
import type { Revision } from '../../src/mcp/revisions.ts';
import type { Session } from '../../src/mcp/session/session.ts';
import { createSchemaChecker } from '../../src/entries/schemas.ts';
import { FakeElicitationUi } from '../support/fakeElicitationUi.ts';
import { FakeWorkspace } from '../support/fakeWorkspace.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { openStdio, textOf } from '../support/stdioSession.ts';
import { turns, waitUntil } from '../support/waitUntil.ts';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../servers/elicit.mjs', import.meta.url));
const config = stdioServer('booking');
const stopTimes = { afterEndOfInputMs: 2_000, afterTermMs: 2_000, afterKillMs: 5_000 };

interface Setup {
  readonly session: Session;
  readonly ui: FakeElicitationUi;
  readonly questions: QuestionQueue;
  readonly visits: ReturnType<typeof visitsFor>;
}

async function withServer(revision: Revision, use: (setup: Setup) => Promise<void>): Promise<void> {
  const ui = new FakeElicitationUi();
  const questions = new QuestionQueue();
  const service = new Elicitation({
    questions,
    ui,
    checker: createSchemaChecker,
    clock: systemClock,
    audit: noAudit,
  });
  const handlers = {
    roots: new WorkspaceRoots(new FakeWorkspace([])),
    elicitation: () => service,
    audit: noAudit,
  };
  const env = { ...process.env, REVISION: revision };
  const binding: Binding = {
    label: 'stdio',
    wire: 'pipe',
    eras: ['legacy'],
    connect: () =>
      createStdioTransport({ command: process.execPath, args: [script], env, stopTimes }),
  };
  const { session } = await openStdio(binding, { features: featuresFor(config, handlers) });
  try {
    await use({ session, ui, questions, visits: visitsFor(config, handlers) });
  } finally {
    await session.close();
  }
}

async function fill(
  ui: FakeElicitationUi,
  inputs: Readonly<Record<string, string | boolean | readonly string[]>>,
): Promise<void> {
  const { question } = await ui.next('form');
  for (const field of question.draft.form.fields) {
    if (field.key in inputs) {
      question.draft.set(field, inputs[field.key]);
    }
  }
}

describe('Elicitation over stdio', function () {
  this.timeout(30_000);
  it('ELIC-17, ELIC-19: 2025-06-18: what was left empty is absent on the wire', async () => {
    await withServer('2025-06-18', async ({ session, ui }) => {
      const answer = textOf(session, 'ask');
      await fill(ui, { name: 'Ada', seats: '2' });
      ui.answer('accept');
      assert.deepEqual(JSON.parse(await answer), {
        action: 'accept',
        content: { name: 'Ada', seats: 2, window: false },
      });
    });
  });

  it('ELIC-15, ELIC-16: 2025-11-25: lists, and falsy defaults of every kind', async () => {
    await withServer('2025-11-25', async ({ session, ui }) => {
      const answer = textOf(session, 'ask');
      await fill(ui, { name: 'Ada', seats: '2', meal: 'fish', extras: ['wifi', 'bag'] });
      ui.answer('accept');
      assert.deepEqual(JSON.parse(await answer), {
        action: 'accept',
        content: {
          name: 'Ada',
          seats: 2,
          budget: 0,
          window: false,
          meal: 'fish',
          extras: ['bag', 'wifi'],
        },
      });
    });
  });

  it('ELIC-05: decline and cancel reach the server as such', async () => {
    await withServer('2025-06-18', async ({ session, ui }) => {
      for (const action of ['decline', 'cancel'] as const) {
        const answer = textOf(session, 'ask');
        await ui.next('form');
        ui.answer(action);
        assert.deepEqual(JSON.parse(await answer), { action });
      }
    });
  });

  it('ELIC-08: a nested form is refused with the name of the field', async () => {
    await withServer('2025-11-25', async ({ session, ui }) => {
      const schema = { type: 'object', properties: { trip: { type: 'object' } } };
      const { code, message } = JSON.parse(await textOf(session, 'ask', { schema }));
      assert.equal(code, -32602);
      assert.match(message, /"trip"/);
      assert.deepEqual(ui.history, []);
    });
  });

  it('ELIC-03: 2025-06-18 has no URL mode', async () => {
    await withServer('2025-06-18', async ({ session, ui }) => {
      const { code } = JSON.parse(await textOf(session, 'link'));
      assert.equal(code, -32602);
      assert.deepEqual(ui.history, []);
    });
  });

  it('CAP-03: 2025-03-26 has no elicitation', async () => {
    await withServer('2025-03-26', async ({ session }) => {
      assert.equal(JSON.parse(await textOf(session, 'ask')).code, -32601);
    });
  });

  it('CANC-03: a withdrawn question goes, and nothing is sent', async () => {
    await withServer('2025-11-25', async ({ session, ui, questions }) => {
      const answer = textOf(session, 'withdraw', { afterMs: 200 });
      await ui.next('form');
      assert.equal(JSON.parse(await answer), 'withdrawn');
      assert.equal(ui.shown, undefined);
      assert.deepEqual(questions.open, []);
    });
  });

  it('ends what is on the screen when the server goes away', async () => {
    await withServer('2025-11-25', async ({ session, ui, questions }) => {
      const answer = textOf(session, 'ask').catch(() => 'closed');
      await ui.next('form');
      await session.close();
      assert.equal(await answer, 'closed');
      await turns();
      assert.equal(ui.shown, undefined);
      assert.deepEqual(questions.open, []);
    });
  });

  it('ELIC-22, ELIC-26, ELIC-27: consent first, then the visit, then the notification', async () => {
    await withServer('2025-11-25', async ({ session, ui, questions }) => {
      const answer = textOf(session, 'link');
      const { question } = await ui.next('link');
      assert.equal(await textOf(session, 'visits'), '0');
      ui.answer('accept');
      assert.deepEqual(JSON.parse(await answer), { action: 'accept' });
      await waitUntil('the wait', () => questions.waiting.length === 1);
      assert.equal(await textOf(session, 'visits'), '0');
      await fetch(question.link.href, { headers: { connection: 'close' } });
      await waitUntil('the notification', () => ui.notices.length > 0);
      assert.equal(ui.notices[0]?.kind, 'completed');
      assert.deepEqual(questions.open, []);
    });
  });

  it('ELIC-29: error -32042 leads through the page to one retry', async () => {
    await withServer('2025-11-25', async ({ session, ui, visits }) => {
      const never = new AbortController().signal;
      const outcome = callTool(
        { withSession: (use, signal) => use(session, signal) },
        createSchemaChecker(),
        {
          tool: { name: 'needsLink', inputSchema: { type: 'object' } },
          input: {},
          signal: never,
          ...visits,
        },
      );
      const { question } = await ui.next('link');
      ui.answer('accept');
      await ui.next('return');
      await fetch(question.link.href, { headers: { connection: 'close' } });
      const done = await outcome;
      assert.ok(done.kind === 'result');
      assert.deepEqual(done.result.content, [{ type: 'text', text: '"paid"' }]);
    });
  });
});
