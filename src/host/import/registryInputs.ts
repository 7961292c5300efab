/**
 * A registry's descriptions of values that a server needs: environment variables, headers and arguments, with a value,
 * a default or a question. Questions become inputs of ours; optional values are left out.
 */
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import type { ImportedInput } from './importedServer.ts';
import { toInputId } from './importVariables.ts';

export class RegistryInputs {
  readonly definitions = new Map<string, ImportedInput>();
  /** What was left out, in sentences. */
  readonly notes: string[] = [];

  /**
   * `{name}` in a text stands for one of `variables`, which cannot hold variables themselves; the first thousand are
   * filled in.
   */
  fill(text: string, variables: unknown): string {
    const known = isObject(variables) ? variables : {};
    let left = maxFilled;
    return text.replaceAll(/\{([^{}$]+)\}/gu, (whole, name: string) => {
      const variable = Object.hasOwn(known, name) ? known[name] : undefined;
      left -= 1;
      return isObject(variable) && left >= 0 ? (this.#plainValue(name, variable) ?? '') : whole;
    });
  }

  /** The text for a value, `${input:…}` where the user has to give it; undefined for an unnecessary one. */
  valueOf(name: string, item: JsonObject): string | undefined {
    const { value } = item;
    return isString(value) && value !== ''
      ? this.fill(value, item['variables'])
      : this.#plainValue(name, item);
  }

  #plainValue(name: string, item: JsonObject): string | undefined {
    const { value, default: byDefault, isRequired, isSecret, choices } = item;
    if (isString(value) && value !== '') {
      return value;
    }
    const hasDefault = isString(byDefault) && byDefault !== '';
    if (hasDefault && isRequired !== true && isSecret !== true && !Array.isArray(choices)) {
      return byDefault;
    }
    if (isRequired !== true && !hasDefault) {
      this.notes.push(`\`${name}\` is optional, and left out`);
      return undefined;
    }
    return this.#ask(name, item);
  }

  #ask(name: string, item: JsonObject): string {
    const { description, default: byDefault, isSecret, choices } = item;
    const id = toInputId(name);
    const options = Array.isArray(choices) ? (choices as readonly unknown[]).filter(isString) : [];
    const text = isString(description) && description !== '' ? description : `Value of ${name}`;
    const isKnown = isString(byDefault) && (options.length === 0 || options.includes(byDefault));
    const kind =
      options.length > 0
        ? { type: 'pickString', options, ...(isKnown && { default: byDefault }) }
        : {
            type: 'promptString',
            ...(isSecret === true ? { password: true } : isKnown && { default: byDefault }),
          };
    this.definitions.set(id, { id, description: text.slice(0, maxDescription), ...kind });
    return `\${input:${id}}`;
  }
}

const maxDescription = 300;
const maxFilled = 1_000;

/** Environment variables or headers. */
export function keyValues(list: unknown, inputs: RegistryInputs): Readonly<Record<string, string>> {
  const pairs = (Array.isArray(list) ? (list as readonly unknown[]) : []).flatMap((item) => {
    const name = isObject(item) ? item['name'] : undefined;
    if (!isObject(item) || !isString(name) || name === '') {
      return [];
    }
    const value = inputs.valueOf(name, item);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

/** @param takesFlags whether a named argument without a value is a flag, rather than one with a missing value */
export function argumentTexts(
  list: unknown,
  inputs: RegistryInputs,
  takesFlags: boolean,
): readonly string[] {
  return (Array.isArray(list) ? (list as readonly unknown[]) : []).flatMap((item) => {
    if (!isObject(item)) {
      return [];
    }
    const { name, type, value, default: byDefault, valueHint } = item;
    if (type !== 'named') {
      const text = inputs.valueOf(isString(valueHint) ? valueHint : 'argument', item);
      return text === undefined ? [] : [text];
    }
    if (!isString(name) || name === '') {
      return [];
    }
    const isOpen = isString(value) || isString(byDefault) || isString(valueHint);
    if (takesFlags && !isOpen && item['isRequired'] !== true) {
      return [name];
    }
    const text = inputs.valueOf(name, item);
    return text === undefined ? [] : [name, text];
  });
}
