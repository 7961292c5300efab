/** The history of tool calls: what is kept of a call, and where. Off unless the user turns it on; never synchronized. */
import { readFile } from 'node:fs/promises';
import { toError } from '../../base/async.ts';
import { onUnexpectedError } from '../../base/event.ts';
import { isObject, isString, type JsonObject, parsedJson } from '../../base/json.ts';
import type { Redactor } from '../../base/log.ts';
import { isCancelled } from '../../mcp/errors.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { CallToolResult } from '../../mcp/types/methods.ts';
import { LineFiles } from '../audit/lineFiles.ts';
import { filterWords } from '../catalog/itemSearch.ts';
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';
import { maskedJson, shortened } from '../inspector/maskedText.ts';
import { secretNames } from '../schemas/seemsSecret.ts';
import { readOrigin, type RequestOrigin } from '../requestOrigin.ts';

export const historyLimits = {
  fileBytes: 1_000_000,
  totalBytes: 10_000_000,
  /** Calls that wait for the disk; further ones are not kept. */
  pendingLines: 200,
  /** Characters of JSON; the rest is left out. */
  inputChars: 20_000,
  resultChars: 100_000,
  /** Of names and errors. */
  factChars: 1_000,
} as const;

/** A call that is being made. */
export interface MadeCall {
  readonly server: Pick<ServerConfig, 'id' | 'name'>;
  readonly tool: Tool;
  readonly input: object;
  readonly origin: RequestOrigin;
  /** It is the end of a call that an earlier window has made. */
  readonly earlier?: { readonly at: number; readonly input?: KeptInput };
  /** Whether the call goes on at the server, and its end will be kept then. */
  readonly isLeft?: () => boolean;
}

/** What is kept of a call, without secrets. */
export interface KeptCall {
  /** Unique among all calls. */
  readonly id: string;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
  readonly serverId: ServerId;
  /** The server's name in the settings. */
  readonly server: string;
  readonly tool: string;
  readonly origin: RequestOrigin;
  /** `toolError` when the result says that the tool failed; without a result, the last two. */
  readonly outcome: 'done' | 'toolError' | 'failed' | 'cancelled';
  readonly error?: string;
  readonly input: KeptInput;
  readonly result?: KeptText;
}

/** A value as JSON. */
export interface KeptText {
  readonly json: string;
  /** The end is missing: no JSON any more. */
  readonly isCut: boolean;
}

export interface KeptInput extends KeptText {
  /** Nothing is masked or cut, so it can be sent again. */
  readonly isWhole: boolean;
}

export interface ReadHistory {
  /** Newest first. */
  readonly calls: readonly KeptCall[];
  /** Lines that cannot be read. */
  readonly damaged: number;
  /** Calls that could not be written. */
  readonly lost: number;
}

/** Whoever makes a call has it kept. */
export interface CallHistory {
  /** Returns or throws what `run` does, whatever becomes of the record. */
  keep(call: MadeCall, run: () => Promise<CallToolResult>): Promise<CallToolResult>;
  /** What would be kept of an input. Undefined while nothing is kept. */
  inputOf(tool: Tool, input: object): KeptInput | undefined;
}

interface HistoryParts {
  /** Of the machine that the extension runs on; all windows share it. */
  readonly folder: string;
  /** How long a call is kept. */
  readonly days: () => number;
  readonly now: () => number;
  /** Knows the secrets of all servers. */
  readonly redactor: Pick<Redactor, 'redact'>;
  readonly onFailure: (error: unknown) => void;
}

type CallEnd = Pick<KeptCall, 'outcome' | 'error'> & { readonly result?: CallToolResult };

const dayMs = 24 * 60 * 60 * 1_000;

export class HistoryLog implements CallHistory {
  readonly #parts: HistoryParts;
  readonly #lines: LineFiles;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
    this.#lines = new LineFiles({
      folder: parts.folder,
      // Each day has files of its own, so that whole files grow too old.
      stem: () => stemOf(parts.now()),
      isOld: (file) => file < stemOf(this.#oldest),
      limits: historyLimits,
      lostLine: (lost) => `${JSON.stringify({ at: parts.now(), lost })}\n`,
      onFailure: parts.onFailure,
    });
  }

  async keep(call: MadeCall, run: () => Promise<CallToolResult>): Promise<CallToolResult> {
    const at = call.earlier?.at ?? this.#parts.now();
    try {
      const result = await run();
      this.#add(call, at, { outcome: result.isError === true ? 'toolError' : 'done', result });
      return result;
    } catch (error) {
      if (call.isLeft?.() !== true) {
        const outcome = isCancelled(error) ? 'cancelled' : 'failed';
        this.#add(call, at, { outcome, error: toError(error).message });
      }
      throw error;
    }
  }

  inputOf({ inputSchema }: Tool, input: object): KeptInput {
    const { inputChars } = historyLimits;
    const kept = keptText(input, this.#parts.redactor, inputChars, secretNames(inputSchema));
    return { ...kept, isWhole: kept.json === JSON.stringify(input) };
  }

  /** Resolves when all calls so far are written, or have failed. */
  flush(): Promise<void> {
    return this.#lines.flush();
  }

  /** Those of all windows. @throws when the folder cannot be read */
  async read(): Promise<ReadHistory> {
    await this.flush();
    const texts: string[] = [];
    for (const file of await this.#lines.files()) {
      // One that another window has removed meanwhile holds nothing.
      texts.push(await readFile(this.#lines.pathOf(file), 'utf8').catch(() => ''));
    }
    const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
    const read = lines.map(readLine);
    const oldest = this.#oldest;
    return {
      calls: read
        .filter((one) => typeof one === 'object')
        .filter(({ at }) => at >= oldest)
        .toSorted((a, b) => b.at - a.at),
      damaged: read.filter((one) => one === undefined).length,
      lost: read.reduce<number>((sum, one) => sum + (typeof one === 'number' ? one : 0), 0),
    };
  }

  /** Forgets all calls, also those of other windows. */
  clear(): Promise<void> {
    return this.#lines.clear();
  }

  get #oldest(): number {
    return this.#parts.now() - this.#parts.days() * dayMs;
  }

  #add(call: MadeCall, at: number, end: CallEnd): void {
    try {
      const durationMs = this.#parts.now() - at;
      this.#lines.add(() => `${JSON.stringify(this.#toKept(call, { at, durationMs }, end))}\n`);
    } catch (error) {
      onUnexpectedError(error);
    }
  }

  #toKept(
    { server, tool, input, origin, earlier }: MadeCall,
    times: Pick<KeptCall, 'at' | 'durationMs'>,
    { outcome, error, result }: CallEnd,
  ): KeptCall {
    const { redactor } = this.#parts;
    const fact = (text: string): string =>
      shortened(redactor.redact(text), historyLimits.factChars);
    return {
      id: crypto.randomUUID(),
      ...times,
      serverId: server.id,
      server: fact(server.name),
      tool: fact(tool.name),
      origin,
      outcome,
      ...(error !== undefined && { error: fact(error) }),
      input: earlier === undefined ? this.inputOf(tool, input) : (earlier.input ?? unknownInput),
      ...(result && { result: keptText(result, redactor, historyLimits.resultChars) }),
    };
  }
}

/** Of a call that was made while the history was off. */
const unknownInput: KeptInput = { json: '', isCut: true, isWhole: false };

/** Of the day, in UTC. Later days come later in the alphabet. */
function stemOf(at: number): string {
  return `history-${new Date(at).toISOString().slice(0, 10)}`;
}

function keptText(
  value: object,
  redactor: Pick<Redactor, 'redact'>,
  maxChars: number,
  secret?: ReadonlySet<string>,
): KeptText {
  const { text: json, isCut } = maskedJson(value, redactor, maxChars, secret, 'answer');
  return { json, isCut };
}

/** A call; the number of calls that are missing; undefined for a damaged line. */
function readLine(line: string): KeptCall | number | undefined {
  const value = parsedJson(line);
  if (isObject(value) && typeof value['lost'] === 'number') {
    return value['lost'];
  }
  return isKeptCall(value) ? value : undefined;
}

const outcomes: ReadonlySet<unknown> = new Set(['done', 'toolError', 'failed', 'cancelled']);

function isKeptCall(value: unknown): value is KeptCall {
  if (!isObject(value)) {
    return false;
  }
  const { at, durationMs, origin, outcome, error, input, result } = value;
  return (
    ['id', 'serverId', 'server', 'tool'].every((name) => isString(value[name])) &&
    Number.isFinite(at) &&
    Number.isFinite(durationMs) &&
    readOrigin(origin) !== undefined &&
    outcomes.has(outcome) &&
    (error === undefined || isString(error)) &&
    isKeptText(input) &&
    typeof input['isWhole'] === 'boolean' &&
    (result === undefined || isKeptText(result))
  );
}

function isKeptText(value: unknown): value is KeptText & JsonObject {
  return isObject(value) && isString(value['json']) && typeof value['isCut'] === 'boolean';
}

/** The calls with all words of `text` in what is kept of them; the case does not matter. */
export function filterCalls(calls: readonly KeptCall[], text: string): readonly KeptCall[] {
  return filterWords(calls, text, ({ server, tool, outcome, error, origin, input, result }) => {
    const who = origin.kind === 'extension' ? `extension ${origin.id}` : origin.kind;
    return [server, tool, who, outcome, error, input.json, result?.json].join('\n');
  });
}
