/** `dev` of an entry → DevSettings: options for the server's developer. Names as in VS Code's mcp.json. */
import { isObject, isString } from '../../base/json.ts';
import { type EntryReader, nonEmpty, typeName } from './entryReader.ts';
import type { DebugSettings, DevSettings } from './serverConfig.ts';

/** Undefined where nothing in it is usable; problems were reported. */
export function parseDev(reader: EntryReader): DevSettings | undefined {
  const raw = reader.raw('dev');
  if (!isObject(raw)) {
    if (raw !== undefined) {
      reader.warn('dev', `must be an object with \`watch\` or \`debug\`, not ${typeName(raw)}`);
    }
    return undefined;
  }
  // A problem in it does not make the server unusable.
  const inner = reader.within('dev', raw, 'harmless');
  inner.warnOfOthers(new Set(['watch', 'debug']), new Map());
  const watch = parseWatch(reader, raw['watch']);
  const debug = parseDebug(reader, raw['debug']);
  return { watch, ...(debug === undefined ? {} : { debug }) };
}

function parseWatch(reader: EntryReader, value: unknown): readonly string[] {
  const patterns: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (value === undefined) {
    return [];
  }
  if (!patterns.every((one) => isString(one) && one.trim() !== '' && one !== '!')) {
    reader.warn('dev.watch', `must be a glob pattern or a list of them, not ${typeName(value)}`);
    return [];
  }
  const texts = patterns.filter(isString);
  if (texts.every((one) => one.startsWith('!'))) {
    reader.warn('dev.watch', 'only excludes files: add a pattern without "!"');
    return [];
  }
  return texts;
}

function parseDebug(reader: EntryReader, value: unknown): DebugSettings | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (!isObject(value)) {
    const message = `must be an object such as { "type": "node" }, not ${typeName(value)}`;
    reader.warn('dev.debug', message);
    return undefined;
  }
  const inner = reader.within('dev.debug', value, 'harmless');
  const { type } = value;
  if (type === 'node') {
    inner.warnOfOthers(new Set(['type']), new Map());
    return { type };
  }
  if (type === 'debugpy') {
    inner.warnOfOthers(new Set(['type', 'debugpyPath']), new Map());
    const debugpyPath = inner.text('debugpyPath', nonEmpty);
    return { type, ...(debugpyPath === undefined ? {} : { debugpyPath }) };
  }
  reader.warn('dev.debug.type', 'must be "node" or "debugpy"');
  return undefined;
}
