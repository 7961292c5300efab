/** Logs that keep nothing, for tests that measure memory. */
import type { ServerLogs } from '../../src/host/servers/serverOutput.ts';
import { createLog, type Log, Redactor } from '../../src/base/log.ts';

export const silentLog: Log = createLog(() => undefined, new Redactor());

export const silentLogs: ServerLogs = {
  open: () => ({ log: silentLog, redactor: new Redactor() }),
  close: () => undefined,
};
