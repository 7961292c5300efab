/**
 * Stores the audit, an entry as a line of JSON. Whole lines are appended to numbered files, so that several
 * windows can write to the same one; a full file is followed by the next, and the oldest is deleted. Nobody
 * waits for it.
 */
import { appendFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { RateLimit } from '../../base/rateLimit.ts';
import type { Audit, AuditEntry } from './audit.ts';
import { isString } from '../../base/json.ts';
import { truncated } from '../../base/text.ts';
import { unseen } from '../../base/unseen.ts';

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

const fileName = /^audit-(\d{6})\.jsonl$/u;

export class AuditLog implements Audit {
  readonly #parts: AuditLogParts;
  readonly #refusals: RateLimit;
  #pending: string[] = [];
  #lost = 0;
  #writing: Promise<void> | undefined;
  #isFailing = false;
  /** The name of the file that was written last. */
  #file: string | undefined;

  constructor(parts: AuditLogParts) {
    this.#parts = parts;
    this.#refusals = new RateLimit(auditLimits.refusalsPerMinute, {
      now: () => parts.now().getTime(),
    });
  }

  record(entry: AuditEntry): void {
    const { workspace, now } = this.#parts;
    if (this.#pending.length >= auditLimits.pendingLines || this.#isFlood(entry)) {
      this.#lost += 1; // said with the next line
      return;
    }
    this.#pending.push(auditLine(entry, workspace, now()));
    this.#writing ??= this.#writeAll();
  }

  #isFlood({ outcome, scope, server }: AuditEntry): boolean {
    const key = `${scope ?? ''}/${server}`;
    return outcome === 'refused' && this.#refusals.admit(key).kind === 'refused';
  }

  /** Resolves when all entries so far are written, or have failed. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  /** The names of the files, oldest first. */
  async files(): Promise<readonly string[]> {
    const names = await readdir(this.#parts.folder).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
        return [];
      }
      throw error;
    });
    return names.filter((name) => fileName.test(name)).toSorted();
  }

  async #writeAll(): Promise<void> {
    while (this.#pending.length > 0) {
      const lines = this.#pending;
      this.#pending = [];
      const lost = this.#lost;
      this.#lost = 0;
      try {
        await this.#write(lines.join('') + this.#lostLine(lost));
        this.#isFailing = false;
      } catch (error) {
        this.#lost += lost + lines.length;
        if (!this.#isFailing) {
          this.#isFailing = true;
          this.#parts.onFailure(error);
        }
      }
    }
    this.#writing = undefined;
  }

  /** A line that says how many lines are missing. */
  #lostLine(count: number): string {
    const { workspace, now } = this.#parts;
    return count === 0
      ? ''
      : toLine({ time: now().toISOString(), workspace, event: 'lost', count });
  }

  /** One write at the end of the file keeps the lines of several windows whole. */
  async #write(text: string): Promise<void> {
    if (this.#file === undefined || !(await this.#hasRoom(this.#file))) {
      this.#file = await this.#nextFile();
    }
    // Other users must not read it.
    await appendFile(this.#pathOf(this.#file), text, { mode: 0o600 });
  }

  /** Not in a file that is gone: another window may have removed it as the oldest. */
  async #hasRoom(file: string): Promise<boolean> {
    const found = await stat(this.#pathOf(file)).catch(() => undefined);
    return found !== undefined && found.size < auditLimits.fileBytes;
  }

  /** The newest file if it has room, else one after it, for which the oldest ones go. */
  async #nextFile(): Promise<string> {
    await mkdir(this.#parts.folder, { recursive: true });
    const files = await this.files();
    const newest = files.at(-1);
    if (newest !== undefined && (await this.#hasRoom(newest))) {
      return newest;
    }
    for (const old of files.slice(0, 1 - auditLimits.files)) {
      await rm(this.#pathOf(old), { force: true });
    }
    const number = Number(fileName.exec(newest ?? '')?.[1] ?? 0) + 1;
    return `audit-${String(number).padStart(6, '0')}.jsonl`;
  }

  #pathOf(file: string): string {
    return path.join(this.#parts.folder, file);
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
