/** ServerLogs that keep their lines, and which logs are open. */
import type { ServerLogs } from '../../src/host/servers/serverOutput.ts';
import { createLog, type Log, Redactor } from '../../src/base/log.ts';
import type { ServerConfig, ServerId } from '../../src/host/config/serverConfig.ts';

export class FakeLogs implements ServerLogs {
  /** `severity line`, of all servers. */
  readonly lines: string[] = [];
  readonly closed: ServerId[] = [];
  readonly hostLog: Log = this.#create(new Redactor());

  open(_server: ServerConfig): { readonly log: Log; readonly redactor: Redactor } {
    const redactor = new Redactor();
    return { log: this.#create(redactor), redactor };
  }

  close(id: ServerId): void {
    this.closed.push(id);
  }

  #create(redactor: Redactor): Log {
    return createLog((severity, line) => this.lines.push(`${severity} ${line}`), redactor);
  }
}
