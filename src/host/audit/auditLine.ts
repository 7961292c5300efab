/** An entry of the audit as a line of JSON: short, without characters that hide text or end a line. Pure. */
import { isString } from '../../base/json.ts';
import { truncated } from '../../base/text.ts';
import { unseen } from '../../base/unseen.ts';
import type { AuditEntry } from './audit.ts';

/** Characters. Names come from servers and models, and may be of any length. */
const maxText = 200;

/** The source of a line, since several windows write. */
export interface AuditSource {
  /** The workspace's name, empty without one. */
  readonly workspace: string;
}

/** Ends with a line feed. */
export function auditLine(entry: AuditEntry, { workspace }: AuditSource, at: Date): string {
  // The most important facts first: the lines are long.
  const { event, outcome, server, ...rest } = entry;
  return toLine({ time: at.toISOString(), event, outcome, server, ...rest, workspace });
}

/** A line that says how many lines are missing. */
export function lostLine(count: number, { workspace }: AuditSource, at: Date): string {
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
