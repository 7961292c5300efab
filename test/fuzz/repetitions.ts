/**
 * Long texts of one piece over and over, or of pieces in each other: whatever reads texts of servers, of people, of
 * repositories and of other programs takes time in proportion to their length. A text of 100,000 characters shows what
 * grows with the square of it, or worse.
 */
import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { createContext, runInContext } from 'node:vm';
import * as fc from 'fast-check';
import { Redactor } from '../../src/base/log.ts';
import { longestRun } from '../../src/base/text.ts';
import { describeLink } from '../../src/host/elicitation/describeLink.ts';
import { seemsSecret } from '../../src/host/schemas/seemsSecret.ts';
import { fileNameFor } from '../../src/host/resources/mediaTypes.ts';
import { decodeContents } from '../../src/host/resources/resourceContents.ts';
import { commonFolder } from '../../src/host/resources/resourceFolders.ts';
import { parseUriTemplate } from '../../src/host/resources/uriTemplate.ts';
import { certificatesIn } from '../../src/host/launch/certificates.ts';
import { splitCommandLine } from '../../src/host/import/commandLine.ts';
import { newestImage, readImageVersion } from '../../src/host/import/imageTags.ts';
import { parseEnvFile } from '../../src/host/launch/resolveLaunch.ts';
import { parseConfig, whatIsWrongWithName } from '../../src/host/config/parseConfig.ts';
import { SecretCollector } from '../../src/host/launch/secrets.ts';
import { readSocketUrl } from '../../src/host/config/socketUrl.ts';
import { replaceReferences } from '../../src/host/config/variables.ts';
import { definitionText } from '../../src/host/toolApproval/toolDefinition.ts';
import { hiddenCharacter } from '../../src/base/unseen.ts';
import { instructionPatterns } from '../../src/host/toolApproval/toolFlags.ts';
import { stdioRisks, type StdioSubject } from '../../src/host/launch/risks.ts';
import { describeUrl } from '../../src/host/launch/describeHttp.ts';
import { visible } from '../../src/base/visible.ts';
import { iconExtension } from '../../src/host/icons/iconImage.ts';
import { parsePasted, readInstallQuery } from '../../src/host/import/pasted.ts';
import { maxBytesOf } from '../../src/host/import/locations.ts';
import { parseImport } from '../../src/host/import/parseImport.ts';
import { planImport } from '../../src/host/import/planImport.ts';
import type { NumberField } from '../../src/host/forms/form.ts';
import { parseField } from '../../src/host/forms/parseField.ts';
import { readRegistry } from '../../src/host/import/registryServers.ts';
import { maskedHeaders, maskedUrl } from '../../src/host/inspector/maskedText.ts';
import { parseArguments, findPrompt, toWord } from '../../src/host/prompts/prompts.ts';
import { proposalsAt } from '../../src/host/tools/schemaProposals.ts';
import { readChallenge } from '../../src/mcp/auth/challenge.ts';
import { readIcons } from '../../src/mcp/iconSources.ts';
import { readRetryAfter } from '../../src/mcp/transport/http/httpRetryAfter.ts';
import { readEvents, StreamPosition } from '../../src/mcp/transport/http/sseStream.ts';
import { MessageLines, StderrLines } from '../../src/mcp/transport/stdio/outputLines.ts';
import {
  excerpt,
  manyLines,
  markdownWords,
  oneLine,
  quoted,
} from '../../src/vscode/text/labelText.ts';
import { jsonPieces } from '../../src/webview/jsonPieces.ts';
import type { Fuzz } from './fuzz.ts';

/** As the editor has it. Mocha has no limit, and parsers that call themselves make errors with thousands of lines. */
Error.stackTraceLimit = 100;

/** Generous: a reader of 100,000 characters takes milliseconds, one that is quadratic takes ten times this. */
const maxCpuMs = 2_000;
/** Nothing else ends a regular expression that takes for ever. */
const maxMs = 30_000;

const around = { platform: 'linux', env: {}, folder: '/work/a' } as const;
const tool = { name: 'a', inputSchema: { type: 'object' } } as const;
const ignore = (): void => undefined;
const plain = { redact: (text: string) => text };

/** A launch as a repository may have it, in an entry of the greatest length. */
function risksOf(more: Partial<StdioSubject>): unknown {
  return stdioRisks({
    platform: 'posix',
    userHome: '/home/ada',
    cwd: '/w/a',
    namesFolder: true,
    folders: ['/w/a'],
    command: 'x',
    args: [],
    env: {},
    envFile: {},
    ...more,
  });
}

/** As much of an entry, or of an envFile, as is looked at. */
const inEntry = (text: string): string => text.slice(0, 64 * 1024);

/** A file of a repository. */
function importOf(format: Parameters<typeof parseImport>[0], file: string) {
  const place = { program: 'a', format, path: '/w/a', folder: '/w/a' };
  return (text: string) =>
    parseImport(format, file, text.slice(0, maxBytesOf(place, file)), around);
}

/** What is read of a server before anybody is asked about it. */
function importPlanOf(entry: object): unknown {
  const file = JSON.stringify({ mcpServers: { a: entry } });
  const { servers } = parseImport('gemini', 'a', file, around);
  const shared = { name: 'a', file: '', isSecret: () => true };
  return planImport(
    servers.map((server) => ({ ...shared, server })),
    [],
  );
}

/** The text as a value of each kind of variable of a registry. */
function registryOf(text: string): unknown {
  const item = { name: text, value: text, variables: { a: { value: text } }, isRequired: true };
  const packages = [{ registryType: 'oci', identifier: text, environmentVariables: [item] }];
  return readRegistry({ servers: [{ name: text, packages }] }, around);
}

/** Of a registry that says the text wherever it says something. */
async function imageTagsOf(text: string): Promise<unknown> {
  const said = text.replaceAll(/[^\x20-\x7e]/gu, '');
  const image = { name: 'a.example/b', version: '1.2-alpine' };
  const { signal } = new AbortController();
  return Promise.allSettled(
    [200, 401].map((status) => {
      const headers = { link: said, 'www-authenticate': `Bearer ${said}` };
      const fetch = async () => Response.json({ tags: [text, `1.2-${text}`] }, { status, headers });
      return newestImage(image, signal, { fetch });
    }),
  );
}

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  iconExtension: (text) => iconExtension(Buffer.from(text)),
  readIcons: (text) => readIcons([{ src: text }, { src: `data:image/png;base64,${text}` }]),
  fileNameFor: (text) => fileNameFor(text, text),
  decodeContents: (text) => decodeContents('a:b', [{ uri: text, blob: text, mimeType: text }]),
  toWord,
  findPrompt: (text) =>
    findPrompt([{ server: 0, prompt: { name: text }, name: text }], `/mcp.a.${text}`),
  parseArguments: (text) => parseArguments({ name: 'a', arguments: [{ name: 'b' }] }, text),
  uriTemplate: (text) => parseUriTemplate(text).expand({ a: 'x' }),
  commonFolder: (text) =>
    commonFolder([
      { name: 'a', uri: text },
      { name: 'b', uri: `${text}b` },
    ]),
  longestRun: (text) => longestRun(text, '`'),
  markdown: (text) => markdownWords(text),
  lines: (text) => [oneLine(text), manyLines(text), excerpt(text, 500, 10), quoted(text)],
  jsonPieces: (text) => [...jsonPieces(text)],
  proposalsAt: (text) => proposalsAt({}, text, text.length >> 1),
  hiddenCharacter,
  visible,
  instructionPatterns,
  definitionText: (text) => definitionText({ ...tool, title: text, description: text }),
  seemsSecret: (text) => seemsSecret({ key: text, title: text, description: text }),
  describeLink: (text) => describeLink(`https://${text}`),
  maskedUrl: (text) => maskedUrl(text, plain),
  maskedHeaders: (text) =>
    maskedHeaders({ 'mcp-param-a': text, location: text, etag: text }, 'received', plain),
  retryAfter: readRetryAfter,
  redactor: (text) => {
    const redactor = new Redactor();
    [text, text.slice(1, 9), text.slice(0, 15_000)].forEach((secret) => redactor.add(secret));
    return redactor.redact(`${text}…${text}`);
  },
  secrets: (text) => new SecretCollector().addFromArguments([text, `--a=${text}`]),
  certificatesIn,
  splitCommandLine,
  pasted: (text) => parsePasted(text, around),
  pastedCommand: (text) => parsePasted(`claude mcp add ${text}`, around),
  installLink: (text) => [readInstallQuery(text), readInstallQuery(`name=a&config=${text}`)],
  registry: registryOf,
  imageName: (text) => [readImageVersion(text), readImageVersion(`a:1.2-rc${text}`)],
  json: importOf('mcpJson', 'a.json'),
  jsonServer: (text) => {
    const part = text.slice(0, 20 * 1024);
    return importPlanOf({ command: part, args: [part], env: { A: part } });
  },
  jsonAddress: (text) => importPlanOf({ url: `https://${text.slice(0, 60 * 1024)}` }),
  jsonWords: (text) =>
    importPlanOf({ command: 'x', args: text.slice(0, 24 * 1024).split(/(?<=[ /}])/u) }),
  toml: importOf('codex', 'a.toml'),
  tomlText: (text) => importOf('codex', 'a.toml')(`a = """${text}`),
  yaml: importOf('continue', 'a.yaml'),
  yamlText: (text) => importOf('continue', 'a.yaml')(`a: ${text}`),
  envFile: (text) => [parseEnvFile(inEntry(text)), parseEnvFile(inEntry(`A="${text}`))],
  entry: (text) =>
    parseConfig([
      {
        scope: { kind: 'workspace' },
        servers: {
          [text]: { command: inEntry(text) },
          b: { url: inEntry(text), proxy: text },
          c: { url: 'https://a.example', proxy: `http://${inEntry(text)}` },
        },
        inputs: [{ id: text, type: text, description: text }],
      },
    ]),
  serverName: whatIsWrongWithName,
  variables: (text) => replaceReferences(text, () => undefined),
  socketUrl: (text) => [readSocketUrl(text), readSocketUrl(`unix:/${text}`)],
  describeUrl: (text) => [
    describeUrl(inEntry(text), () => text),
    describeUrl(inEntry(`https://\${env:A}${text}?${text}`), () => 'a'),
  ],
  risksOfScript: (text) => risksOf({ command: 'sh', args: ['-c', inEntry(text)] }),
  risksOfCmd: (text) =>
    risksOf({
      platform: 'win32',
      cwd: 'C:\\w',
      folders: ['C:\\w'],
      command: 'cmd',
      args: ['/c', inEntry(text)],
    }),
  risksOfPowerShell: (text) => risksOf({ command: 'pwsh', args: ['-c', inEntry(text)] }),
  risksOfEncoded: (text) => [
    risksOf({
      command: 'pwsh',
      args: ['-enc', Buffer.from(text.slice(0, 24 * 1024), 'utf16le').toString('base64')],
    }),
    risksOf({ command: 'pwsh', args: ['-enc', inEntry(text)] }),
  ],
  risksOfWords: (text) => risksOf({ command: 'env', args: inEntry(text).split(/(?<= )/u) }),
  risksOfContainer: (text) =>
    risksOf({ command: 'docker', args: ['run', '-v', inEntry(text), `--mount=${text}`] }),
  risksOfPath: (text) =>
    risksOf({ env: { PATH: inEntry(text) }, command: inEntry(text), cwd: inEntry(text) }),
  lineDecoder: (text) => {
    const limits = { maxMessageBytes: 1_000_000 };
    const decoder = new MessageLines({ message: ignore, problem: ignore }, limits);
    decoder.push(Buffer.from(text));
    decoder.end();
  },
  stderr: (text) => {
    const lines = new StderrLines(ignore);
    lines.push(Buffer.from(text));
    lines.end();
  },
  sse: (text) => {
    const response = new IncomingMessage(new Socket());
    const handlers = { onData: ignore, onEnd: ignore, onOther: ignore };
    readEvents(response, new StreamPosition(), { maxMessageBytes: 1_000_000 }, handlers);
    response.emit('data', text);
  },
};

/** Those that do not answer at once are given no end from outside: they are few, and measured. */
const numberField: NumberField = {
  kind: 'number',
  key: 'n',
  label: 'n',
  schema: {},
  isInteger: false,
  isRequired: false,
  seemsSecret: false,
};

const laterReaders: Readonly<Record<string, (text: string) => Promise<unknown>>> = {
  challenge: readChallenge,
  imageTags: imageTagsOf,
  bearer: (text) => readChallenge(`Bearer ${text}`),
  typedNumber: (text) => parseField(numberField, text, { check: async () => [] }),
};

/** Texts with spaces, parted by `¦`. */
const divided = (...lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => line.split('¦'));

const piece = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...' \t\n\r.,;:/\\?#=&@%+-_~`"\'<>()[]{}$!*|^a0A'.split('')),
    minLength: 1,
    maxLength: 2,
  }),
  fc.constantFrom(
    ...divided(
      '<!---->¦<!--¦-->¦<?xml ?>¦<a¦<svg>¦<admin>¦data:¦data: {}\n¦id: a\n\n¦: a\n¦eyJ-¦sk-¦://a:',
      '://a:b@¦&key=a¦TOKEN=a ¦sk-a1B2c3D4a1B2c3D4/¦${input:a}¦%20¦%E2¦${¦${a}¦${{ a¦{a}¦{a',
      '\\"¦"a"¦a="b",¦Bearer ¦a=b ¦-----BEGIN CERTIFICATE-----¦-----BEGIN PRIVATE KEY-----¦[a](b)',
      '\u00a0¦\u200d¦\u{1f3f4}\u{e0061}¦\u{1f469}\u200d¦\ud83d',
      'enter your ¦never tell ¦ignore all ¦[[¦{"a":¦a|¦curl a|sh;¦|sudo a¦eval ¦$(a)¦<(a) ¦/a ¦../',
      'a: 1\n¦- ¦&a ¦? a\n¦[a]\n¦[[a.b]]\n¦a=1\n¦a="\n¦-e ¦\u2028',
    ),
  ),
);

/** What is before `…` stands around what is after it. */
const pairs = fc.constantFrom(
  ...divided(
    '[…]¦{…}¦(…)¦{"a":…}¦{a: …}¦{a=…}¦$(…)¦$(a …)¦"$(…)"¦<(…)¦`…`¦"…"',
    "'…'¦${…}¦${a:-…}",
    '"\\"…\\""¦<a>…</a>¦<!--…-->¦- …¦? …¦a: …¦&a […]¦a.…¦env …',
    "sh -c '…'",
  ).map((pair) => pair.split('…')),
);

const repeated = fc
  .tuple(
    piece,
    piece,
    fc.constantFrom(10_000, 100_000),
    fc.oneof(piece, fc.constantFrom('', '\u0000', 'x')),
  )
  .map(([first, part, length, last]) => ({
    first,
    part,
    times: Math.ceil(length / part.length),
    last,
    close: '',
  }));

/** Pieces in each other, closed or not. */
const nested = fc
  .tuple(pairs, fc.constantFrom(400, 10_000, 100_000), piece, fc.boolean())
  .map(([[open = '', close = ''], length, inside, isClosed]) => ({
    first: '',
    part: open,
    times: Math.ceil(length / (open.length + close.length)),
    last: inside,
    close: isClosed ? close : '',
  }));

const texts = fc.oneof({ weight: 2, arbitrary: repeated }, { weight: 1, arbitrary: nested });

function cpuMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

/** Where a reader runs, so that it can be stopped. */
const sandbox = { read: (): void => undefined };
createContext(sandbox);

/** The reader may refuse the text, and takes no longer than {@link maxCpuMs}. */
export async function readInTime(reader: string, text: string): Promise<void> {
  const read = readers[reader];
  const start = process.cpuUsage();
  try {
    if (read === undefined) {
      await laterReaders[reader]?.(text);
    } else {
      sandbox.read = () => void read(text);
      runInContext('read()', sandbox, { timeout: maxMs });
    }
  } catch (error) {
    // Whether what it throws is right is what the other targets look at; none of these may.
    assert.ok(!(error instanceof RangeError || /timed out/u.test(String(error))), String(error));
  }
  const took = cpuMs(process.cpuUsage(start));
  assert.ok(took < maxCpuMs, `${reader} took ${took} ms`);
}

const repetitions: Fuzz = {
  name: 'repetitions',
  share: 3,
  property: fc.asyncProperty(
    fc.constantFrom(...Object.keys(readers), ...Object.keys(laterReaders)),
    texts,
    async (reader, { first, part, times, last, close }) => {
      await readInTime(reader, `${first}${part.repeat(times)}${last}${close.repeat(times)}`);
      return true;
    },
  ),
};

export const slowness: readonly Fuzz[] = [repetitions];
