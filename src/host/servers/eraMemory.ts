/**
 * Remembers which servers speak only revisions before 2026-07-28, so that a start does not send them the newer request,
 * which ends some of them. Only a hint: when the opening fails, a server is asked again. Loaded with the protocol.
 */
import { createHash } from 'node:crypto';
import { type JsonObject, isObject, stableStringify } from '../../base/json.ts';
import type { ServerDescription } from '../../mcp/session/session.ts';
import { type Era, revisionsNewestFirst } from '../../mcp/revisions.ts';
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';
import type { Memory } from '../storage.ts';

const memoryKey = 'mcpHost.olderServers';
/** An updated server still answers in the old era, so it is asked again after a week. */
const maxAgeMs = 7 * 24 * 60 * 60 * 1_000;
const maxServers = 200;

export type RememberedEntry = Pick<ServerConfig, 'id' | 'launch'>;

interface Note {
  /** Hash of everything that may lead to another server when it changes. */
  readonly hash: string;
  readonly version: string;
  readonly at: number;
  /** The server itself answered that it does not know the newest era. Otherwise it was silent or ended. */
  readonly isCertain?: boolean;
}

export class EraMemory {
  readonly #memory: Memory;
  readonly #now: () => number;

  constructor(memory: Memory, now: () => number = Date.now) {
    this.#memory = memory;
    this.#now = now;
  }

  /** The era to try first; undefined for the newest. */
  recall(entry: RememberedEntry): Era | undefined {
    const note = this.#notes.get(entry.id);
    const isCurrent =
      note !== undefined && note.hash === hashOf(entry) && this.#now() - note.at < maxAgeMs;
    return isCurrent ? 'legacy' : undefined;
  }

  /** A session with the server was opened. Never rejects: it is only a hint. */
  async remember(
    entry: RememberedEntry,
    { era, info }: ServerDescription,
    { isCertain = false }: Pick<Note, 'isCertain'> = {},
  ): Promise<void> {
    const notes = this.#notes;
    const before = notes.get(entry.id);
    const isKnown = this.recall(entry) !== undefined;
    if (era === 'legacy' && isKnown && before?.version === info.version) {
      return; // its age counts from the day on which it was asked
    }
    const hadNote = notes.delete(entry.id);
    const isNews = era === 'legacy' && !isKnown;
    if (isNews) {
      const hash = hashOf(entry);
      notes.set(entry.id, { hash, version: info.version, at: this.#now(), isCertain });
    }
    if (hadNote || isNews) {
      await this.#store(notes);
    }
  }

  /** The next start asks the server, unless the server itself has answered that question. Never rejects. */
  async forgetGuess(id: ServerId): Promise<void> {
    if (this.#notes.get(id)?.isCertain !== true) {
      await this.forget(id);
    }
  }

  /** The next start asks the server. Never rejects. */
  async forget(id: ServerId): Promise<void> {
    const notes = this.#notes;
    if (notes.delete(id)) {
      await this.#store(notes);
    }
  }

  /** If it cannot be stored, the next window finds it out again. */
  async #store(notes: ReadonlyMap<string, Note>): Promise<void> {
    const kept = [...notes].slice(-maxServers);
    await this.#memory.set(memoryKey, Object.fromEntries(kept)).catch(() => undefined);
  }

  get #notes(): Map<string, Note> {
    const stored = this.#memory.get(memoryKey);
    const entries = Object.entries(isObject(stored) ? stored : {});
    return new Map(entries.flatMap(([id, value]) => (isNote(value) ? [[id, value] as const] : [])));
  }
}

function isNote(value: unknown): value is Note {
  const { hash, version, at }: JsonObject = isObject(value) ? value : {};
  return typeof hash === 'string' && typeof version === 'string' && typeof at === 'number';
}

/** Of the entry's texts with their variables: resolved values may be secrets, and some change at each start. */
function hashOf({ launch }: RememberedEntry): string {
  const text = stableStringify([launch, revisionsNewestFirst[0]]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
