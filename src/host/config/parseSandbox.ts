/** `sandbox` of an entry → SandboxSettings: what the program may write and reach. sandbox.ts enforces it. */
import { isObject, isStringArray } from '../../base/json.ts';
import { type EntryReader, typeName } from './entryReader.ts';
import type { SandboxSettings } from './serverConfig.ts';

/** Whether a path of an entry begins at a root, in the user's home or with a variable. */
export function isAbsolute(path: string): boolean {
  return /^(?:\/|~(?:\/|$)|\$\{)/u.test(path);
}

/** Undefined where the entry wants none. A mistake makes the entry unusable, so that it never runs unbounded. */
export function parseSandbox(reader: EntryReader): SandboxSettings | undefined {
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
  inner.warnOfOthers(new Set(['write', 'network']), new Map());
  const network = inner.boolean('network') ?? false;
  const write = inner.raw('write') ?? [];
  if (!isStringArray(write) || !write.every(isAbsolute)) {
    inner.fail('write', 'must be a list of paths that begin with "/", "~/" or a variable');
    return undefined;
  }
  return { write, network };
}
