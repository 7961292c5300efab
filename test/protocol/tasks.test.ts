/** Tasks of revision 2025-11-25 with server-everything: both sides of them. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { callTool } from '../../src/host/tools/callTool.ts';
import type { ClientFeatures, Diagnostic, Session } from '../../src/mcp/session/session.ts';
import { listAll } from '../../src/mcp/client/listing.ts';
import type { Progress } from '../../src/mcp/rpc/peer.ts';
import type { Tool } from '../../src/mcp/types/lists.ts';
import { createConnector } from '../../src/host/servers/connector.ts';
import { createSchemaChecker } from '../../src/entries/schemas.ts';
import { closedAfterTest } from '../support/closing.ts';
import { everything, nodeLaunch } from '../support/realHost.ts';
import { textOf } from '../support/textOf.ts';
import { waitUntil } from '../support/waitUntil.ts';

/** Its tasks do nothing but wait, a second for each step. */
const hurried = fileURLToPath(new URL('../servers/hurried.mjs', import.meta.url));
const launch = nodeLaunch(['--import', hurried, everything, 'stdio']);
const research = 'simulate-research-query';
const limitMs = 40_000;

interface Reached {
  readonly session: Session;
  readonly tools: readonly Tool[];
  readonly texts: readonly string[];
}

async function opened(features: ClientFeatures): Promise<Reached> {
  const texts: string[] = [];
  const note = ({ text }: Diagnostic): unknown => texts.push(text);
  const session = await createConnector({ name: 'mcp-host-test', version: '1.0.0' }).connect({
    launch,
    features,
    timeouts: { startMs: 30_000, requestMs: 20_000, totalMs: 60_000 },
    onDiagnostic: note,
    signal: new AbortController().signal,
  });
  closedAfterTest(session);
  session.onDidDiagnose(note);
  // Some tools are added once the client is known.
  let isSettled = false;
  session.onDidChange(({ kind }) => (isSettled ||= kind === 'tools'));
  await waitUntil('all tools', () => isSettled, limitMs);
  return { session, tools: (await listAll(session, 'tools')).items, texts };
}

const decline: ClientFeatures = { elicit: async () => ({ action: 'decline' }) };

describe('tasks with server-everything', function () {
  this.timeout(120_000);
  it('TASK-03, TASK-04, TASK-05, TASK-06, TASK-13: a tool that runs as a task only is called like any other', async () => {
    const { session, tools } = await opened({});
    const tool = tools.find(({ name }) => name === research);
    assert.ok(tool);
    assert.equal(tool.execution?.taskSupport, 'required');
    const seen: Progress[] = [];
    const { signal } = new AbortController();
    const outcome = await callTool(
      { withSession: (run) => run(session, signal) },
      createSchemaChecker(),
      {
        tool,
        input: { topic: 'whales', ambiguous: false },
        signal,
        onProgress: (progress) => seen.push(progress),
      },
    );
    assert.equal(outcome.kind, 'result');
    assert.match(JSON.stringify(outcome.result.content), /Research Report: whales/);
    assert.ok(
      seen.some(({ message }) => message === 'Generating report...'),
      JSON.stringify(seen),
    );
  });

  it('TASK-07, TASK-09: what it asks meanwhile is answered', async () => {
    const asked: string[] = [];
    const elicit: ClientFeatures['elicit'] = async (request) => {
      asked.push(request.message);
      return { action: 'accept', content: { interpretation: 'snake' } };
    };
    const { session } = await opened({ elicit });
    const text = await textOf(session, research, { topic: 'python', ambiguous: true });
    assert.equal(asked.length, 1);
    assert.match(text, /Clarification\*\*: snake/);
  });

  it('TASK-01, TASK-16, TASK-17: what it asks of us as a task is acknowledged, polled for and fetched', async () => {
    const { session } = await opened(decline);
    const text = await textOf(session, 'trigger-elicitation-request-async');
    assert.match(text, /\[DECLINED\]/);
  });
});
