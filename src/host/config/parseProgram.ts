/**
 * Fields of servers that are started: `dev`, with options for the server's developer and names as in VS Code's mcp.json;
 * `sandbox`, what the program may write and reach, which sandbox.ts enforces; `pinFiles`.
 */
import { isObject, isString, isStringArray, withoutUndefined } from '../../base/json.ts';
import { type EntryReader, nonEmpty, typeName } from './entryReader.ts';
import type { DebugSettings, DevSettings, SandboxSettings, ServerConfig } from './serverConfig.ts';

export function parseForPrograms(
  reader: EntryReader,
): Pick<ServerConfig, 'sandbox' | 'pinFiles' | 'dev'> {
  const dev = parseDev(reader);
  const sandbox = parseSandbox(reader);
  const pinFiles = reader.boolean('pinFiles') === true ? true : undefined;
  return withoutUndefined({ sandbox, pinFiles, dev });
}

/** Undefined where nothing in it is usable; problems were reported. */
function parseDev(reader: EntryReader): DevSettings | undefined {
  const raw = reader.raw('dev');
  if (!isObject(raw)) {
    if (raw !== undefined) {
      reader.warn('dev', `must be an object with \`watch\` or \`debug\`, not ${typeName(raw)}`);
    }
    return undefined;
  }
  // A problem in it does not make the server unusable.
  const inner = reader.within('dev', raw, 'harmless');
  const watch = parseWatch(reader, inner.raw('watch'));
  const debug = parseDebug(reader, inner.raw('debug'));
  inner.warnOfOthers();
  return withoutUndefined({ watch, debug });
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
  const type = inner.raw('type');
  if (type !== 'node' && type !== 'debugpy') {
    inner.warn('type', 'must be "node" or "debugpy"');
    return undefined;
  }
  const debugpyPath = type === 'debugpy' ? inner.text('debugpyPath', nonEmpty) : undefined;
  inner.warnOfOthers();
  return type === 'node' ? { type } : withoutUndefined({ type, debugpyPath });
}

/** Whether a path of an entry begins at a root, in the user's home or with a variable. */
function isAbsolute(path: string): boolean {
  return /^(?:\/|~(?:\/|$)|\$\{)/u.test(path);
}

/** Undefined where the entry wants none. A mistake makes the entry unusable, so that it never runs unbounded. */
function parseSandbox(reader: EntryReader): SandboxSettings | undefined {
  const raw = reader.raw('sandbox');
  if (raw === undefined || raw === false) {
    return undefined;
  }
  if (raw !== true && !isObject(raw)) {
    reader.fail(
      'sandbox',
      `must be true, or an object with \`write\` or \`network\`, not ${typeName(raw)}`,
    );
    return undefined;
  }
  const inner = reader.within('sandbox', raw === true ? {} : raw, 'fatal');
  const network = inner.boolean('network') ?? false;
  const write = inner.raw('write') ?? [];
  inner.warnOfOthers();
  if (!isStringArray(write) || !write.every(isAbsolute)) {
    inner.fail('write', 'must be a list of paths that begin with "/", "~/" or a variable');
    return undefined;
  }
  return { write, network };
}
