import assert from 'node:assert/strict';
import type { LaunchInspection, StoppedBecause } from '../../../../src/host/launch/launchGate.ts';
import { type StartFacts, suggestionFor } from '../../../../src/host/diagnosis/suggestion.ts';
import type { ConnectionState } from '../../../../src/host/servers/connectionState.ts';
import { type ErrorCode, HttpError, McpError, RpcError } from '../../../../src/mcp/errors.ts';

const program = { file: '/bin/x', searched: [], isFolderThere: true, set: [], removed: [] };
const stdio = { kind: 'stdio', command: 'x', args: [], env: {}, cwd: '/w' } as const;
const url = { kind: 'http', url: 'https://example.com/', headers: {} } as const;
const started: LaunchInspection = { launch: stdio, secrets: [], program };
const reached: LaunchInspection = { launch: url, secrets: [] };

const entry = { isEnabled: true, protocol: 'auto' } as const;

function failed(error: McpError, ...lastStderr: string[]): ConnectionState {
  return { kind: 'failed', error, lastStderr };
}

/** @param code exit code or signal, which the words do not tell in every language */
const exit = (code: number | string, ...lines: string[]): ConnectionState => {
  const cause = Object.assign(new Error('ended'), { code });
  return failed(new McpError('closed', 'The server "x" ended.', { cause }), ...lines);
};

function suggest(facts: Partial<StartFacts>): string {
  const all = {
    server: entry,
    state: exit(1),
    launch: started,
    strayOutput: undefined,
    isRemote: false,
    ...facts,
  };
  return suggestionFor(all) ?? 'nothing';
}

function inspect(more: object): LaunchInspection {
  return { ...started, program: { ...program, ...more } };
}

/** A program that is not there. */
function absent(command: string, searched: readonly string[] = []): LaunchInspection {
  return { ...inspect({ file: undefined, searched }), launch: { ...stdio, command } };
}

/** A server at a URL that does not start. */
function remote(state: ConnectionState, more: object = {}): Partial<StartFacts> {
  return { launch: { ...reached, launch: { ...url, ...more } }, state };
}

function answered(status: number): ConnectionState {
  return failed(new HttpError('http', status, `HTTP ${status}`));
}

function inJsonRpc(status: number): ConnectionState {
  const cause = new HttpError('http', status, `HTTP ${status}`);
  return failed(new RpcError(-32_600, 'no', undefined, { cause }));
}

function because(code: ErrorCode, cause?: Error): ConnectionState {
  return failed(new McpError(code, 'no', { cause }));
}

function below(code: string): ConnectionState {
  const cause = Object.assign(new Error('no'), { code });
  return failed(new McpError('unreachable', 'no', { cause }));
}

type Row = readonly [
  what: string,
  facts: Partial<StartFacts>,
  words: RegExp,
  /** What it does not say. */
  others?: RegExp | string,
];

const missing = { launch: absent('x') };
const tls = (more: object): object => ({ connection: { tls: more } });
const authenticated = { headers: { Authorization: 'Bearer x' } };
const socket = { socketPath: '/run/x.sock' };
const untrusted = below('SELF_SIGNED_CERT_IN_CHAIN');
const unaccepted = below('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED');
const html = because('protocol', new HttpError('http', 200, 'HTTP 200', '<html>'));
const cut = because('closed', new HttpError('http', 404, 'HTTP 404'));
const needs = (reason: StoppedBecause): ConnectionState => ({ kind: 'stopped', because: reason });
const other = { ...entry, protocol: '2025-06-18' } as const;

const rows: readonly Row[] = [
  ['a server that nobody has started', { state: { kind: 'stopped' } }, /^nothing$/],
  ['a server that runs', { state: { kind: 'starting', attempt: 0, wasReady: false } }, /^nothing$/],
  ['a disabled server', { server: { ...entry, isEnabled: false } }, /"enabled"/],
  ['a hidden server', { server: { ...entry, hiddenBy: { kind: 'workspace' } } }, /same name/],
  ['a wrong entry', { launch: new McpError('invalidConfig', 'x: url: no') }, /field.*below/],
  ['Restricted Mode', { state: needs('restricted') }, /trust/i],
  ['no consent', { state: needs('consentNeeded') }, /allow/],
  ['no value', { state: needs('inputNeeded') }, /value/],
  ['no sign-in', { state: needs('signInNeeded') }, /sign in/i],
  ['STDIO-10: no folder', { launch: inspect({ isFolderThere: false }) }, /"cwd"/],
  ['STDIO-10: no program', { launch: absent('x', ['/bin']) }, /install/],
  ['STDIO-10: no program at a path', missing, /at the path/],
  ['STDIO-10: a file that may not run', { ...missing, state: below('EACCES') }, /chmod \+x/, /URL/],
  ['STDIO-10: no right to run it', { state: below('EACCES') }, /chmod \+x/, /URL/],
  ['STDIO-10: no interpreter', { state: below('ENOENT') }, /that its first line names/, /URL/],
  ['STDIO-10: another machine', { state: below('ENOEXEC') }, /program for this machine/, /URL/],
  ['STDIO-10: another reason', { state: below('E2BIG') }, /error below/, /URL/],
  ['STDIO-10: arguments in "command"', { launch: absent('npx -y notes', ['/bin']) }, /"args"/],
  ['STDIO-10: arguments behind a path', { launch: absent('/my tools/notes --stdio') }, /"args"/],
  ['STDIO-10: a blank in a path', { launch: absent('/my tools/notes') }, /at the path/],
  ['SIGKILL', { state: exit('SIGKILL') }, /memory/],
  ['SIGSEGV', { state: exit('SIGSEGV') }, /crashed/],
  ['code 127', { state: exit(127) }, /shell did not find/],
  ['STDIO-05: no messages', { strayOutput: 'Listening on port 3000' }, /standard error/],
  ['STDIO-05: an end without error', { state: exit(0) }, /"--stdio"/],
  ['an end without a word', { state: exit(3) }, /terminal/],
  ['an end with words', { state: exit(3, 'boom') }, /below/],
  ['a silent program', { state: because('timeout') }, /startSeconds/],
  ['another protocol', { state: because('unsupported') }, /revision/],
  ['what a setting forbids', { state: because('forbidden') }, /chat\.mcp\.deniedServers/],
  ['an error of its own', { state: because('rpc') }, /error of its own/],
  ['any other error', { state: because('denied') }, /log/],
  ['another protocol', { state: because('unsupported'), strayOutput: 'Listening' }, /revision/],
  ['a forbidden revision', { server: other, state: because('unsupported') }, /"protocol"/],
  ['401 to an entry that says who asks', remote(answered(401), authenticated), /valid/],
  ['403 to an entry that says who asks', remote(answered(403), authenticated), /may do/],
  ['401 where nobody can sign in', remote(answered(401)), /token.*"oauth": false/, 'Sign in'],
  ['403 to an entry that has no token', remote(answered(403)), /token.*operator/, 'Sign in'],
  ['WebSocket: HTTP 200', remote(answered(200), { kind: 'webSocket' }), /lead to a WebSocket/],
  ['WebSocket: HTTP 404', remote(answered(404), { kind: 'webSocket' }), /path/, /\/sse/],
  ['an answer that holds no reply', remote(html), /does not lead to an MCP server/],
  ['404 with an error of JSON-RPC', remote(inJsonRpc(404)), /error of its own/, /path/],
  ['503 with an error of JSON-RPC', remote(inJsonRpc(503)), /out of order/],
  ['HTTP that ended a connection', remote(cut), /\/mcp/],
  ['a socket that is not there', remote(below('ENOENT'), socket), /socket does not exist/],
  ['the socket of somebody else', remote(below('EACCES'), socket), /permissions/],
  ['a plain URL', remote(because('closed'), { url: 'http://example.com/' }), /https/],
  ['a cut', remote(because('closed')), /log/, /https|terminal/],
  ['silence', remote(because('timeout')), /startSeconds/, /download/],
  ['an unknown authority', remote(untrusted), /authority in "tls\.ca"/],
  [
    'another authority',
    remote(untrusted, tls({ ca: ['x'] })),
    /not issued by an authority in "tls/,
  ],
  ['the proxy', remote(below('ERR_PROXY_REFUSED')), /"proxy" in/],
  ['no client certificate', remote(unaccepted), /"tls\.cert" and "tls\.key"/, /"tls\.ca"/],
  [
    'another client certificate',
    remote(unaccepted, tls({ client: { cert: 'x', key: 'y' } })),
    /does not accept the certificate in "tls\.cert"/,
    /"tls\.ca"/,
  ],
  ['nothing there', remote(because('unreachable')), /proxy/],
];

const lines: readonly (readonly [line: string, words: RegExp])[] = [
  ["Error: Cannot find module '/srv/dist/index.js'", /Build the server/],
  ['npm error code E404', /package registry does not have/],
  [
    'Because mcp-x was not found in the package registry and you require mcp-x',
    /PyPI does not have the package/,
  ],
  ['docker: Error response from daemon: pull access denied for mcp/x', /no such image/],
  ['npm ERR! code ENOTFOUND', /registry cannot be reached/],
  ["ModuleNotFoundError: No module named 'mcp'", /Python/],
  ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock', /Docker is not running/],
  [
    'docker: failed to connect to the docker API at unix:///run/docker.sock; check if the path is correct and if the daemon is running: dial unix /run/docker.sock: connect: no such file or directory',
    /Docker is not running/,
  ],
  [
    'docker: error during connect: Head "http://%2F%2F.%2Fpipe%2FdockerDesktopLinuxEngine/_ping": open //./pipe/dockerDesktopLinuxEngine: The system cannot find the file specified.',
    /Docker is not running/,
  ],
  ['Error: listen EADDRINUSE: address already in use :::3000', /port/],
  ['Error: GITHUB_TOKEN environment variable is required', /key or a variable/],
  ['Missing required environment variable API_KEY', /key or a variable/],
  ["Error: EACCES: permission denied, open '/etc/x'", /permissions/],
  ['/usr/bin/env: ‘node’: No such file or directory', /interpreter .* PATH in "env"/],
  ['env: node: No such file or directory', /interpreter .* PATH in "env"/],
  ['cat: notes: No such file or directory', /is missing/],
  ['Error: self-signed certificate in certificate chain', /certificate/],
  ['npm WARN EBADENGINE Unsupported engine', /version of Node\.js/],
];

const statuses: readonly (readonly [status: number, words: RegExp])[] = [
  [404, /\/mcp/],
  [405, /\/sse/],
  [407, /proxy/],
  [200, /does not lead to an MCP server/],
  [302, /moved/],
  [426, /WebSocket/],
  [429, /later/],
  [431, /headers/],
  [503, /Try again later/],
  [418, /URL/],
];

const codes: readonly (readonly [code: string, words: RegExp])[] = [
  ['ECONNREFUSED', /Start the server/],
  ['ENOTFOUND', /host of "url" is unknown/],
  ['EAI_AGAIN', /network/],
  ['EPROTO', /mixed up/],
  ['HPE_INVALID_CONSTANT', /mixed up/],
  ['ETIMEDOUT', /VPN/],
  ['CERT_HAS_EXPIRED', /renew/],
  ['CERT_NOT_YET_VALID', /clock/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /another host/],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /network, VPN or proxy/],
];

describe('suggestionFor', () => {
  for (const [what, facts, words, others] of [
    ...rows,
    ...lines.map(([line, advice]): Row => {
      const state = exit(1, 'starting', line, 'bye');
      return [`STDIO-10: "${line}"`, { state }, advice, line];
    }),
    ...statuses.map(([status, advice]): Row => [
      `HTTP ${status}`,
      remote(answered(status)),
      advice,
    ]),
    ...codes.map(([code, advice]): Row => [code, remote(below(code)), advice, '"tls.ca"']),
  ]) {
    it(what, () => {
      const suggestion = suggest(facts);
      assert.match(suggestion, words);
      assert.equal(suggestion.split(others ?? '\n').length, 1, suggestion);
    });
  }

  for (const [facts, isNamed] of [
    [{ launch: absent('x', ['/bin']) }, true],
    [remote(below('ECONNREFUSED'), { url: 'http://localhost:1/mcp' }), true],
    [remote(below('ECONNREFUSED')), false],
  ] as const) {
    it(`says ${isNamed ? '' : 'not '}that the remote machine misses ${JSON.stringify(facts.launch)}`, () => {
      assert.doesNotMatch(suggest(facts), /remote machine/);
      assert.equal(/remote machine/.test(suggest({ ...facts, isRemote: true })), isNamed);
    });
  }
});
