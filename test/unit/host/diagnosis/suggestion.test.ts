import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { LaunchInspection } from '../../../../src/host/launch/launchGate.ts';
import { type StartFacts, suggestionFor } from '../../../../src/host/diagnosis/suggestion.ts';
import type { ConnectionState } from '../../../../src/host/servers/connectionState.ts';
import { HttpError, McpError } from '../../../../src/mcp/errors.ts';

const program = { file: '/bin/x', searched: [], isFolderThere: true, set: [], removed: [] };
const stdio = { kind: 'stdio', command: 'x', args: [], env: {}, cwd: '/w' } as const;
const url = { kind: 'http', url: 'https://example.com/', headers: {} } as const;
const started: LaunchInspection = {
  launch: stdio,
  secrets: [],
  program,
};
const reached: LaunchInspection = { launch: url, secrets: [] };

const entry = { isEnabled: true, protocol: 'auto' } as const;

function failed(error: McpError, ...lastStderr: string[]): ConnectionState {
  return { kind: 'failed', error, lastStderr };
}

const exit = (code: number, ...lines: string[]): ConnectionState =>
  failed(new McpError('closed', `The server "x" ended: exited with code ${code}.`), ...lines);

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
function absent(command: string, searched: readonly string[]): string {
  const launch = { ...stdio, command };
  return suggest({
    launch: { ...started, launch, program: { ...program, file: undefined, searched } },
  });
}

function below(code: string): ConnectionState {
  const cause = Object.assign(new Error('no'), { code });
  return failed(new McpError('unreachable', 'no', { cause }));
}

describe('suggestionFor', () => {
  it('says nothing of a server that runs, or that nobody has started', () => {
    assert.equal(suggest({ state: { kind: 'stopped' } }), 'nothing');
    assert.equal(suggest({ state: { kind: 'starting', attempt: 0, wasReady: false } }), 'nothing');
  });

  it('names what has to be done first, whatever else is wrong', () => {
    assert.match(suggest({ server: { ...entry, isEnabled: false } }), /"enabled"/);
    assert.match(suggest({ server: { ...entry, hiddenBy: { kind: 'workspace' } } }), /same name/);
    assert.match(suggest({ launch: new McpError('invalidConfig', 'x: url: no') }), /field.*below/);
    for (const [because, words] of [
      ['restricted', /trust/i],
      ['consentNeeded', /allow/],
      ['inputNeeded', /value/],
      ['signInNeeded', /sign in/i],
    ] as const) {
      assert.match(suggest({ state: { kind: 'stopped', because } }), words);
    }
  });

  it('STDIO-10: a folder or a program that is not there comes before what the program says', () => {
    assert.match(suggest({ launch: inspect({ isFolderThere: false }) }), /"cwd"/);
    assert.match(suggest({ launch: inspect({ file: undefined, searched: ['/bin'] }) }), /install/);
    assert.match(suggest({ launch: inspect({ file: undefined }) }), /at the path/);
  });

  it('STDIO-10: a file that is there, and cannot be executed as it is', () => {
    const noFile = inspect({ file: undefined });
    for (const [launch, code, words] of [
      [noFile, 'EACCES', /chmod \+x/],
      [started, 'EACCES', /chmod \+x/],
      [started, 'ENOENT', /interpreter that its first line names/],
      [started, 'ENOEXEC', /not a program for this machine/],
      [started, 'E2BIG', /error below/],
    ] as const) {
      const suggestion = suggest({ launch, state: below(code) });
      assert.match(suggestion, words);
      assert.doesNotMatch(suggestion, /URL/);
    }
  });

  it('STDIO-10: arguments in "command", and blanks in its path', () => {
    assert.match(absent('npx -y notes', ['/bin']), /"args"/);
    assert.match(absent('/opt/my tools/notes --stdio', []), /"args"/);
    assert.match(absent('/opt/my tools/notes', []), /at the path/);
  });

  it('says on which machine a program, or a listener, is missed', () => {
    const unfound = inspect({ file: undefined, searched: ['/bin'] });
    const local = { ...reached, launch: { ...url, url: 'http://localhost:1/mcp' } };
    const refused = below('ECONNREFUSED');
    for (const [launch, isNamed] of [
      [unfound, true],
      [local, true],
      [reached, false],
    ] as const) {
      const facts = { launch, state: refused };
      assert.doesNotMatch(suggest(facts), /remote machine/);
      assert.equal(/remote machine/.test(suggest({ ...facts, isRemote: true })), isNamed);
    }
  });

  for (const [how, words] of [
    ['killed by SIGKILL', /memory/],
    ['killed by SIGSEGV', /crashed/],
    ['exited with code 127', /shell did not find/],
  ] as const) {
    it(`a program that is ${how}`, () => {
      assert.match(suggest({ state: failed(new McpError('closed', `It ended (${how})`)) }), words);
    });
  }

  for (const [line, words] of [
    ["Error: Cannot find module '/srv/dist/index.js'", /Build the server/],
    ['npm error code E404', /package registry does not have/],
    ['npm ERR! code ENOTFOUND', /registry cannot be reached/],
    ["ModuleNotFoundError: No module named 'mcp'", /Python/],
    ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock', /Docker/],
    ['Error: listen EADDRINUSE: address already in use :::3000', /port/],
    ['Error: GITHUB_TOKEN environment variable is required', /key or a variable/],
    ['Missing required environment variable API_KEY', /key or a variable/],
    ["Error: EACCES: permission denied, open '/etc/x'", /permissions/],
    ['/usr/bin/env: node: No such file or directory', /is missing/],
    ['Error: self-signed certificate in certificate chain', /certificate/],
    ['npm WARN EBADENGINE Unsupported engine', /version of Node\.js/],
  ] as const) {
    it(`STDIO-10: "${line}" on standard error`, () => {
      const suggestion = suggest({ state: exit(1, 'starting', line, 'bye') });
      assert.match(suggestion, words);
      assert.ok(!suggestion.includes(line));
    });
  }

  it('STDIO-05: standard output that holds no messages', () => {
    assert.match(suggest({ strayOutput: 'Listening on port 3000' }), /standard error/);
    assert.match(suggest({ state: exit(0) }), /"--stdio"/);
    assert.match(suggest({ state: exit(3) }), /terminal/);
    assert.match(suggest({ state: exit(3, 'boom') }), /below/);
  });

  it('a server that is silent, or speaks something else', () => {
    assert.match(suggest({ state: failed(new McpError('timeout', 'late')) }), /startSeconds/);
    assert.match(suggest({ state: failed(new McpError('unsupported', 'old')) }), /revision/);
    assert.match(suggest({ state: failed(new McpError('rpc', 'no')) }), /error of its own/);
    assert.match(suggest({ state: failed(new McpError('denied', 'no')) }), /log/);
    // It has answered: that it also writes something else to standard output is not what stops it.
    const strayOutput = 'Listening';
    assert.match(
      suggest({ state: failed(new McpError('unsupported', 'old')), strayOutput }),
      /revision/,
    );
    const server = { ...entry, protocol: '2025-06-18' } as const;
    assert.match(
      suggest({ server, state: failed(new McpError('unsupported', 'old')) }),
      /"protocol"/,
    );
  });

  for (const [status, words] of [
    [401, /Sign in/],
    [403, /Sign in/],
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
  ] as const) {
    it(`HTTP ${status}`, () => {
      const error = new HttpError('http', status, `HTTP ${status}`);
      assert.match(suggest({ launch: reached, state: failed(error) }), words);
    });
  }

  it('HTTP 401 and 403 to an entry that says who asks', () => {
    const headers = { Authorization: 'Bearer x' };
    const launch = { ...reached, launch: { ...url, headers } };
    const answered = (status: number): string =>
      suggest({ launch, state: failed(new HttpError('http', status, `HTTP ${status}`)) });
    assert.match(answered(401), /still valid/);
    assert.match(answered(403), /may do/);
  });

  it('WebSocket: an answer of HTTP', () => {
    const launch = { ...reached, launch: { ...url, kind: 'webSocket' } as const };
    const answered = (status: number): string =>
      suggest({ launch, state: failed(new HttpError('http', status, `HTTP ${status}`)) });
    assert.match(answered(200), /does not lead to a WebSocket/);
    assert.doesNotMatch(answered(404), /\/sse/);
  });

  it('an answer that holds no reply', () => {
    const cause = new HttpError('http', 200, 'HTTP 200', '<html>');
    const state = failed(new McpError('protocol', 'no reply', { cause }));
    assert.match(suggest({ launch: reached, state }), /does not lead to an MCP server/);
  });

  for (const [code, words] of [
    ['ECONNREFUSED', /Start the server/],
    ['ENOTFOUND', /host of "url" is unknown/],
    ['EAI_AGAIN', /network/],
    ['EPROTO', /mixed up/],
    ['HPE_INVALID_CONSTANT', /mixed up/],
    ['ETIMEDOUT', /VPN/],
  ] as const) {
    it(`the network: ${code}`, () => {
      assert.match(suggest({ launch: reached, state: below(code) }), words);
    });
  }

  it('a socket of this machine', () => {
    const launch = { ...reached, launch: { ...url, socketPath: '/run/x.sock' } };
    assert.match(suggest({ launch, state: below('ENOENT') }), /socket does not exist/);
    assert.match(suggest({ launch, state: below('EACCES') }), /permissions/);
  });

  it('a connection that was cut, or is silent', () => {
    const cut = failed(new McpError('closed', 'cut'));
    const plain = { ...reached, launch: { ...url, url: 'http://example.com/' } };
    assert.match(suggest({ launch: plain, state: cut }), /https/);
    assert.doesNotMatch(suggest({ launch: reached, state: cut }), /https|terminal/);
    const late = failed(new McpError('timeout', 'late'));
    assert.match(suggest({ launch: reached, state: late }), /startSeconds/);
    assert.doesNotMatch(suggest({ launch: reached, state: late }), /download/);
  });

  it('HTTP that ended a connection', () => {
    const cause = new HttpError('http', 404, 'HTTP 404');
    const state = failed(new McpError('closed', 'The connection failed', { cause }));
    assert.match(suggest({ launch: reached, state }), /\/mcp/);
  });

  it('what the entry says of authorities and of its proxy', () => {
    const untrusted = below('SELF_SIGNED_CERT_IN_CHAIN');
    const launch = { kind: 'http', url: 'https://example.com/', headers: {} } as const;
    const withCa = { ...reached, launch: { ...launch, connection: { tls: { ca: ['x'] } } } };
    assert.match(suggest({ launch: reached, state: untrusted }), /authority in "tls\.ca"/);
    assert.match(
      suggest({ launch: withCa, state: untrusted }),
      /not issued by an authority in "tls\.ca"/,
    );
    assert.match(suggest({ launch: reached, state: below('ERR_PROXY_REFUSED') }), /"proxy" in/);
  });

  it('asks for another authority only where that is what is missing', () => {
    const launch = { kind: 'http', url: 'https://example.com/', headers: {} } as const;
    const client = { cert: 'x', key: 'y' };
    const withClient = { ...reached, launch: { ...launch, connection: { tls: { client } } } };
    const unaccepted = below('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED');
    for (const [inspection, state, words] of [
      [reached, unaccepted, /"tls\.cert" and "tls\.key"/],
      [withClient, unaccepted, /does not accept the certificate in "tls\.cert"/],
      [reached, below('CERT_HAS_EXPIRED'), /renew/],
      [reached, below('CERT_NOT_YET_VALID'), /clock/],
      [reached, below('ERR_TLS_CERT_ALTNAME_INVALID'), /another host/],
      [reached, below('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'), /network, VPN or proxy/],
    ] as const) {
      const suggestion = suggest({ launch: inspection, state });
      assert.match(suggestion, words);
      assert.doesNotMatch(suggestion, /"tls\.ca"/);
    }
  });

  it('a server that cannot be reached', () => {
    const error = new McpError('unreachable', 'nothing listens there');
    assert.match(suggest({ launch: reached, state: failed(error) }), /proxy/);
  });
});
