/**
 * Entries of an MCP registry (`server.json`, https://modelcontextprotocol.io/registry) → servers in our own form, one
 * for each package and each remote. A value that the user has to give becomes an input; optional ones are left out. Pure.
 */
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { whatIsWrongWithSize } from '../config/parseConfig.ts';
import type { ImportedInput, ImportedServer, Surroundings } from './importedServer.ts';
import { translateServer, unusable } from './translateServer.ts';
import { toInputId } from './importVariables.ts';

export interface RegistryHit {
  /** In reverse-DNS form, such as `io.github.someone/weather`. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly version: string;
  /** The URL of its source. */
  readonly repository?: string;
  readonly ways: readonly RegistryWay[];
}

export interface RegistryWay {
  /** The kind of package with its identifier, or the transport. */
  readonly label: string;
  readonly server: ImportedServer;
}

const maxHits = 100;
/** The most packages and remotes of one entry. */
const maxWays = 20;

/** @param answer of `GET /v0/servers`; unreadable entries are skipped */
export function readRegistry(answer: unknown, around: Surroundings): readonly RegistryHit[] {
  const list = isObject(answer) ? answer['servers'] : undefined;
  return objects(list)
    .slice(0, maxHits)
    .flatMap((item) => {
      // Older registries have the entry itself where newer ones wrap it.
      const entry = isObject(item['server']) ? item['server'] : item;
      const { name, title, description, version, repository } = entry;
      if (!isString(name) || name === '' || isGone(item)) {
        return [];
      }
      const url = isObject(repository) ? repository['url'] : undefined;
      return [
        {
          name,
          ...(isString(title) && title !== '' && { title }),
          description: isString(description) ? description : '',
          version: isString(version) ? version : '',
          ...(isString(url) && url !== '' && { repository: url }),
          ways: waysOf(entry, around),
        },
      ];
    });
}

/** @param entry a `server.json` */
export function serversOfRegistryEntry(
  entry: JsonObject,
  around: Surroundings,
): readonly ImportedServer[] {
  return waysOf(entry, around).map(({ server }) => server);
}

function waysOf(entry: JsonObject, around: Surroundings): readonly RegistryWay[] {
  const { name, packages, remotes } = entry;
  const short = isString(name) ? (name.split('/').at(-1) ?? name) : 'server';
  const wrong = whatIsWrongWithSize(entry);
  if (wrong !== undefined) {
    return [{ label: short, server: unusable({ name: short }, wrong) }];
  }
  return [
    ...objects(packages).map((item) => () => packageWay(short, item, around)),
    ...objects(remotes).map((item) => () => remoteWay(short, item, around)),
  ]
    .slice(0, maxWays)
    .map((way) => way());
}

function isGone({ _meta: meta }: JsonObject): boolean {
  const official = isObject(meta) ? meta['io.modelcontextprotocol.registry/official'] : undefined;
  return isObject(official) && official['status'] === 'deleted';
}

/** How packages of a registry are run, and which other programs they may request. */
interface Runner {
  readonly command: string;
  readonly others: readonly string[];
  /** Arguments in front of the package, unless the entry has them. */
  readonly before: readonly string[];
  readonly subject: (identifier: string, version: string | undefined) => string;
  readonly after: readonly string[];
}

const atVersion = (identifier: string, version: string | undefined): string =>
  version === undefined ? identifier : `${identifier}@${version}`;

const runners: ReadonlyMap<string, Runner> = new Map<string, Runner>([
  ['npm', { command: 'npx', others: ['bunx'], before: ['-y'], subject: atVersion, after: [] }],
  ['pypi', { command: 'uvx', others: ['pipx'], before: [], subject: atVersion, after: [] }],
  [
    'oci',
    {
      command: 'docker',
      others: ['podman'],
      before: ['run', '-i', '--rm'],
      subject: (identifier, version) =>
        version === undefined || /[:@]./su.test(identifier.split('/').at(-1) ?? '')
          ? identifier
          : `${identifier}:${version}`,
      after: [],
    },
  ],
  ['nuget', { command: 'dnx', others: [], before: [], subject: atVersion, after: ['--yes', '--'] }],
]);

function packageWay(name: string, item: JsonObject, around: Surroundings): RegistryWay {
  const { identifier, name: olderName, transport } = item;
  const type = item['registryType'] ?? item['registry_type'] ?? item['registry_name'];
  const subject = [identifier, olderName].find(isString) ?? '';
  const kind = isString(type) ? type : 'unknown';
  const label = `${kind} ${subject}`;
  const runner = isString(type) ? runners.get(type === 'docker' ? 'oci' : type) : undefined;
  const channel = isObject(transport) ? transport['type'] : 'stdio';
  if (runner === undefined || subject === '') {
    return {
      label,
      server: unusable({ name }, `packages of the kind \`${kind}\` are not supported`),
    };
  }
  if (channel !== 'stdio') {
    const problem = 'must be started by hand, and is then reached by its URL';
    return { label, server: unusable({ name }, problem) };
  }
  const inputs = new RegistryInputs();
  const raw = commandOf(runner, subject, item, inputs);
  return { label, server: finished(name, raw, inputs, around) };
}

function commandOf(
  runner: Runner,
  subject: string,
  item: JsonObject,
  inputs: RegistryInputs,
): JsonObject {
  const { version, runtimeHint } = item;
  const env = keyValues(item['environmentVariables'], inputs);
  const runtime = argumentTexts(item['runtimeArguments'], inputs, true);
  const isContainer = runner.command === 'docker';
  const before = [
    // Arguments in the entry are not repeated.
    ...runner.before.filter((word) => !runtime.includes(word)),
    ...(isContainer ? Object.keys(env).flatMap((key) => ['-e', key]) : []),
    ...runtime.filter((word) => !isContainer || word !== 'run'),
  ];
  const isHinted = isString(runtimeHint) && runner.others.includes(runtimeHint);
  return {
    command: isHinted ? runtimeHint : runner.command,
    args: [
      ...(isContainer && !before.includes('run') ? ['run', ...before] : before),
      runner.subject(subject, isString(version) && version !== '' ? version : undefined),
      ...runner.after,
      ...argumentTexts(item['packageArguments'], inputs, false),
    ],
    ...(Object.keys(env).length > 0 && { env }),
  };
}

function remoteWay(name: string, item: JsonObject, around: Surroundings): RegistryWay {
  const { url, type } = item;
  const transport = type ?? item['transport_type'];
  const inputs = new RegistryInputs();
  const headers = keyValues(item['headers'], inputs);
  const raw = {
    ...(isString(transport) && { type: transport }),
    ...(isString(url) && { url: inputs.fill(url, item['variables']) }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
  const label = transport === 'sse' ? 'HTTP+SSE' : 'Streamable HTTP';
  return { label, server: finished(name, raw, inputs, around) };
}

function finished(
  name: string,
  raw: JsonObject,
  inputs: RegistryInputs,
  around: Surroundings,
): ImportedServer {
  const server = translateServer({ name, raw }, { variables: {} }, around, inputs.definitions);
  return { ...server, problems: [...inputs.notes, ...server.problems] };
}

function objects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly unknown[]).filter(isObject) : [];
}

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
  const pairs = objects(list).flatMap((item) => {
    const { name } = item;
    const value = isString(name) && name !== '' ? inputs.valueOf(name, item) : undefined;
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
  return objects(list).flatMap((item) => {
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
