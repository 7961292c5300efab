/** The arguments of a prompt: parsed from a typed line, and checked for completeness. Pure. */
import { isObject } from '../../base/json.ts';
import type { Prompt, PromptArgument } from '../../mcp/types/lists.ts';

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
  return fromJson(line) ?? fromPairs(prompt, line) ?? fromWhole(prompt, line);
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

function fromJson(line: string): PromptArguments | undefined {
  if (!line.startsWith('{')) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value)
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
    args.push([name, quoted?.replaceAll(/\\(.)/gu, '$1') ?? plain]);
    end += text.length;
  }
  return end === line.length ? Object.fromEntries(args) : undefined;
}

function fromWhole(prompt: Prompt, line: string): PromptArguments {
  const all = prompt.arguments ?? [];
  const first = all.find(({ required }) => required === true) ?? all[0];
  return first === undefined ? {} : { [first.name]: line };
}
