/** Stores the output of servers. Implemented by the editor. */
import type { Log, Redactor } from '../../base/log.ts';
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';

/** One log per server, with a redactor that knows the secrets of that server. */
export interface ServerLogs {
  open(server: ServerConfig): { readonly log: Log; readonly redactor: Redactor };
  close(id: ServerId): void;
}
