/** What the inspector of a server looks at, before the server is there and once it is. */
import assert from 'node:assert/strict';
import { ObservedServer } from '../../src/vscode/inspector/observedServer.ts';
import { ServerMemory } from '../../src/host/servers/serverMemory.ts';
import { FakeLogs } from '../support/fakeLogs.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { until } from './support/host.ts';
import { createTree, type TreeOfTests } from './support/treeParts.ts';

const late = stdioServer('late', { startup: 'auto' });

describe('the inspector', () => {
  let parts: TreeOfTests;
  let observed: ObservedServer;

  beforeEach(() => {
    parts = createTree({ 'resources/list': () => ({ resources: [] }) });
    const services = { host: parts.host, logs: new FakeLogs(), serverMemory: new ServerMemory() };
    observed = new ObservedServer(late.id, services);
  });

  afterEach(() => {
    observed.dispose();
    parts.tree.dispose();
    parts.host.dispose();
  });

  function events(): readonly string[] {
    return observed.recorder.buffer
      .all()
      .flatMap((seen) => (seen.kind === 'event' ? [seen.method] : []));
  }

  it('waits for a server that is in no settings yet, and looks at it from its start on', async () => {
    assert.deepEqual(events(), [
      'The server is not in the settings. Its messages appear here once it is added',
    ]);
    parts.reconcile(late);
    const connection = parts.host.servers.get(late.id);
    assert.equal(observed.connection, connection);
    assert.equal(connection?.tap.observer, observed.recorder);
    await until('the start', () => events().some((text) => text.includes('is ready')));
    assert.deepEqual(events().slice(1, 4), [
      'The server is in the settings now',
      'The server is stopped',
      'The server is starting',
    ]);
  });

  it('goes on when the entry is another, or gone and back', async () => {
    parts.reconcile(late);
    parts.reconcile({ ...late, isEnabled: false });
    parts.reconcile();
    parts.reconcile(late);
    const told = events().filter((text) => /settings|entry/u.test(text));
    assert.deepEqual(told.slice(1), [
      'The server is in the settings now',
      'The entry of the server was changed',
      'The server is no longer in the settings',
      'The server is in the settings now',
    ]);
    assert.equal(observed.connection, parts.host.servers.get(late.id));
  });
});
