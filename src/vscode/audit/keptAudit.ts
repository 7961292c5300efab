/**
 * The audit as the extension holds it: its bundle is loaded with the first entry or command, and its failures reach no
 * caller.
 */
import type { Audit, AuditEntry } from '../../host/audit/audit.ts';
import type { CommandHandlers } from '../commands/registerCommands.ts';
import type { AuditParts } from './createAudit.ts';

export class KeptAudit implements Audit {
  readonly #load: () => AuditParts;
  readonly #onError: (error: unknown) => void;
  #parts: AuditParts | undefined;

  constructor(load: () => AuditParts, onError: (error: unknown) => void) {
    this.#load = load;
    this.#onError = onError;
  }

  record(entry: AuditEntry): void {
    try {
      this.#loaded().log.record(entry);
    } catch (error) {
      this.#onError(error);
    }
  }

  get commands(): CommandHandlers {
    return {
      openAuditLog: () => this.#loaded().commands.openAuditLog(),
      exportAuditLog: (target) => this.#loaded().commands.exportAuditLog(target),
    };
  }

  /** Resolves when all entries are written, or have failed. */
  async close(): Promise<void> {
    await this.#parts?.log.flush();
  }

  #loaded(): AuditParts {
    this.#parts ??= this.#load();
    return this.#parts;
  }
}
