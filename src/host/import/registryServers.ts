/**
 * Entries of an MCP registry (`server.json`, https://modelcontextprotocol.io/registry) → servers in our own form, one
 * for each package and each remote. A value that the user has to give becomes an input; optional ones are left out. Pure.
 */
import { t } from '../../base/l10n.ts';
import {
  isObject,
  isString,
  type JsonObject,
  withoutUndefined,
  someText,
} from '../../base/json.ts';
import { isLoopback } from '../../mcp/network/loopback.ts';
import { whatIsWrongWithSize } from '../config/parseConfig.ts';
import type { ImportedInput, ImportedServer, Surroundings } from './importedServer.ts';
import { translateServer, unusable } from './translateServer.ts';
import { toInputId } from './serverDraft.ts';

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
  /** An MCPB bundle has to be fetched first; `server` cannot be used then. */
  readonly bundle?: BundlePlace;
}

export interface BundlePlace {
  /** A path, also below `~`, or a URL; a registry names an https one, or one of this machine as it is itself. */
  readonly source: string;
  /** The SHA-256 that a registry names. */
  readonly digest?: string | undefined;
}

const maxHits = 100;
/** The most packages and remotes of one entry. */
const maxWays = 20;

/** @param answer of `GET /v0.1/servers`; unreadable entries are skipped */
export function readRegistry(answer: unknown, around: Surroundings): readonly RegistryHit[] {
  const list = isObject(answer) ? answer['servers'] : undefined;
  return objects(list)
    .slice(0, maxHits)
    .flatMap((item) => {
      // Older registries have the entry itself where newer ones wrap it.
      const entry = isObject(item['server']) ? item['server'] : item;
      const { repository } = entry;
      const name = someText(entry['name']);
      if (name === undefined || isGone(item)) {
        return [];
      }
      return [
        withoutUndefined({
          name,
          title: someText(entry['title']),
          description: someText(entry['description']) ?? '',
          version: someText(entry['version']) ?? '',
          repository: isObject(repository) ? someText(repository['url']) : undefined,
          ways: waysOf(entry, around),
        }),
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

/** How packages of a registry are run. */
interface Runner {
  readonly command: string;
  /** The program that a registry may ask for instead. */
  readonly other?: string;
  /** Arguments in front of the package, unless the entry has them. */
  readonly before: readonly string[];
  readonly after?: readonly string[];
}

const container: Runner = { command: 'docker', other: 'podman', before: ['run', '-i', '--rm'] };
const runners: ReadonlyMap<unknown, Runner> = new Map<unknown, Runner>([
  ['npm', { command: 'npx', other: 'bunx', before: ['-y'] }],
  ['pypi', { command: 'uvx', other: 'pipx', before: [] }],
  ['oci', container],
  ['docker', container],
  ['nuget', { command: 'dnx', before: [], after: ['--yes', '--'] }],
]);
/** Where the runners look for packages. */
const publicHosts: ReadonlyMap<unknown, string> = new Map([
  ['npm', 'registry.npmjs.org'],
  ['pypi', 'pypi.org'],
  ['nuget', 'api.nuget.org'],
]);
/** Names of the registry that is meant without one. */
export const publicImages = /^(?:(?:index|registry-1)\.)?docker\.io$/u;

function packageWay(name: string, item: JsonObject, around: Surroundings): RegistryWay {
  const { transport, registryBaseUrl: base } = item;
  const kind = someText(item['registryType']) ?? 'unknown';
  const subject = someText(item['identifier']) ?? '';
  const label = `${kind} ${subject}`;
  if (kind === 'mcpb') {
    return bundleWay(name, label, subject, item['fileSha256'], around);
  }
  const runner = runners.get(kind);
  if (runner === undefined || subject === '') {
    const problem = t('packages of the kind `{0}` are not supported', kind);
    return { label, server: unusable({ name }, problem) };
  }
  if (isObject(transport) && transport['type'] !== 'stdio') {
    const problem = t('must be started by hand, and is then reached by its URL');
    return { label, server: unusable({ name }, problem) };
  }
  const host = isString(base) ? (URL.parse(base)?.host ?? base) : undefined;
  if (runner !== container && host !== undefined && host !== publicHosts.get(kind)) {
    const problem = t(
      'comes from {0}, where `{1}` does not look: add its command by hand',
      String(base),
      runner.command,
    );
    return { label, server: unusable({ name }, problem) };
  }
  const inputs = new RegistryInputs();
  const whole = runner === container ? imageAt(host, subject) : subject;
  const raw = commandOf(runner, whole, item, inputs);
  return { label, server: finished(name, raw, inputs, around) };
}

/** The registry stands before the image, unless it is there already, or is the one that is meant without. */
function imageAt(host: string | undefined, image: string): string {
  return host === undefined || publicImages.test(host) || image.startsWith(`${host}/`)
    ? image
    : `${host}/${image}`;
}

function bundleWay(
  name: string,
  label: string,
  source: string,
  sha256: unknown,
  { registry = '' }: Surroundings,
): RegistryWay {
  const digest = isString(sha256) && /^[\da-f]{64}$/iu.test(sha256) ? sha256 : undefined;
  const isHere = [source, registry].every((text) => isLoopbackHttp(text));
  if (!(source.startsWith('https://') || isHere) || digest === undefined) {
    const problem = t('is a bundle without an https address or the SHA-256 of its file');
    return { label, server: unusable({ name }, problem) };
  }
  const server = unusable({ name }, t('is a bundle: paste the address of its file'));
  return { label, server, bundle: { source, digest } };
}

function isLoopbackHttp(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'http:' && isLoopback(url);
}

function commandOf(
  runner: Runner,
  subject: string,
  item: JsonObject,
  inputs: RegistryInputs,
): JsonObject {
  const { command, other, after = [] } = runner;
  const isContainer = runner === container;
  const env = keyValues(item['environmentVariables'], inputs);
  const runtime = argumentTexts(item['runtimeArguments'], inputs, true);
  // Arguments in the entry are not repeated, but for the subcommand, which comes first.
  const before = runner.before.filter((word) => word === 'run' || !runtime.includes(word));
  return {
    command: other !== undefined && item['runtimeHint'] === other ? other : command,
    args: [
      ...before,
      ...(isContainer ? Object.keys(env).flatMap((key) => ['-e', key]) : []),
      ...runtime.filter((word) => !isContainer || word !== 'run'),
      atVersion(subject, someText(item['version']), isContainer ? ':' : '@'),
      ...after,
      ...argumentTexts(item['packageArguments'], inputs, false),
    ],
    ...(Object.keys(env).length > 0 && { env }),
  };
}

function atVersion(subject: string, version: string | undefined, mark: ':' | '@'): string {
  // The tag or digest of an image may be a part of its name.
  const hasOwn = mark === ':' && /[:@]./su.test(subject.split('/').at(-1) ?? '');
  return version === undefined || hasOwn ? subject : `${subject}${mark}${version}`;
}

function remoteWay(name: string, item: JsonObject, around: Surroundings): RegistryWay {
  const { url } = item;
  const transport = someText(item['type']);
  const inputs = new RegistryInputs();
  const headers = keyValues(item['headers'], inputs);
  const raw = withoutUndefined({
    type: transport,
    url: isString(url) ? inputs.fill(url, item['variables']) : undefined,
    headers: Object.keys(headers).length > 0 ? headers : undefined,
  });
  const label = transport === 'sse' ? 'HTTP+SSE' : 'Streamable HTTP';
  return { label, server: finished(name, raw, inputs, around) };
}

function finished(
  name: string,
  raw: JsonObject,
  inputs: RegistryInputs,
  around: Surroundings,
): ImportedServer {
  const server = translateServer({ name, raw }, {}, around, inputs.definitions);
  return { ...server, problems: [...inputs.notes, ...server.problems] };
}

function objects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly unknown[]).filter(isObject) : [];
}

class RegistryInputs {
  readonly definitions = new Map<string, ImportedInput>();
  /** What was left out, in sentences. */
  readonly notes: string[] = [];
  /** What was asked for, by what describes it: two arguments may have variables of one name. */
  readonly #asked = new Map<JsonObject, string>();

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
    const value = someText(item['value']);
    return value === undefined ? this.#plainValue(name, item) : this.fill(value, item['variables']);
  }

  #plainValue(name: string, item: JsonObject): string | undefined {
    const { isRequired, isSecret, choices } = item;
    const byDefault = someText(item['default']);
    const isOpen = isRequired === true || isSecret === true || Array.isArray(choices);
    const known = someText(item['value']) ?? (isOpen ? undefined : byDefault);
    if (known !== undefined) {
      return known;
    }
    if (isRequired !== true && byDefault === undefined) {
      this.notes.push(t('`{0}` is optional, and left out', name));
      return undefined;
    }
    return this.#ask(name, item);
  }

  #ask(name: string, item: JsonObject): string {
    const { default: byDefault, isSecret, choices } = item;
    const known = this.#asked.get(item);
    if (known !== undefined) {
      return known;
    }
    const id = this.#newId(toInputId(name));
    const reference = `\${input:${id}}`;
    this.#asked.set(item, reference);
    const about = someText(item['description']) ?? t('Value of {0}', name);
    const description = about.slice(0, maxDescription);
    const options = Array.isArray(choices) ? (choices as readonly unknown[]).filter(isString) : [];
    const hasDefault = isString(byDefault) && (options.length === 0 || options.includes(byDefault));
    const shown = { id, description, ...(hasDefault && { default: byDefault }) };
    if (options.length > 0) {
      this.definitions.set(id, { ...shown, type: 'pickString', options });
    } else if (isSecret === true) {
      this.definitions.set(id, { id, description, type: 'promptString', password: true });
    } else {
      this.definitions.set(id, { ...shown, type: 'promptString' });
    }
    return reference;
  }

  #newId(id: string): string {
    let free = id;
    for (let count = 2; this.definitions.has(free); count += 1) {
      free = `${id}-${count}`;
    }
    return free;
  }
}

const maxDescription = 300;
const maxFilled = 1_000;

/** Environment variables or headers. */
function keyValues(list: unknown, inputs: RegistryInputs): Readonly<Record<string, string>> {
  const pairs = objects(list).flatMap((item) => {
    const name = someText(item['name']);
    const value = name === undefined ? undefined : inputs.valueOf(name, item);
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

/** @param takesFlags whether a named argument without a value is a flag, rather than one with a missing value */
function argumentTexts(
  list: unknown,
  inputs: RegistryInputs,
  takesFlags: boolean,
): readonly string[] {
  return objects(list).flatMap((item) => {
    const { type, value, default: byDefault, valueHint } = item;
    const isNamed = type === 'named';
    const name = isNamed ? someText(item['name']) : isString(valueHint) ? valueHint : 'argument';
    if (name === undefined) {
      return [];
    }
    const isOpen = [value, byDefault, valueHint].some(isString) || item['isRequired'] === true;
    if (isNamed && takesFlags && !isOpen) {
      return [name];
    }
    const text = inputs.valueOf(name, item);
    return text === undefined ? [] : isNamed ? [name, text] : [text];
  });
}
