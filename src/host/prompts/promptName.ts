/** The short name of a prompt for typing, `server.prompt`, and its lookup. Pure. */
import { trimmedOf } from '../../base/text.ts';
import type { Prompt } from '../../mcp/types/lists.ts';

/** A prompt with a reference to its server. */
export interface NamedPrompt<S> {
  readonly server: S;
  readonly serverName: string;
  readonly prompt: Prompt;
}

/** Letters, digits, `_` and `-` stay; other characters, which would end a word in chat, become `_`. */
function toWord(name: string): string {
  return trimmedOf(name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '_'), '_') || '_';
}

export function promptName(serverName: string, prompt: Prompt): string {
  return `${toWord(serverName)}.${toWord(prompt.name)}`;
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
  const name = word.replace(/^\//u, '').replace(/^mcp\./u, '');
  const nameOf = ({ serverName, prompt }: NamedPrompt<S>): string => promptName(serverName, prompt);
  const found =
    prompts.find((candidate) => nameOf(candidate) === name) ??
    prompts.find((candidate) => nameOf(candidate).toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : { found, rest };
}
