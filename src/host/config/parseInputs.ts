/** `mcpHost.inputs` of one scope → InputDefinitions: what `${input:id}` asks for. */
import { isObject, isString } from '../../base/json.ts';
import { EntryReader, type TextRule, typeName } from './entryReader.ts';
import type { ConfigProblem, InputDefinition, RawScope } from './serverConfig.ts';

const idRule: TextRule = {
  pattern: /^[A-Za-z0-9_.-]+$/u,
  must: 'consist of letters, digits, ".", "_" and "-"',
};

export function parseInputs(
  raw: RawScope,
  report: (problem: ConfigProblem) => void,
): readonly InputDefinition[] {
  const { scope, inputs } = raw;
  const at =
    (entry: string | undefined) =>
    (field: string | undefined, message: string, isFatal = true) =>
      report({
        scope,
        setting: 'mcpHost.inputs',
        ...(entry === undefined ? {} : { entry }),
        ...(field === undefined ? {} : { field }),
        message,
        ...(isFatal && { isFatal }),
      });
  if (inputs === undefined || inputs === null) {
    return [];
  }
  if (!Array.isArray(inputs)) {
    at(undefined)(undefined, `must be a list of objects, not ${typeName(inputs)}`);
    return [];
  }
  const found = new Map<string, InputDefinition>();
  for (const [index, value] of (inputs as readonly unknown[]).entries()) {
    const name = isObject(value) && isString(value['id']) ? value['id'] : `[${index}]`;
    if (!isObject(value)) {
      at(name)(undefined, `must be an object, not ${typeName(value)}`);
      continue;
    }
    const reader = new EntryReader(value, at(name));
    const input = parseInput(reader);
    if (input !== undefined && found.has(input.id)) {
      reader.fail('id', 'is used twice: the first input of this name counts');
    } else if (input !== undefined) {
      found.set(input.id, input);
    }
  }
  return [...found.values()];
}

function parseInput(reader: EntryReader): InputDefinition | undefined {
  const id = required(reader, 'id', () => reader.text('id', idRule));
  const type = required(reader, 'type', () =>
    reader.oneOf(
      'type',
      ['promptString', 'pickString'],
      new Map([
        ['string', 'promptString'],
        ['prompt', 'promptString'],
        ['pick', 'pickString'],
      ]),
    ),
  );
  if (id === undefined || type === undefined) {
    return undefined;
  }
  const description = reader.has('description') ? plainText(reader, 'description') : id;
  const byDefault = reader.has('default') ? plainText(reader, 'default') : undefined;
  const shared = { id, description: description ?? id };
  const input =
    type === 'promptString'
      ? parsePrompt(reader, shared, byDefault)
      : parsePick(reader, shared, byDefault);
  return reader.isUsable ? input : undefined;
}

function parsePrompt(
  reader: EntryReader,
  shared: { readonly id: string; readonly description: string },
  byDefault: string | undefined,
): InputDefinition {
  const password = reader.boolean('password') ?? false;
  reader.warnOfOthers(
    new Map([['options', 'has no effect: it belongs to inputs of type "pickString"']]),
  );
  if (password && byDefault !== undefined) {
    reader.warn('default', 'has no effect: a password in the settings would not be secret');
  }
  return {
    ...shared,
    type: 'promptString',
    password,
    ...(byDefault === undefined || password ? {} : { default: byDefault }),
  };
}

function parsePick(
  reader: EntryReader,
  shared: { readonly id: string; readonly description: string },
  byDefault: string | undefined,
): InputDefinition | undefined {
  const options = required(reader, 'options', () => reader.texts('options'));
  reader.warnOfOthers(
    new Map([['password', 'has no effect: it belongs to inputs of type "promptString"']]),
  );
  if (options === undefined) {
    return undefined;
  }
  if (options.length === 0) {
    reader.fail('options', 'must hold at least one text to pick');
  } else if (byDefault !== undefined && !options.includes(byDefault)) {
    reader.fail('default', 'must be one of the options');
  }
  return {
    ...shared,
    type: 'pickString',
    options,
    ...(byDefault === undefined ? {} : { default: byDefault }),
  };
}

function plainText(reader: EntryReader, field: string): string | undefined {
  return reader.textAt(field, reader.raw(field));
}

function required<T>(reader: EntryReader, field: string, read: () => T): T | undefined {
  if (!reader.has(field)) {
    reader.fail(field, 'is missing');
    return undefined;
  }
  return read();
}
