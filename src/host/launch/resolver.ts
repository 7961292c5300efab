/** Replaces the variables in the fields of one entry; the collector gets the secret values. */
import { t } from '../../base/l10n.ts';
import {
  expandHome,
  fileFields,
  inField,
  invalidField,
  type LaunchContext,
  placeValues,
  textsOf,
} from './launchContext.ts';
import type { SecretCollector } from './secrets.ts';
import type { InputDefinition, ServerConfig } from '../config/serverConfig.ts';
import { substitute, type VariableValues } from '../config/variables.ts';

export interface ResolveContext extends LaunchContext {
  /** The definition of an input. @throws McpError `invalidConfig` when the server cannot see it. */
  inputOf(id: string): InputDefinition;
  /** The value of an input; asks for it if necessary. */
  valueOf(input: InputDefinition): Promise<string>;
}

/** What is needed to resolve the parts of an entry. */
export interface Resolving {
  readonly server: ServerConfig;
  readonly context: LaunchContext;
  readonly resolver: Resolver;
  readonly secrets: SecretCollector;
}

export class Resolver {
  readonly #server: ServerConfig;
  readonly #context: ResolveContext;
  readonly #values: VariableValues;
  readonly #answers = new Map<string, Promise<string>>();

  constructor(server: ServerConfig, context: ResolveContext, secrets: SecretCollector) {
    this.#server = server;
    this.#context = context;
    const places = placeValues(server, context);
    this.#values = {
      ...places,
      env: (name) => {
        const value = places.env(name);
        secrets.addPrivate(name, value);
        return value;
      },
      input: async (id) => {
        const input = context.inputOf(id);
        const answer = this.#answers.get(id) ?? context.valueOf(input);
        this.#answers.set(id, answer);
        const value = await answer;
        if (input.type === 'promptString' && input.password) {
          secrets.add(value);
        }
        return value;
      },
    };
  }

  /** @throws McpError `invalidConfig` naming server and field. */
  async text(field: string, template: string): Promise<string> {
    const value = await inField(this.#server, field, () => substitute(template, this.#values));
    // Arguments and variables of a process cannot hold U+0000: the system ends a text there.
    if (value.includes('\0')) {
      throw invalidField(this.#server, field, t('must not hold the character U+0000'));
    }
    return value;
  }

  /** The same for a path: `~` is the user's home. */
  async path(field: string, template: string): Promise<string> {
    return this.text(field, expandHome(template, this.#context.machine));
  }

  /** The texts of these fields by path, resolved one after the other, so that questions come in the order of the settings. */
  async fields(fields: object): Promise<ReadonlyMap<string, string>> {
    const values = new Map<string, string>();
    for (const { field, text } of textsOf(fields)) {
      const isFile = fileFields.test(field);
      values.set(field, await (isFile ? this.path(field, text) : this.text(field, text)));
    }
    return values;
  }
}
