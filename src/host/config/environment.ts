/** The environment of a server's process: what it inherits, and what the settings add and remove. */

export type Platform = 'win32' | 'posix';

/** An environment in the form of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Variables by which the editor configures the extension host; no other program should get them. With
 * ELECTRON_RUN_AS_NODE an Electron program starts as Node; the VSCODE_ ones name the editor's own sockets.
 */
const ownOfTheEditor = /^(?:ELECTRON_RUN_AS_NODE|VSCODE_.*)$/iu;

/**
 * Merges environments: later layers win, null removes. On Windows, names that differ only in case are one variable,
 * spelled as the last layer spells it.
 */
export function layered(
  platform: Platform,
  layers: readonly Readonly<Record<string, string | null | undefined>>[],
): Readonly<Record<string, string>> {
  const merged = new Map<string, readonly [name: string, value: string]>();
  for (const layer of layers) {
    // Sorted, so that the result never depends on the order of names in a layer.
    const names = Object.keys(layer).toSorted();
    for (const name of names) {
      const value = layer[name];
      if (value === null) {
        merged.delete(variableKey(platform, name));
      } else if (value !== undefined) {
        merged.set(variableKey(platform, name), [name, value]);
      }
    }
  }
  return Object.fromEntries(merged.values());
}

/** The editor's environment without the variables of the editor itself. */
export function inherited(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !ownOfTheEditor.test(name)),
  );
}

/** Looks a variable up as programs of the platform do. */
export function lookUp(
  platform: Platform,
  environment: Environment,
  name: string,
): string | undefined {
  if (Object.hasOwn(environment, name)) {
    return environment[name];
  }
  const key = variableKey(platform, name);
  const found = Object.entries(environment).find(([other]) => variableKey(platform, other) === key);
  return found?.[1];
}

/** The same for all spellings of one variable. */
export function variableKey(platform: Platform, name: string): string {
  return platform === 'win32' ? name.toUpperCase() : name;
}
