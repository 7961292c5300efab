/**
 * The client that the conformance suite starts, with the URL of its server as the last argument: the
 * connector and the handlers of the extension, and a user who sends every form as it comes.
 * `MCP_CONFORMANCE_SCENARIO` names what it has to do.
 */
import assert from 'node:assert/strict';
import { Elicitation } from '../../src/host/asks/elicitation.ts';
import type { ElicitationUi } from '../../src/host/asks/elicitationUi.ts';
import { featuresFor } from '../../src/host/asks/features.ts';
import { QuestionQueue } from '../../src/host/asks/questionQueue.ts';
import type { ServerConfig } from '../../src/host/config/serverConfig.ts';
import { WorkspaceRoots } from '../../src/host/roots.ts';
import { systemClock } from '../../src/host/servers/clock.ts';
import type { Session } from '../../src/mcp/era/session.ts';
import { createConnector } from '../../src/protocol.ts';
import { createSchemaChecker } from '../../src/schemas.ts';
import { FakeWorkspace } from '../support/fakeWorkspace.ts';
import { stdioServer } from '../support/serverConfigs.ts';

const scenarios: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
  'elicitation-sep1034-client-defaults': (session) =>
    session.call('tools/call', { name: 'test_client_elicitation_defaults', arguments: {} }),
};

const asPrefilled: ElicitationUi = {
  fillForm: async ({ draft }) => (draft.review().kind === 'complete' ? 'accept' : 'decline'),
  confirmLink: async () => 'decline',
  awaitReturn: async () => 'cancel',
  openLink: async () => false,
  tell: () => undefined,
};

const url = process.argv.at(-1);
const run = scenarios[process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''];
assert.ok(url && run, 'Started by the conformance suite, for a scenario that is known here');

const server: ServerConfig = stdioServer('conformance', {
  launch: { kind: 'http', url, headers: {} },
});
const elicitation = new Elicitation({
  questions: new QuestionQueue(),
  ui: asPrefilled,
  checker: createSchemaChecker,
  clock: systemClock,
});
const session = await createConnector({ name: 'mcp-host', version: '0.0.0' }).connect({
  launch: { kind: 'http', url, headers: {} },
  features: featuresFor(server, {
    roots: new WorkspaceRoots(new FakeWorkspace([])),
    elicitation: () => elicitation,
  }),
  timeouts: server.timeouts,
  onDiagnostic: () => undefined,
  signal: new AbortController().signal,
});
try {
  await run(session);
} finally {
  await session.close();
}
