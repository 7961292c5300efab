/**
 * The manifest of an MCPB bundle (https://github.com/modelcontextprotocol/mcpb, manifest 0.3 and others of 0.x) → a server in
 * our own form, whose files are in a folder. What the user has to configure becomes an input. Pure.
 */
import { t } from '../../base/l10n.ts';
import { isObject, isString, type JsonObject, someText, stableStringify } from '../../base/json.ts';
import { truncated } from '../../base/text.ts';
import { referencesIn } from '../config/variables.ts';
import type { ImportedInput, ImportedServer, Surroundings } from './importedServer.ts';
import { renameInputs, withTexts } from './planImport.ts';
import { toInputId } from './serverDraft.ts';
import { summaryOf, translateServer, unusable } from './translateServer.ts';
import type { BundleFiles } from './unpackBundle.ts';

export interface Bundle {
  readonly server: ImportedServer;
  /** Name, version and author, as the bundle says, at most {@link maxTitleChars}. */
  readonly title: string;
  /** The same for all versions by one author; undefined for a bundle without a name. */
  readonly identity: string | undefined;
  /** In the order in which they are used. */
  readonly lists: readonly ListOption[];
}

export const maxTitleChars = 120;

/** A value of the user that stands for any number of arguments. Secrets are inputs, which have one value each. */
export interface ListOption {
  readonly key: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** With variables of our own settings. */
  readonly byDefault: readonly string[];
}

/** Each part of the title is cut on its own: a long name hides no version and no author. */
function aboutBundle(manifest: JsonObject): Pick<Bundle, 'title' | 'identity'> {
  const { author } = manifest;
  const name = someText(manifest['name']);
  const by = isObject(author) ? someText(author['name']) : undefined;
  const title = [
    truncated(someText(manifest['display_name']) ?? name ?? 'bundle', 40),
    truncated(someText(manifest['version']) ?? '', 20),
    ...(by === undefined ? [] : [t('by {0}', truncated(by, 40))]),
  ].join(' ');
  return { title, identity: name && JSON.stringify([name, by]) };
}

/**
 * @param folder where the bundle's files are
 * @param answers the user's values for {@link Bundle.lists}, by key; where there is none, the defaults are taken
 */
export function readBundle(
  manifest: unknown,
  folder: string,
  around: Surroundings,
  answers: ReadonlyMap<string, readonly string[]> = new Map(),
): Bundle {
  const read = isObject(manifest) ? manifest : {};
  const { server, compatibility } = read;
  const name = someText(read['name']) ?? 'bundle';
  const about = aboutBundle(read);
  const refused = (why: string): Bundle => ({
    ...about,
    server: unusable({ name }, why),
    lists: [],
  });
  const version = someText(read['manifest_version']) ?? someText(read['dxt_version']) ?? '';
  if (!/^0\.\d+$/u.test(version)) {
    return refused(
      t('has a manifest of version {0}; versions 0.x are read', JSON.stringify(version)),
    );
  }
  const platforms = isObject(compatibility) ? compatibility['platforms'] : undefined;
  if (Array.isArray(platforms) && !platforms.includes(around.platform)) {
    return refused(t('is made for {0}, not for {1}', platforms.join(', '), around.platform));
  }
  const config = isObject(server) ? commandOf(server, around.platform) : undefined;
  if (config === undefined) {
    return refused(t('names no command that starts its server'));
  }
  const values = new BundleValues(read['user_config'], folder, around, answers);
  const raw = values.filled(config);
  const translated = translateServer({ name, raw }, {}, around, values.inputs);
  return {
    ...about,
    server: { ...translated, problems: [...values.problems, ...translated.problems] },
    lists: [...values.lists.values()],
  };
}

/**
 * A bundle in place of an earlier version that an entry runs: where both manifests say the same, the entry stays as the
 * user has it.
 * @returns no lists whose values are in the entry already
 */
export function updatedBundle(
  entry: JsonObject,
  before: BundleFiles,
  after: BundleFiles,
  around: Surroundings,
  answers?: ReadonlyMap<string, readonly string[]>,
): Bundle {
  const { server: old } = readBundle(before.manifest, after.folder, around);
  const read = readBundle(after.manifest, after.folder, around, answers);
  const { server, lists } = read;
  const move = (text: string): string => text.replaceAll(before.folder, () => after.folder);
  const moved = Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, withTexts(value, move)]),
  );
  const used = inputsIn(moved);
  const idOf = ({ id }: { readonly id: string }): string =>
    old.inputs.some((input) => input.id === id)
      ? (used.find((own) => own === id || own.replace(/-\d+$/u, '') === id) ?? id)
      : id;
  const merge = (part: (entry: JsonObject) => JsonObject): JsonObject =>
    merged(part(moved), part(old.entry), part(server.entry), idOf);
  const env = merge(envOf);
  const changed = { ...merge((whole) => whole), ...(Object.keys(env).length > 0 && { env }) };
  const needed = inputsIn(changed);
  return {
    ...read,
    lists: isSame(old.entry['args'], server.entry['args']) ? [] : lists,
    server: {
      ...server,
      entry: changed,
      summary: summaryOf(changed),
      inputs: server.inputs
        .map((input) => ({ ...input, id: idOf(input) }))
        .filter(({ id }) => needed.includes(id)),
    },
  };
}

/** The user's members, with what differs between an earlier version and the next. */
function merged(
  mine: JsonObject,
  old: JsonObject,
  next: JsonObject,
  idOf: (input: { readonly id: string }) => string,
): JsonObject {
  const kept = Object.entries(mine).filter(
    ([key]) => !Object.hasOwn(old, key) || isSame(old[key], next[key]),
  );
  const changed = Object.entries(next).filter(([key, value]) => !isSame(old[key], value));
  const renamed = changed.map(([key, value]) => [key, renameInputs(value, idOf)] as const);
  return Object.fromEntries<unknown>([...kept, ...renamed]);
}

function isSame(a: unknown, b: unknown): boolean {
  return stableStringify(a) === stableStringify(b);
}

function envOf({ env }: JsonObject): JsonObject {
  return isObject(env) ? env : {};
}

/** The ids of the inputs that an entry refers to. */
export function inputsIn(entry: unknown): readonly string[] {
  return referencesIn(JSON.stringify(entry) ?? '').flatMap((reference) =>
    reference.kind === 'input' ? [reference.id] : [],
  );
}

/** Of this platform, where the manifest has one of its own. */
function commandOf(server: JsonObject, platform: string): JsonObject | undefined {
  const { type, mcp_config: config, entry_point: entry } = server;
  if (isObject(config) && isString(config['command'])) {
    const { platform_overrides: overrides, command, args, env } = config;
    const own = isObject(overrides) ? overrides[platform] : undefined;
    return { command, args, env, ...(isObject(own) ? own : {}) };
  }
  return type === 'uv' && isString(entry)
    ? { command: 'uv', args: ['run', '--directory', '${__dirname}', entry] }
    : undefined;
}

const maxDescription = 300;

/** What stands for the variables of a manifest. */
class BundleValues {
  readonly inputs = new Map<string, ImportedInput>();
  readonly lists = new Map<string, ListOption>();
  readonly problems: string[] = [];
  readonly #config: JsonObject;
  readonly #known: ReadonlyMap<string, string>;
  /** What a person types is taken as it is, so that what is offered for it has no variables. */
  readonly #home: string;
  readonly #answers: ReadonlyMap<string, readonly string[]>;

  constructor(
    config: unknown,
    folder: string,
    { platform, env }: Surroundings,
    answers: ReadonlyMap<string, readonly string[]>,
  ) {
    this.#answers = answers;
    this.#config = isObject(config) ? config : {};
    const isWindows = platform === 'win32';
    const separator = isWindows ? '\\' : '/';
    this.#home = env[isWindows ? 'USERPROFILE' : 'HOME'] ?? '${userHome}';
    const below = (name: string): string => `\${userHome}${separator}${name}`;
    this.#known = new Map([
      ['__dirname', folder],
      ['HOME', '${userHome}'],
      ['DESKTOP', below('Desktop')],
      ['DOCUMENTS', below('Documents')],
      ['DOWNLOADS', below('Downloads')],
      ['pathSeparator', separator],
      ['/', separator],
    ]);
  }

  filled({ command, args, env }: JsonObject): JsonObject {
    const texts = Array.isArray(args) ? (args as readonly unknown[]).filter(isString) : [];
    const variables = Object.entries(isObject(env) ? env : {}).filter(
      (pair): pair is [string, string] => isString(pair[1]),
    );
    return {
      command: this.#fill(String(command)),
      ...(texts.length > 0 && {
        args: texts.flatMap((text) => this.#listOf(text) ?? [this.#fill(text)]),
      }),
      ...(variables.length > 0 && {
        env: Object.fromEntries(variables.map(([name, text]) => [name, this.#fill(text)])),
      }),
    };
  }

  /** The values of a whole argument, which stands for as many. */
  #listOf(argument: string): readonly string[] | undefined {
    const key = /^\$\{user_config\.([^{}]+)\}$/u.exec(argument)?.[1] ?? '';
    const option = this.#config[key];
    if (!isObject(option) || option['multiple'] !== true || option['sensitive'] === true) {
      return undefined;
    }
    const byDefault = [option['default']]
      .flat()
      .filter((value) => isString(value) || typeof value === 'number')
      .map((value) => this.#fill(String(value)));
    const isRequired = option['required'] === true;
    this.lists.set(key, { key, description: describe(option, key), isRequired, byDefault });
    return this.#answers.get(key) ?? byDefault;
  }

  #fill(text: string): string {
    return text.replaceAll(/\$\{([^{}]+)\}/gu, (whole, name: string) => {
      const key = /^user_config\.(.+)$/u.exec(name)?.[1];
      return key === undefined ? (this.#known.get(name) ?? whole) : this.#input(key);
    });
  }

  /** A reference to the input for a value of the user. */
  #input(key: string): string {
    const id = toInputId(key);
    const option = this.#config[key];
    if (!this.inputs.has(id)) {
      this.inputs.set(id, this.#definition(id, isObject(option) ? option : {}));
    }
    return `\${input:${id}}`;
  }

  #definition(id: string, option: JsonObject): ImportedInput {
    const { type, sensitive, multiple, default: byDefault } = option;
    const description = describe(option, id);
    if (multiple === true) {
      this.problems.push(
        t(
          '`{0}` takes several values, of which one fits where it is used: you are asked for that one',
          id,
        ),
      );
    }
    if (sensitive === true) {
      return { id, type: 'promptString', description, password: true };
    }
    const known = ['string', 'number', 'boolean'].includes(typeof byDefault)
      ? { default: this.#fill(String(byDefault)).replaceAll('${userHome}', this.#home) }
      : {};
    return type === 'boolean'
      ? { id, type: 'pickString', description, options: ['true', 'false'], ...known }
      : { id, type: 'promptString', description, ...known };
  }
}

function describe(option: JsonObject, key: string): string {
  const about = [someText(option['title']), someText(option['description'])];
  return truncated(about.filter((text) => text !== undefined).join(': ') || key, maxDescription);
}
