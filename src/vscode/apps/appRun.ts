/** The call of a tool that an app shows. Its result is kept over a reload of the window: in a file of the extension's own. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isObject, isString, isStringArray, parsedJson } from '../../base/json.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import type { Memory } from '../../host/storage.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { appViewType } from '../ids.ts';
import type { ToolCall, ToolRun } from '../tools/resultDocument.ts';

interface Named {
  /** Of the call. */
  readonly id: string;
  /** As it was listed for the call. */
  readonly tool: Tool;
  /** A model made it, in a conversation. */
  readonly inChat?: boolean;
}

/** A call from its start. */
export interface AppCall extends Named {
  readonly request: ToolCall;
  /** Rejects when the call ends without a result. */
  readonly run: Promise<ToolRun>;
}

/** A call that has ended. */
export interface AppRun extends Named {
  readonly run: ToolRun;
}

export const keptAppLimits = {
  /** Calls that are kept; the oldest go first. */
  calls: 20,
  /** Characters of one call as JSON; a longer one is not kept. */
  chars: 10_000_000,
} as const;

export function newAppCall(tool: Tool, request: ToolCall, run: Promise<ToolRun>): AppCall {
  return { id: randomUUID(), tool, request, run };
}

export function newChatRun(tool: Tool, run: ToolRun): AppRun {
  return { id: randomUUID(), tool, run, inChat: true };
}

export function callOf(ended: AppRun): AppCall {
  return { ...ended, request: ended.run, run: Promise.resolve(ended.run) };
}

/** Webviews of one type share an origin, so each server has a type of its own. */
export function viewTypeOf(server: ServerId): string {
  return `${appViewType}${createHash('sha256').update(server).digest('hex').slice(0, 16)}`;
}

const memoryKey = 'appServers';
/** The newest servers whose apps were in tabs. */
const maxServers = 100;

/** Those whose apps were in tabs: the editor brings a tab back whether or not its server is there. */
export function appServers(memory: Memory): readonly ServerId[] {
  const stored = memory.get(memoryKey);
  return isStringArray(stored) ? stored : [];
}

export async function rememberAppServer(memory: Memory, server: ServerId): Promise<void> {
  const others = appServers(memory).filter((one) => one !== server);
  await memory.set(memoryKey, [...others, server].slice(-maxServers));
}

export class KeptAppRuns {
  readonly #folder: string;

  /** @param folder may not exist */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Readable for nobody else: a result may hold anything. */
  async keep(run: AppRun): Promise<void> {
    const text = JSON.stringify(run);
    if (text.length > keptAppLimits.chars) {
      return;
    }
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(this.#fileOf(run.id), text, { mode: 0o600 });
    await this.#dropOld();
  }

  /** Undefined when it was not kept, or no longer is. @param id of any text */
  async read(id: string): Promise<AppRun | undefined> {
    if (!/^[\da-f-]{36}$/u.test(id)) {
      return undefined;
    }
    const text = await readFile(this.#fileOf(id), 'utf8').catch(() => '');
    return parseRun(text);
  }

  async drop(id: string): Promise<void> {
    await rm(this.#fileOf(id), { force: true });
  }

  #fileOf(id: string): string {
    return path.join(this.#folder, `${id}.json`);
  }

  async #dropOld(): Promise<void> {
    const names = await readdir(this.#folder);
    if (names.length <= keptAppLimits.calls) {
      return;
    }
    const files = await Promise.all(
      names.map(async (name) => {
        const file = path.join(this.#folder, name);
        // Another window may have dropped it.
        return {
          file,
          at: await stat(file).then(
            ({ mtimeMs }) => mtimeMs,
            () => 0,
          ),
        };
      }),
    );
    const old = files.toSorted((a, b) => b.at - a.at).slice(keptAppLimits.calls);
    await Promise.all(old.map(({ file }) => rm(file, { force: true })));
  }
}

/** Undefined for a file that was cut or is not ours. */
function parseRun(text: string): AppRun | undefined {
  const value = parsedJson(text);
  return isAppRun(value) ? value : undefined;
}

function isAppRun(value: unknown): value is AppRun {
  return (
    isObject(value) &&
    isString(value['id']) &&
    isObject(value['tool']) &&
    (value['inChat'] === undefined || typeof value['inChat'] === 'boolean') &&
    isObject(value['run']) &&
    isObject(value['run']['result'])
  );
}
