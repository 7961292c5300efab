/**
 * Which prompt messages the user has seen, while the window is open: unchanged ones need not be shown again before they
 * go to a model, changed ones must.
 */
import { createHash } from 'node:crypto';
import { stableStringify } from '../../base/json.ts';
import type { GetPromptResult } from '../../mcp/types/methods.ts';
import type { PromptArguments } from './prompts.ts';

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

/** Uses that are remembered; older ones are forgotten, and shown again. */
const maxUses = 200;

export class SeenMessages {
  /** Server, prompt and arguments → hash of the messages; the latest last. */
  readonly #hashes = new Map<string, string>();

  stateOf(use: PromptUse): SeenState {
    const hash = this.#hashes.get(keyOf(use));
    if (hash === undefined) {
      return 'new';
    }
    return hash === hashOf(use.result.messages) ? 'seen' : 'changed';
  }

  add(use: PromptUse): void {
    const key = keyOf(use);
    this.#hashes.delete(key);
    this.#hashes.set(key, hashOf(use.result.messages));
    const [oldest] = this.#hashes.keys();
    if (this.#hashes.size > maxUses && oldest !== undefined) {
      this.#hashes.delete(oldest);
    }
  }
}

function keyOf({ server, prompt, args }: PromptUse): string {
  return hashOf([server, prompt.name, args]);
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(stableStringify(value)).digest('hex');
}
