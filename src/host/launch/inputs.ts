/**
 * The values that users gave for `${input:id}`. Each is kept in the secret storage under the scope that defines the
 * input, so that a workspace never reads what was typed for the user's own servers, nor for another workspace. The
 * editor asks, one question at a time.
 *
 * Call only after the user has consented to the start: a question is part of running a server.
 */
import { t } from '../../base/l10n.ts';
import { isString, isStringArray } from '../../base/json.ts';
import { perObject } from '../../base/lazily.ts';
import { McpError } from '../../mcp/errors.ts';
import { inTurn, type TurnEnd } from '../questions/inTurn.ts';
import { later, QuestionQueue, type Turn } from '../questions/questionQueue.ts';
import type { SecretStore } from '../storage.ts';
import { referencesIn } from '../config/variables.ts';
import { textsOf } from './launchContext.ts';
import { didYouMean, nearest } from '../config/entryReader.ts';
import {
  type ConfigScope,
  type HostConfig,
  type InputDefinition,
  scopeKey,
  type ServerConfig,
} from '../config/serverConfig.ts';

/** The user wants to change the value before this one. A registered symbol, so that it is the same in every bundle. */
export const back: unique symbol = Symbol.for('mcpHost.back');

/** The question for a value. Implemented by the editor. */
export interface InputPrompt {
  /** The user's value, undefined when the question was closed, or `later` when it was postponed. */
  ask(
    server: ServerConfig,
    input: InputDefinition,
    turn: Turn,
    mayGoBack: boolean,
  ): Promise<string | typeof back | typeof later | undefined>;
}

/** `closed`: without a value. */
type AskEnd = TurnEnd<'closed'>;

const storedScopes = ['user', 'remote', 'workspace', 'folder', 'followed'] as const;

/** Identifies a stored value, without the value. */
export interface StoredInput {
  readonly scope: (typeof storedScopes)[number];
  readonly id: string;
}

const prefix = 'mcpHost.input/';

export class InputValues {
  readonly #store: SecretStore;
  readonly #prompt: InputPrompt;
  readonly #workspaceId: () => string;
  readonly #questions: QuestionQueue;

  /**
   * @param workspaceId identifies this workspace
   * @param questions shared by all questions, so that only one is open at a time
   */
  constructor(
    store: SecretStore,
    prompt: InputPrompt,
    workspaceId: () => string,
    questions = new QuestionQueue(),
  ) {
    this.#store = store;
    this.#prompt = prompt;
    this.#workspaceId = workspaceId;
    this.#questions = questions;
  }

  /**
   * The value of an input of the server's scope: the stored one, else the user's answer, which is then stored.
   * @param all what the start needs: what is missing of it is asked for together
   * @throws McpError `cancelled` when the user closes a question.
   */
  async value(
    server: ServerConfig,
    input: InputDefinition,
    signal: AbortSignal,
    all: readonly InputDefinition[] = [input],
  ): Promise<string> {
    const kept = await this.peek(server, input);
    if (kept !== undefined) {
      return kept;
    }
    const end = await this.#askAll(server, all, signal, { isOther: false });
    const value = end === 'closed' ? undefined : await this.peek(server, input);
    if (value === undefined) {
      throw new McpError(
        'cancelled',
        `${server.name} was not started: it needs a value for \${input:${input.id}}`,
      );
    }
    return value;
  }

  /** Asks for other values, which are stored. Returns whether the user gave the last one. */
  async change(
    server: ServerConfig,
    inputs: readonly InputDefinition[],
    signal: AbortSignal,
  ): Promise<boolean> {
    this.#questions.expect(server.id); // the user has just asked for it
    return (await this.#askAll(server, inputs, signal, { isOther: true })) === 'next';
  }

  /**
   * One after the other, with a way back to each that was asked: a value that was missing is then taken back.
   * @param isOther also for those that have a value, which stays until there is another
   */
  #askAll(
    server: ServerConfig,
    inputs: readonly InputDefinition[],
    signal: AbortSignal,
    { isOther }: { readonly isOther: boolean },
  ): Promise<AskEnd> {
    const given = new Set<InputDefinition>();
    const steps = inputs.map((input, index) => async (): Promise<AskEnd> => {
      const before = await this.peek(server, input);
      const isAgain = given.has(input);
      if (isAgain && !isOther) {
        await this.discard(server.scope, input.id);
      }
      const end = await this.#ask(server, startingWith(before, input), signal, {
        mayGoBack: inputs.slice(0, index).some((one) => given.has(one)),
        takesKept: !isOther && !isAgain,
      });
      if (end === 'next') {
        given.add(input);
      }
      return end;
    });
    return inTurn<'closed'>(steps);
  }

  /** @param takesKept when the question gets its turn: another start may have asked for the same input meanwhile */
  #ask(
    server: ServerConfig,
    input: InputDefinition,
    signal: AbortSignal,
    { mayGoBack, takesKept }: { readonly mayGoBack: boolean; readonly takesKept: boolean },
  ): Promise<AskEnd> {
    const ask = async (turn: Turn): Promise<AskEnd | typeof later> => {
      signal.throwIfAborted();
      if (takesKept && (await this.has(server, input))) {
        return 'skip';
      }
      const value = await this.#prompt.ask(server, input, turn, mayGoBack);
      signal.throwIfAborted();
      if (value === later) {
        return later;
      }
      if (value === back || value === undefined) {
        return value === back ? 'back' : 'closed';
      }
      await this.keep(server.scope, input.id, value);
      return 'next';
    };
    return this.#questions.run(
      {
        server: server.name,
        serverId: server.id,
        about: 'input',
        text: input.id,
        holdsUp: true,
        takesKeyboard: true,
      },
      ask,
      signal,
    );
  }

  /** The stored value; asks nobody. */
  async peek(server: ServerConfig, input: InputDefinition): Promise<string | undefined> {
    const value = await this.#store.get(this.#key(server.scope, input.id));
    // The choices may have changed since the user picked.
    const isStale =
      value !== undefined && input.type === 'pickString' && !input.options.includes(value);
    return isStale ? undefined : value;
  }

  /** Whether a start can have this input without asking. */
  async has(server: ServerConfig, input: InputDefinition): Promise<boolean> {
    return (await this.peek(server, input)) !== undefined;
  }

  /** Stores a value that the user gave elsewhere, such as in an imported file. */
  async keep(scope: ConfigScope, id: string, value: string): Promise<void> {
    await this.#store.set(this.#key(scope, id), value);
  }

  /** Reverses {@link keep}. */
  async discard(scope: ConfigScope, id: string): Promise<void> {
    await this.#store.delete(this.#key(scope, id));
  }

  /** The values stored for the user, and for this workspace and its folders. */
  async stored(): Promise<readonly StoredInput[]> {
    return (await this.#own()).map(({ scope, id }) => ({ scope, id }));
  }

  /** Deletes the values of these inputs, among those that {@link stored} lists. */
  async forget(which: (stored: StoredInput) => boolean): Promise<void> {
    for (const { key, ...stored } of await this.#own()) {
      if (which(stored)) {
        await this.#store.delete(key);
      }
    }
  }

  async #own(): Promise<readonly (StoredInput & { readonly key: string })[]> {
    const keys = await this.#store.keys();
    return keys.flatMap((key) => {
      const parts = partsOf(key);
      const isOwn =
        parts !== undefined && (parts.workspace === '' || parts.workspace === this.#workspaceId());
      return isOwn ? [{ key, scope: parts.scope, id: parts.id }] : [];
    });
  }

  /** JSON, so that no part can imitate the end of another. */
  #key(scope: ConfigScope, id: string): string {
    const workspace = scope.kind === 'user' ? '' : this.#workspaceId();
    return prefix + JSON.stringify([scope.kind, workspace, scopeKey(scope), id]);
  }
}

/** Nobody sees a secret again. */
function startingWith(value: string | undefined, input: InputDefinition): InputDefinition {
  const isSecret = input.type === 'promptString' && input.password;
  return value === undefined || isSecret ? input : { ...input, default: value };
}

function partsOf(key: string): (StoredInput & { readonly workspace: string }) | undefined {
  if (!key.startsWith(prefix)) {
    return undefined;
  }
  const parts: unknown = JSON.parse(key.slice(prefix.length));
  const [kind, workspace, , id] = isStringArray(parts) ? parts : [];
  const scope = storedScopes.find((one) => one === kind);
  return scope !== undefined && isString(workspace) && isString(id)
    ? { scope, workspace, id }
    : undefined;
}

/** What an entry uses an input for. */
export interface InputUse {
  /** From 1, among the inputs of the entry, in the order of its fields. */
  readonly position: number;
  readonly total: number;
  /** The fields of the entry that the value becomes a part of. */
  readonly fields: readonly string[];
}

export function useOfInput(server: Pick<ServerConfig, 'launch'>, id: string): InputUse {
  const uses = inputUses(server);
  const fields = uses.get(id)?.map(({ field }) => field);
  return {
    position: [...uses.keys()].indexOf(id) + 1,
    total: uses.size,
    fields: [...new Set(fields)],
  };
}

/** The ids of the inputs that an entry uses, in the order of its fields. */
export function inputsOf(server: Pick<ServerConfig, 'launch'>): readonly string[] {
  return [...inputUses(server).keys()];
}

/** Whether the user is asked for values: those of a server that an extension contributes come from there. */
export function asksForInputs(server: Pick<ServerConfig, 'launch' | 'scope'>): boolean {
  return server.scope.kind !== 'extension' && inputsOf(server).length > 0;
}

function inputUses({
  launch,
}: Pick<ServerConfig, 'launch'>): ReadonlyMap<string, readonly { readonly field: string }[]> {
  const uses = textsOf(launch).flatMap(({ field, text }) =>
    referencesIn(text).flatMap((found) =>
      found.kind === 'input' ? [{ field, id: found.id }] : [],
    ),
  );
  return Map.groupBy(uses, ({ id }) => id);
}

/**
 * The input that `${input:id}` stands for in an entry of `scope`.
 * @throws McpError `invalidConfig` when that scope does not define it; the message names a scope that does.
 */
export function inputOf(
  config: Pick<HostConfig, 'inputs'>,
  scope: ConfigScope,
  id: string,
): InputDefinition {
  const own = config.inputs.get(scopeKey(scope)) ?? [];
  const found = byIdOf(own).get(id);
  if (found !== undefined) {
    return found;
  }
  const elsewhere = [...config.inputs]
    .filter(([, inputs]) => inputs.some((input) => input.id === id))
    .map(([key]) => nameOfScope(key));
  const place = nameOfScope(scopeKey(scope));
  const message =
    elsewhere.length === 0
      ? t('{0} is not defined: add it to `mcpHost.inputs` in {1}', shown(id), place) +
        didYouMean(nearest(id, byIdOf(own).keys()), shown)
      : t(
          '{0} is defined in {1}, but the server is from {2} and finds only inputs that are defined there too',
          shown(id),
          elsewhere.join(t(' and ')),
          place,
        );
  throw new McpError('invalidConfig', message);
}

/** An index: a text may refer to thousands of inputs, and is checked before anybody is asked. */
const byIdOf = perObject(
  (inputs: readonly InputDefinition[]) => new Map(inputs.map((input) => [input.id, input])),
);

function shown(id: string): string {
  return `\${input:${id}}`;
}

/** The scope of a {@link scopeKey}, for people. */
function nameOfScope(key: string): string {
  const [kind = '', ...rest] = key.split(':');
  const what = rest.join(':');
  const names: Readonly<Record<string, string>> = {
    user: t('the user settings'),
    remote: t('the settings of the remote machine'),
    workspace: t('the workspace settings'),
    folder: t('the settings of the folder {0}', what),
    extension: t('the definitions of the extension {0}', what),
    followed: what,
  };
  return names[kind] ?? key;
}
