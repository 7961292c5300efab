/**
 * Fields of servers that are started: `dev`, with options for the server's developer and names as in VS Code's mcp.json;
 * `sandbox`, what the program may write and reach, which sandbox.ts enforces; `pinFiles`.
 */
import { t } from '../../base/l10n.ts';
import { isString, isStringArray, withoutUndefined } from '../../base/json.ts';
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

/** Undefined where there is none. A problem in it does not make the server unusable. */
function parseDev(reader: EntryReader): DevSettings | undefined {
  return reader.section(
    'dev',
    t('an object with `watch` or `debug`'),
    (inner) => withoutUndefined({ watch: parseWatch(inner), debug: parseDebug(inner) }),
    { mistakes: 'harmless' },
  );
}

function parseWatch(reader: EntryReader): readonly string[] {
  const value = reader.has('watch') ? reader.raw('watch') : [];
  const patterns: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = patterns.filter(isString);
  if (texts.length < patterns.length || texts.some((one) => one.trim() === '' || one === '!')) {
    reader.warn('watch', t('must be a glob pattern or a list of them, not {0}', typeName(value)));
    return [];
  }
  if (texts.length > 0 && texts.every((one) => one.startsWith('!'))) {
    reader.warn('watch', t('only excludes files: add a pattern without "!"'));
    return [];
  }
  return texts;
}

function parseDebug(reader: EntryReader): DebugSettings | undefined {
  return reader.section('debug', t('an object such as {0}', '{ "type": "node" }'), (inner) => {
    const type = inner.oneOf('type', ['node', 'debugpy'] as const);
    inner.require('type');
    return type === 'debugpy'
      ? withoutUndefined({ type, debugpyPath: inner.text('debugpyPath', nonEmpty) })
      : type && { type };
  });
}

/** Whether a path of an entry begins at a root, in the user's home or with a variable. */
function isAbsolute(path: string): boolean {
  return /^(?:\/|~(?:\/|$)|\$\{)/u.test(path);
}

/** Undefined where the entry wants none. A mistake makes the entry unusable, so that it never runs unbounded. */
function parseSandbox(reader: EntryReader): SandboxSettings | undefined {
  const raw = reader.raw('sandbox');
  if (typeof raw === 'boolean') {
    return raw ? { write: [], network: false } : undefined;
  }
  return reader.section(
    'sandbox',
    t('true, or an object with `write` or `network`'),
    (inner) => {
      const write = inner.has('write') ? inner.raw('write') : [];
      const isUsable = isStringArray(write) && write.every(isAbsolute);
      if (!isUsable) {
        inner.fail('write', t('must be a list of paths that begin with "/", "~/" or a variable'));
      }
      return { write: isUsable ? write : [], network: inner.boolean('network') ?? false };
    },
    { mistakes: 'fatal' },
  );
}
