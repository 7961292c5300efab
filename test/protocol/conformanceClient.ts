/**
 * The client that the conformance suite starts, with the URL of its server as the last argument: the
 * connector and the handlers of the extension, and a user who says yes to every question.
 *
 * `MCP_CONFORMANCE_SCENARIO` names what it has to do, `MCP_CONFORMANCE_PROTOCOL_VERSION` the revision,
 * `MCP_CONFORMANCE_CONTEXT` has what else there is to know. `CLIENT_DONE` is a file of ours that is
 * written when it has come to its end, since the suite lets some of its clients fail.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { noAudit } from '../../src/host/audit/audit.ts';
import { Elicitation } from '../../src/host/elicitation/elicitation.ts';
import type { ElicitationUi } from '../../src/host/elicitation/elicitationUi.ts';
import { featuresFor } from '../../src/host/servers/features.ts';
import { QuestionQueue } from '../../src/host/questions/questionQueue.ts';
import type { ServerConfig } from '../../src/host/config/serverConfig.ts';
import { WorkspaceRoots } from '../../src/host/roots/workspaceRoots.ts';
import { toBindings } from '../../src/host/servers/bindings.ts';
import { systemClock } from '../../src/base/clock.ts';
import { connect } from '../../src/mcp/client/connect.ts';
import { isMcpError } from '../../src/mcp/errors.ts';
import { extensionIds } from '../../src/mcp/extensions.ts';
import { type Revision, isRevision } from '../../src/mcp/revisions.ts';
import { createSchemaChecker } from '../../src/entries/schemas.ts';
import { FakeWorkspace } from '../support/fakeWorkspace.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { authorizerFor } from './conformanceSignIn.ts';
import { WireTap } from '../support/wire/wireTap.ts';
import { type Context, refused, type Scenario, scenarioOf } from './conformanceScenarios.ts';

const yes: ElicitationUi = {
  fillForm: async ({ draft }) => {
    for (const field of draft.form.fields) {
      if (field.kind === 'boolean' && draft.inputOf(field) === undefined) {
        draft.set(field, true);
      }
    }
    return (await draft.review()).kind === 'complete' ? 'accept' : 'decline';
  },
  confirmLink: async () => 'decline',
  awaitReturn: async () => 'cancel',
  openLink: async () => false,
  tell: () => undefined,
};

const newest: readonly Revision[] = ['2026-07-28', '2025-11-25'];

const url = process.argv.at(-1);
const {
  MCP_CONFORMANCE_SCENARIO: scenario = '',
  MCP_CONFORMANCE_PROTOCOL_VERSION: revision,
  MCP_CONFORMANCE_CONTEXT: context = '{}',
  CLIENT_DONE: doneFile,
} = process.env;
const run = scenarioOf(scenario);
assert.ok(
  url && doneFile && run,
  `Started by the conformance suite, for what is known: ${scenario}`,
);
assert.ok(isRevision(revision), `a revision that is not known: ${String(revision)}`);
const told: Context = JSON.parse(context);

// Not every scenario of the suite looks at the schema.
const tap = new WireTap();
tap.install();

const server: ServerConfig = stdioServer('conformance', {
  launch: { kind: 'http', url, headers: {} },
});
const elicitation = new Elicitation({
  questions: new QuestionQueue(),
  ui: yes,
  checker: createSchemaChecker,
  clock: systemClock,
  audit: noAudit,
});
const { startMs, requestMs, totalMs } = server.timeouts;
const used = use(url, run, revision);
await (refused.has(scenario) ? assert.rejects(used, isStopped) : used);
assert.deepEqual(tap.takeProblems(), []);
assert.ok(tap.checked > 0, 'nothing was sent');
await writeFile(doneFile, 'done');

async function use(target: string, act: Scenario, wanted: Revision): Promise<void> {
  const session = await connect(
    toBindings(
      { kind: 'http', url: target, headers: {} },
      scenario.startsWith('auth/')
        ? { authorizer: authorizerFor(target, scenario, wanted, JSON.parse(context)) }
        : {},
    ),
    {
      client: { name: 'mcp-host', version: '0.0.0' },
      features: featuresFor(server, {
        roots: new WorkspaceRoots(new FakeWorkspace([])),
        extensions: extensionIds,
        elicitation: () => elicitation,
        sampling: () => assert.fail('no scenario samples'),
      }),
      times: { idleMs: requestMs, totalMs },
      openMs: startMs,
      // The newest of each era is found by probe and handshake; the suite's server takes any that is offered.
      // Where the suite names no revision its server speaks several, and one is wanted.
      protocol: newest.includes(wanted) && !scenario.startsWith('sep-2640') ? 'auto' : wanted,
    },
    new AbortController().signal,
    ({ text }) => process.stderr.write(`${text}\n`),
  );
  try {
    assert.equal(session.server.revision, wanted);
    await act(session, told);
  } finally {
    await session.close();
  }
}

/** For a reason of ours: anything else would be a fault. */
function isStopped(error: unknown): boolean {
  return isMcpError(error) && ['protocol', 'unauthorized'].includes(error.code);
}
