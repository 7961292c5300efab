import assert from 'node:assert/strict';
import { LogLevels } from '../../../../src/host/servers/logLevels.ts';
import { ServerOutput } from '../../../../src/host/servers/serverOutput.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { FakeLogs } from '../../../support/fakeLogs.ts';
import { FakeSession } from '../../../support/fakeSession.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

describe('LogLevels', () => {
  it('LOG-01: asks the server for the least of what its listeners want, once each', () => {
    const session = new FakeSession({ logging: {} });
    const output = new ServerOutput(new FakeLogs().open(stdioServer('a')), new FakeClock());
    const levels = new LogLevels(() => session, output);
    const [one, two] = [{}, {}];
    levels.set(one, 'warning');
    levels.set(two, 'error');
    levels.set(two, 'debug');
    levels.set(one, 'info');
    levels.set(two, undefined);
    levels.set(two, undefined);
    levels.set(one, undefined);
    assert.deepEqual(session.levels, ['warning', 'debug', 'info']);
  });
});
