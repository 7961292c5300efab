/**
 * The servers that the user chose to import → what to write: entries, inputs, and values for the secret storage. Pure.
 * An import uses no existing input: its stored value was given for other servers.
 */
import { t } from '../../base/l10n.ts';
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { replaceReferences, type VariableReference } from '../config/variables.ts';
import type { ImportedInput, ImportedServer } from './importedServer.ts';
import { inputFor, toInputId } from './serverDraft.ts';
import { findSecrets, type SecretPlace, withoutSecrets } from './secretPlaces.ts';

export interface ChosenServer {
  readonly server: ImportedServer;
  /** Its name in our settings. */
  readonly name: string;
  /** Path of the source file: servers of one file share their inputs. */
  readonly file: string;
  /** Whether the text at a place goes to the secret storage. */
  readonly isSecret: (place: SecretPlace) => boolean;
}

export interface ImportPlan {
  readonly servers: Readonly<Record<string, JsonObject>>;
  readonly inputs: readonly ImportedInput[];
  /** For the secret storage, by id of the input. */
  readonly values: ReadonlyMap<string, string>;
  /** The original texts in their places, for the description of the import. */
  readonly texts: ReadonlyMap<string, string>;
}

type InputReference = Extract<VariableReference, { readonly kind: 'input' }>;

/** @param takenIds ids of inputs that are defined or have a stored value */
export function planImport(
  chosen: readonly ChosenServer[],
  takenIds: Iterable<string>,
): ImportPlan {
  const taken = counted(takenIds);
  const inputs = new Map<string, ImportedInput>();
  /** Our ids, by the file and the id there. */
  const ids = new Map<string, string>();
  const values = new Map<string, string>();
  const texts = new Map<string, string>();
  const servers = chosen.map((choice) => {
    const { server, name, file } = choice;
    const idOf = (input: ImportedInput): string => {
      const key = `${file}\n${input.id}`;
      const id = ids.get(key) ?? claim(input.id, taken);
      ids.set(key, id);
      if (!inputs.has(id)) {
        inputs.set(id, { ...input, id });
      }
      return id;
    };
    server.inputs.forEach(idOf);
    const keep = (place: SecretPlace): string => {
      const id = claim(toInputId(`${name}-${place.name}`), taken);
      const description = t('{0} of the server {1}', place.name, name);
      inputs.set(id, { id, type: 'promptString', description, password: true });
      // Nobody is to run the server with a placeholder: its value is asked for at the first start.
      if (!place.isPlaceholder) {
        values.set(id, place.value);
        texts.set(id, place.text);
      }
      return `\${input:${id}}`;
    };
    // All of them: the translation may have turned a text into a reference.
    const renamed = renameInputs(server.entry, ({ text, id }) => idOf(inputFor(text, id)));
    if (!isObject(renamed)) {
      return [name, {}] as const;
    }
    // After the renaming: ids of secrets are new, and no variable is inside a secret's place.
    const secrets = findSecrets(renamed).filter(
      (place) => place.isRequired || place.isPlaceholder || choice.isSecret(place),
    );
    return [name, withoutSecrets(renamed, secrets, keep)] as const;
  });
  return { servers: Object.fromEntries(servers), inputs: [...inputs.values()], values, texts };
}

/** The same servers, which start by command only. */
export function startedByCommand(plan: ImportPlan): ImportPlan {
  const servers = Object.entries(plan.servers).map(
    ([name, entry]) => [name, { ...entry, startup: 'manual' }] as const,
  );
  return { ...plan, servers: Object.fromEntries(servers) };
}

export function renameInputs(value: unknown, idOf: (reference: InputReference) => string): unknown {
  return withTexts(value, (text) =>
    replaceReferences(text, (reference) =>
      reference.kind === 'input' ? `\${input:${idOf(reference)}}` : undefined,
    ),
  );
}

/** The same value with other texts, at any depth. */
export function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (isString(value)) {
    return change(value);
  }
  if (Array.isArray(value)) {
    return value.map((item) => withTexts(item, change));
  }
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTexts(item, change)]))
    : value;
}

/** @param taken each name with the last number given to it */
function claim(wanted: string, taken: Map<string, number>): string {
  let number = taken.get(wanted) ?? 0;
  let id = wanted;
  while (taken.has(id)) {
    number += 1;
    id = `${wanted}-${number}`;
  }
  taken.set(wanted, Math.max(number, 1));
  taken.set(id, taken.get(id) ?? 1);
  return id;
}

/** `name`, or `name-2`, `name-3` and so on. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  return claim(wanted, counted(taken));
}

function counted(taken: Iterable<string>): Map<string, number> {
  return new Map(Array.from(taken, (name) => [name, 1]));
}
