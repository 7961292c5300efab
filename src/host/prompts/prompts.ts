/** Gets prompts; their arguments and short names as a person types them. */
import { t } from '../../base/l10n.ts';
import { isRpcError, McpError, RpcError } from '../../mcp/errors.ts';
import type { Prompt, PromptArgument } from '../../mcp/types/lists.ts';
import type { GetPromptResult } from '../../mcp/types/methods.ts';
import type { UseSession } from '../resources/resources.ts';
import { isAsked, type RequestOrigin } from '../requestOrigin.ts';
import { isObject, stableStringify } from '../../base/json.ts';
import { trimmedOf } from '../../base/text.ts';
import { createHash } from 'node:crypto';

/** The part of a connection that is needed here. */
export interface PromptServer {
  readonly config: { readonly name: string };
  readonly withSession: UseSession;
}

/** The part of a connection that names its prompts. */
interface PromptOwner extends Pick<PromptServer, 'config'> {
  readonly catalog: { items(list: 'prompts'): readonly Prompt[] };
}

/**
 * Empty optional arguments are left out.
 * @param origin for the list of running requests, and for whether the user may be asked to sign in
 * @throws McpError `invalidInput` that names missing required arguments; `rpc` with the server's words (PROM-08); what
 * a call throws
 */
export async function resolvePrompt(
  server: PromptServer,
  prompt: Prompt,
  args: PromptArguments,
  signal: AbortSignal,
  origin?: RequestOrigin,
): Promise<GetPromptResult> {
  const missing = missingArguments(prompt, args);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    throw new McpError(
      'invalidInput',
      t('The prompt "{0}" needs a value for: {1}', prompt.name, names),
    );
  }
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== ''));
  try {
    return await server.withSession(
      (session, both) =>
        session.call(
          'prompts/get',
          {
            name: prompt.name,
            ...(Object.keys(given).length === 0 ? {} : { arguments: given }),
          },
          { signal: both, origin },
        ),
      signal,
      isAsked(origin),
    );
  } catch (error) {
    if (isRpcError(error)) {
      const text = t(
        'The server "{0}" did not return the prompt "{1}": {2}',
        server.config.name,
        prompt.name,
        error.message,
      );
      throw new RpcError(error.rpcCode, text, error.data);
    }
    throw error;
  }
}

const namesFor = {
  path: /path|file|uri|url|folder|dir|document/iu,
  text: /text|code|content|selection|snippet|input|body|message|query|question/iu,
} as const;

/** The argument that a path or a text is most likely for: by its name, else the first required one, else the first. */
export function argumentFor(
  { arguments: all = [] }: Prompt,
  what: keyof typeof namesFor,
): PromptArgument | undefined {
  return (
    all.find(({ name }) => namesFor[what].test(name)) ??
    all.find(({ required }) => required === true) ??
    all[0]
  );
}

/** Values are strings, whatever the argument means (PROM-03). */
export type PromptArguments = Readonly<Record<string, string>>;

/**
 * Three syntaxes: a JSON object; `name=value` words, all with known names; else the whole text for the first argument,
 * required ones first.
 */
export function parseArguments(prompt: Prompt, text: string): PromptArguments {
  const line = text.trim();
  if (line === '') {
    return {};
  }
  return fromJson(prompt, line) ?? fromPairs(prompt, line) ?? fromWhole(prompt, line);
}

/** The form that {@link parseArguments} parses without loss. */
export function formatArguments(args: PromptArguments): string {
  return Object.keys(args).length === 0 ? '' : JSON.stringify(args);
}

export function missingArguments(prompt: Prompt, args: PromptArguments): readonly PromptArgument[] {
  return (prompt.arguments ?? []).filter(
    ({ name, required }) => required === true && (args[name] ?? '') === '',
  );
}

function fromJson(prompt: Prompt, line: string): PromptArguments | undefined {
  if (!line.startsWith('{')) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(line);
    const names = isObject(value) ? Object.keys(value) : [];
    const isOfPrompt =
      names.length === 0 || (prompt.arguments ?? []).some(({ name }) => names.includes(name));
    return isObject(value) && isOfPrompt
      ? Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [
            name,
            typeof inner === 'string' ? inner : JSON.stringify(inner),
          ]),
        )
      : undefined;
  } catch {
    return undefined; // a text that happens to begin with a brace
  }
}

const pair = /([^\s=]+)=(?:"((?:\\.|[^"\\])*)"|(\S*))(?:\s+|$)/uy;

function fromPairs(prompt: Prompt, line: string): PromptArguments | undefined {
  const known = new Set((prompt.arguments ?? []).map(({ name }) => name));
  const args: [string, string][] = [];
  let end = 0;
  pair.lastIndex = 0;
  for (let match = pair.exec(line); match !== null; match = pair.exec(line)) {
    const [text, name = '', quoted, plain = ''] = match;
    if (!known.has(name)) {
      return undefined;
    }
    args.push([name, quoted?.replaceAll(/\\(["\\])/gu, '$1') ?? plain]);
    end += text.length;
  }
  return end === line.length ? Object.fromEntries(args) : undefined;
}

function fromWhole(prompt: Prompt, line: string): PromptArguments {
  const all = prompt.arguments ?? [];
  const first = all.find(({ required }) => required === true) ?? all[0];
  return first === undefined ? {} : { [first.name]: line };
}

/** A prompt, its server, and its name in chat. */
export interface NamedPrompt<S> {
  readonly server: S;
  readonly prompt: Prompt;
  /** `server.prompt`, without what would end the word, and different from all others. */
  readonly name: string;
}

/** Letters, digits, `_` and `-` stay; other characters, which would end a word in chat, become `_`. */
export function toWord(name: string): string {
  return trimmedOf(name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '_'), '_') || '_';
}

/** Words of equal names get a number from the second one on. */
function toWords(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const word = toWord(name);
    let own = word;
    for (let number = 2; taken.has(own); number += 1) {
      own = `${word}_${number}`;
    }
    taken.add(own);
    return own;
  });
}

/** @param servers all that are configured, so that no name depends on which of them run */
export function namedPrompts<S extends PromptOwner>(
  servers: Iterable<S>,
): readonly NamedPrompt<S>[] {
  const all = [...servers];
  const words = toWords(all.map(({ config }) => config.name));
  return all.flatMap((server, at) => {
    const prompts = server.catalog.items('prompts');
    const own = toWords(prompts.map(({ name }) => name));
    return prompts.map((prompt, nth) => ({ server, prompt, name: `${words[at]}.${own[nth]}` }));
  });
}

/**
 * The prompt that the first word of `text` names, and the rest of the text. Accepts a leading `/` and `mcp.`, as VS
 * Code's own chat writes them. Case counts only between names that differ in nothing else.
 */
export function findPrompt<S>(
  prompts: readonly NamedPrompt<S>[],
  text: string,
): { readonly found: NamedPrompt<S>; readonly rest: string } | undefined {
  const [word = ''] = text.trimStart().split(/\s/u, 1);
  const rest = text.trimStart().slice(word.length).trim();
  const typed = word.replace(/^\//u, '').replace(/^mcp\./u, '');
  const found =
    prompts.find(({ name }) => name === typed) ??
    prompts.find(({ name }) => name.toLowerCase() === typed.toLowerCase());
  return found === undefined ? undefined : { found, rest };
}

/** A prompt with its arguments, and the messages that its server returned. */
export interface PromptUse {
  /** Name of the server. */
  readonly server: string;
  readonly prompt: { readonly name: string };
  readonly args: PromptArguments;
  readonly result: Pick<GetPromptResult, 'messages'>;
}

/** `changed`: the same prompt with the same arguments had other messages when the user saw it. */
export type SeenState = 'new' | 'changed' | 'seen';

/**
 * Which prompt messages the user has seen, while the window is open: unchanged ones need not be shown again before they
 * go to a model, changed ones must.
 */
export class SeenMessages {
  /** Server, prompt and arguments → hash of the messages; as many as the user has looked at. */
  readonly #hashes = new Map<string, string>();

  stateOf(use: PromptUse): SeenState {
    const hash = this.#hashes.get(keyOf(use));
    if (hash === undefined) {
      return 'new';
    }
    return hash === hashOf(use.result.messages) ? 'seen' : 'changed';
  }

  add(use: PromptUse): void {
    this.#hashes.set(keyOf(use), hashOf(use.result.messages));
  }
}

function keyOf({ server, prompt, args }: PromptUse): string {
  return hashOf([server, prompt.name, args]);
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(stableStringify(value)).digest('hex');
}
