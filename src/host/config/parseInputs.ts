/** `mcpHost.inputs` of one scope → InputDefinitions: what `${input:id}` asks for. */
import { t } from '../../base/l10n.ts';
import { isObject, isString, withoutUndefined } from '../../base/json.ts';
import { EntryReader, type TextRule, typeName } from './entryReader.ts';
import type { ConfigProblem, InputDefinition, RawScope } from './serverConfig.ts';

const idRule: TextRule = {
  pattern: /^[A-Za-z0-9_.-]+$/u,
  must: () => t('must consist of letters, digits, ".", "_" and "-"'),
};

export function parseInputs(
  raw: RawScope,
  report: (problem: ConfigProblem) => void,
): readonly InputDefinition[] {
  const { scope, inputs } = raw;
  const at =
    (entry?: string) =>
    (field: string | undefined, message: string, isFatal = true): void =>
      report({ scope, setting: 'mcpHost.inputs', entry, field, message, isFatal });
  if (inputs === undefined || inputs === null) {
    return [];
  }
  if (!Array.isArray(inputs)) {
    at()(undefined, t('must be a list of objects, not {0}', typeName(inputs)));
    return [];
  }
  const found = new Map<string, InputDefinition>();
  for (const [index, value] of (inputs as readonly unknown[]).entries()) {
    const name = isObject(value) && isString(value['id']) ? value['id'] : `[${index}]`;
    if (!isObject(value)) {
      at(name)(undefined, t('must be an object, not {0}', typeName(value)));
      continue;
    }
    const reader = new EntryReader(value, at(name));
    const input = parseInput(reader);
    if (input !== undefined && found.has(input.id)) {
      reader.fail('id', t('is used twice: the first input of this name counts'));
    } else if (input !== undefined) {
      found.set(input.id, input);
    }
  }
  return [...found.values()];
}

const types = ['promptString', 'pickString'] as const;
const typeSynonyms = new Map<string, (typeof types)[number]>([
  ['string', 'promptString'],
  ['prompt', 'promptString'],
  ['pick', 'pickString'],
]);
const elsewhere = {
  options: () => t('has no effect: it belongs to inputs of type "{0}"', 'pickString'),
  password: () => t('has no effect: it belongs to inputs of type "{0}"', 'promptString'),
};

function parseInput(reader: EntryReader): InputDefinition | undefined {
  reader.require('id');
  reader.require('type');
  const id = reader.text('id', idRule);
  const type = reader.oneOf('type', types, typeSynonyms);
  if (id === undefined || type === undefined) {
    return undefined;
  }
  const shared = { id, description: reader.text('description') ?? id };
  const byDefault = reader.text('default');
  const input =
    type === 'promptString'
      ? { type, ...shared, ...parsePrompt(reader, byDefault) }
      : { type, ...shared, ...parsePick(reader, byDefault) };
  reader.warnOfOthers(new Map(Object.entries(elsewhere)));
  return reader.isUsable ? withoutUndefined(input) : undefined;
}

function parsePrompt(reader: EntryReader, byDefault: string | undefined) {
  const password = reader.boolean('password') ?? false;
  if (password && byDefault !== undefined) {
    reader.warn('default', t('has no effect: a password in the settings would not be secret'));
  }
  return { password, default: password ? undefined : byDefault };
}

function parsePick(reader: EntryReader, byDefault: string | undefined) {
  reader.require('options');
  const options = reader.texts('options');
  if (options?.length === 0) {
    reader.fail('options', t('must hold at least one text to pick'));
  } else if (byDefault !== undefined && options?.includes(byDefault) === false) {
    reader.fail('default', t('must be one of the options'));
  }
  return { options: options ?? [], default: byDefault };
}
