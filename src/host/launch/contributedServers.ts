/**
 * The servers that other extensions contribute, as scopes beside those of the settings, and the source of their inputs'
 * values. parseConfig.ts reads the entries, src/vscode/extensions talks to extensions.
 */
import { t } from '../../base/l10n.ts';
import { Emitter } from '../../base/event.ts';
import { isObject, isString } from '../../base/json.ts';
import { McpError } from '../../mcp/errors.ts';
import type { InputValues } from './inputs.ts';
import type {
  InputDefinition,
  RawScope,
  ServerConfig,
  ExtensionClaim,
} from '../config/serverConfig.ts';
import { referencesIn } from '../config/variables.ts';

/** One registration of one extension. */
export interface Contribution {
  readonly extension: ExtensionClaim;
  /** Not yet checked; each has a `name` of its own. */
  readonly definitions: readonly unknown[];
  /** Undefined when the extension provides no values. */
  readonly valueOf: (
    server: string,
    input: string,
    signal: AbortSignal,
  ) => Promise<string | undefined>;
}

/** The part of the inputs that a start needs. */
export type StartInputs = Pick<InputValues, 'value' | 'has' | 'peek'>;

export class ContributedServers {
  readonly #contributions = new Map<object, Contribution>();
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  /** @param key identifies the registration; an earlier contribution of the same key is replaced */
  set(key: object, contribution: Contribution): void {
    this.#contributions.set(key, contribution);
    this.#changed.fire();
  }

  delete(key: object): void {
    if (this.#contributions.delete(key)) {
      this.#changed.fire();
    }
  }

  /** One scope for each extension, however many registrations it has. The first definition of a name counts. */
  get scopes(): readonly RawScope[] {
    const byExtension = Map.groupBy(this.#contributions.values(), ({ extension }) => extension.id);
    return [...byExtension].map(([id, contributions]) => {
      const entries = contributions
        .flatMap(({ definitions }) => definitions.map(toEntry))
        .toReversed();
      const servers = Object.fromEntries(entries);
      const name = contributions[0]?.extension.name ?? id;
      return { scope: { kind: 'extension', id, name }, servers, inputs: inputsIn(servers) };
    });
  }

  /** The user's inputs, and for contributed servers the values that their extension gives. */
  inputs(own: StartInputs): StartInputs {
    return {
      // Extensions are asked for values only when a server starts.
      peek: async (server, input) =>
        server.scope.kind === 'extension' ? undefined : own.peek(server, input),
      has: async (server, input) => server.scope.kind === 'extension' || own.has(server, input),
      value: async (server, input, signal, all) =>
        server.scope.kind === 'extension'
          ? this.#value(server, input, signal)
          : own.value(server, input, signal, all),
    };
  }

  async #value(
    { name, scope }: ServerConfig,
    { id }: InputDefinition,
    signal: AbortSignal,
  ): Promise<string> {
    const own = [...this.#contributions.values()].find(
      ({ extension, definitions }) =>
        scope.kind === 'extension' &&
        extension.id === scope.id &&
        definitions.some((definition) => toEntry(definition)[0] === name),
    );
    const value = await own?.valueOf(name, id, signal);
    if (!isString(value)) {
      throw new McpError(
        'invalidConfig',
        t(
          '{0} was not started: the extension that contributes it gave no value for {1}',
          name,
          `\${input:${id}}`,
        ),
      );
    }
    return value;
  }
}

function toEntry(definition: unknown): readonly [name: string, entry: unknown] {
  if (!isObject(definition)) {
    return ['', definition];
  }
  const { name, ...entry } = definition;
  return [isString(name) ? name : '', entry];
}

/** Every input that an entry refers to is the extension's, and is treated as a secret. */
function inputsIn(servers: unknown): readonly unknown[] {
  const references = referencesIn(JSON.stringify(servers) ?? '');
  const ids = references.flatMap((reference) => (reference.kind === 'input' ? [reference.id] : []));
  return [...new Set(ids)].map((id) => ({
    id,
    type: 'promptString',
    description: id,
    password: true,
  }));
}
