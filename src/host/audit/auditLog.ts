/** Stores the audit, an entry as a line of JSON, in files that all windows write to. */
import { RateLimit } from '../../base/rateLimit.ts';
import type { Audit, AuditEntry } from './audit.ts';
import { isString } from '../../base/json.ts';
import { truncated } from '../../base/text.ts';
import { unseen } from '../../base/unseen.ts';
import { LineFiles } from './lineFiles.ts';

/** Limits of the stored audit: ten files of about a megabyte. */
export const auditLimits = {
  fileBytes: 1_000_000,
  files: 10,
  pendingLines: 2_000,
  /** Per server, which may ask without end: its refusals must not displace other entries. */
  refusalsPerMinute: 60,
} as const;

interface AuditLogParts {
  /** Of the machine that the extension runs on; all windows share it. */
  readonly folder: string;
  /** The name of the workspace, empty without one: several windows write. */
  readonly workspace: string;
  readonly now: () => Date;
  /** Called once, until writing works again. */
  readonly onFailure: (error: unknown) => void;
}

export class AuditLog implements Audit {
  readonly #parts: AuditLogParts;
  readonly #refusals: RateLimit;
  readonly #lines: LineFiles;

  constructor(parts: AuditLogParts) {
    this.#parts = parts;
    const { folder, workspace, now, onFailure } = parts;
    this.#refusals = new RateLimit(auditLimits.refusalsPerMinute, {
      now: () => now().getTime(),
    });
    const { fileBytes, files, pendingLines } = auditLimits;
    this.#lines = new LineFiles({
      folder,
      stem: () => 'audit',
      limits: { fileBytes, totalBytes: files * fileBytes, pendingLines },
      lostLine: (count) => toLine({ time: now().toISOString(), workspace, event: 'lost', count }),
      onFailure,
    });
  }

  record(entry: AuditEntry): void {
    const { workspace, now } = this.#parts;
    if (this.#isFlood(entry)) {
      this.#lines.lose();
      return;
    }
    this.#lines.add(() => auditLine(entry, workspace, now()));
  }

  #isFlood({ outcome, scope, server }: AuditEntry): boolean {
    const key = `${scope ?? ''}/${server}`;
    return outcome === 'refused' && this.#refusals.admit(key).kind === 'refused';
  }

  /** Resolves when all entries so far are written, or have failed. */
  async flush(): Promise<void> {
    await this.#lines.flush();
  }

  /** The names of the files, oldest first. */
  async files(): Promise<readonly string[]> {
    return this.#lines.files();
  }
}

/** Characters. Names come from servers and models, and may be of any length. */
const maxText = 200;

/** Ends with a line feed. */
function auditLine(entry: AuditEntry, workspace: string, at: Date): string {
  // The most important facts first: the lines are long.
  const { event, outcome, server, ...rest } = entry;
  return toLine({ time: at.toISOString(), event, outcome, server, ...rest, workspace });
}

function toLine(value: object): string {
  const json = JSON.stringify(value, (_key, member: unknown) =>
    isString(member) ? truncated(member, maxText) : member,
  );
  return `${json.replaceAll(unseen, escaped)}\n`;
}

/** As a JSON escape: a reader gets the same text. */
function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
