/**
 * Stores the audit, an entry as a line of JSON. Whole lines are appended to numbered files, so that several windows can write to the same one; a
 * full file is followed by the next, and the oldest is deleted. Nobody waits for it.
 */
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

/** A folder of files. Each method may fail. */
export interface AuditFolder {
  /** Empty when the folder does not exist yet. */
  list(): Promise<readonly { readonly name: string; readonly size: number }[]>;
  /** Appends to the file as it is then; creates folder and file. */
  append(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

interface AuditLogParts {
  readonly folder: AuditFolder;
  readonly source: AuditSource;
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

  constructor(parts: AuditLogParts) {
    this.#parts = parts;
    this.#refusals = new RateLimit(auditLimits.refusalsPerMinute, {
      now: () => parts.now().getTime(),
    });
  }

  record(entry: AuditEntry): void {
    const { source, now } = this.#parts;
    if (this.#pending.length >= auditLimits.pendingLines || this.#isFlood(entry)) {
      this.#lost += 1; // said with the next line
      return;
    }
    this.#pending.push(auditLine(entry, source, now()));
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
    const files = await this.#parts.folder.list();
    return files.flatMap(({ name }) => (fileName.test(name) ? [name] : [])).toSorted();
  }

  async #writeAll(): Promise<void> {
    while (this.#pending.length > 0) {
      const lines = this.#pending;
      this.#pending = [];
      const lost = this.#lost;
      this.#lost = 0;
      try {
        await this.#write(lines.join('') + this.#lostNote(lost));
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

  #lostNote(count: number): string {
    return count === 0 ? '' : lostLine(count, this.#parts.source, this.#parts.now());
  }

  async #write(text: string): Promise<void> {
    const { folder } = this.#parts;
    const files = (await folder.list()).flatMap(({ name, size }) => {
      const number = fileName.exec(name)?.[1];
      return number === undefined ? [] : [{ name, size, number: Number(number) }];
    });
    const newest = files.toSorted((a, b) => a.number - b.number).at(-1);
    const isFull = newest !== undefined && newest.size >= auditLimits.fileBytes;
    const number = (newest?.number ?? 1) + (isFull ? 1 : 0);
    await folder.append(nameOf(number), text);
    for (const old of files.filter((file) => file.number <= number - auditLimits.files)) {
      await folder.remove(old.name);
    }
  }
}

function nameOf(number: number): string {
  return `audit-${String(number).padStart(6, '0')}.jsonl`;
}

/** Characters. Names come from servers and models, and may be of any length. */
const maxText = 200;

/** The source of a line, since several windows write. */
interface AuditSource {
  /** The workspace's name, empty without one. */
  readonly workspace: string;
}

/** Ends with a line feed. */
function auditLine(entry: AuditEntry, { workspace }: AuditSource, at: Date): string {
  // The most important facts first: the lines are long.
  const { event, outcome, server, ...rest } = entry;
  return toLine({ time: at.toISOString(), event, outcome, server, ...rest, workspace });
}

/** A line that says how many lines are missing. */
function lostLine(count: number, { workspace }: AuditSource, at: Date): string {
  return toLine({ time: at.toISOString(), workspace, event: 'lost', count });
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
