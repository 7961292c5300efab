/** What the inspector sees of real servers, over every transport at every revision, and what it does not show. */
import type { ResolvedLaunch } from '../../src/host/launch/launchGate.ts';
import assert from 'node:assert/strict';
import { Redactor } from '../../src/base/log.ts';
import { toJsonLines } from '../../src/host/inspector/filterAndExport.ts';
import { MessageRecorder } from '../../src/host/inspector/messageRecorder.ts';
import { ServerMemory } from '../../src/host/servers/serverMemory.ts';
import { isMessage, type Seen, type SeenExchange } from '../../src/host/inspector/seenMessage.ts';
import type { MessageTap } from '../../src/mcp/messageTap.ts';
import { createConnector } from '../../src/host/servers/connector.ts';
import { startHost } from '../servers/matrix/matrixHosts.ts';
import { closedAfterTest } from '../support/closing.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { type Cell, cells } from './matrixScenarios.ts';

const secrets = ['key-of-the-settings', 'known-to-the-redactor', 'session-of-the-matrix'] as const;

async function record(cell: Cell): Promise<void> {
  const server = closedAfterTest(await startHost(cell.transport, cell.revision));
  const redactor = new Redactor();
  redactor.add(secrets[1]);
  const recorder = new MessageRecorder(redactor, () => undefined, new ServerMemory().open());
  const tap: MessageTap = { observer: recorder };
  const session = await createConnector({ name: 'inspected', version: '1.0.0' }).connect({
    launch: withSecrets(server.launch),
    entry: { ...stdioServer('inspected'), protocol: cell.revision },
    features: {},
    timeouts: { startMs: 30_000, requestMs: 30_000, totalMs: 60_000 },
    tap,
    onDiagnostic: () => undefined,
    signal: new AbortController().signal,
  });
  closedAfterTest(session);
  await session.call('tools/list', {}, { isFresh: true });
  tap.observer = undefined;
  const before = recorder.buffer.size;
  await session.call('tools/list', {}, { isFresh: true });
  assert.equal(recorder.buffer.size, before, 'nothing is seen while nobody looks');
  tap.observer = recorder;
  await session.call('tools/list', {}, { isFresh: true });
  await session.close();
  const messages = recorder.buffer.all().filter(isMessage);
  checkMessages(cell, messages);
  const exchanges = recorder.buffer
    .all()
    .flatMap((seen) => (seen.kind === 'response' ? [] : seen.exchanges));
  checkExchanges(cell, exchanges);
  const exported = toJsonLines('inspected', recorder.buffer.all(), redactor);
  for (const secret of secrets) {
    assert.ok(!exported.includes(secret), `${secret} is in the export`);
  }
  for (const line of exported.trim().split('\n')) {
    assert.equal(typeof JSON.parse(line), 'object');
  }
}

function withSecrets(launch: ResolvedLaunch): ResolvedLaunch {
  return launch.kind === 'stdio'
    ? launch
    : {
        ...launch,
        url: `${launch.url}?token=${secrets[1]}`,
        headers: { 'x-acme': secrets[0], authorization: `Bearer ${secrets[1]}` },
      };
}

function checkMessages({ revision }: Cell, messages: readonly Seen[]): void {
  const isModern = revision === '2026-07-28';
  assert.equal(messages[0]?.method, isModern ? 'server/discover' : 'initialize');
  const lists = messages.filter(({ method }) => method === 'tools/list');
  assert.deepEqual(
    lists.map(({ direction, kind, outcome, revision: own }) => [direction, kind, outcome, own]),
    [
      ['sent', 'request', 'done', revision],
      ['received', 'response', 'done', revision],
      ['sent', 'request', 'done', revision],
      ['received', 'response', 'done', revision],
    ],
  );
}

function checkExchanges({ transport }: Cell, exchanges: readonly SeenExchange[]): void {
  if (transport === 'stdio') {
    assert.deepEqual(exchanges, []);
    return;
  }
  const [first] = exchanges;
  const ours = new Map(first?.sent);
  assert.match(first?.url ?? '', /\?token=\*\*\*$/u);
  assert.deepEqual([ours.get('x-acme'), ours.get('authorization')], ['***', '***']);
  const isOpened = ({ status = 0 }: SeenExchange): boolean =>
    transport === 'WebSocket' ? status === 101 : status >= 200 && status < 300;
  assert.ok(exchanges.every(isOpened));
}

describe('The inspector sees the messages of', () => {
  for (const cell of cells) {
    it(`${cell.transport}, ${cell.revision}, without secrets, and nothing while nobody looks`, () =>
      record(cell));
  }
});
