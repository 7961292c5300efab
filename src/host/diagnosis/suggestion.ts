/**
 * One suggestion for a server that does not run, from what is known of it. Pure: rules in the order in which
 * they count, each with what it needs to see. Nothing of a server's own words is repeated in it.
 */
import type { ErrorCode, McpError } from '../../mcp/errors.ts';
import { isAboutOurCertificate, isOfUnknownAuthority } from '../../mcp/network/networkReasons.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { ConnectionState, StoppedBecause } from '../servers/connectionState.ts';
import { codesBelow, errorOf, httpErrorIn } from './errorOf.ts';
import type { LaunchInspection } from './launchInspection.ts';

export interface StartFacts {
  readonly server: Pick<ServerConfig, 'isEnabled' | 'hiddenBy'>;
  readonly state: ConnectionState;
  /** An error: the entry cannot be made into a launch. */
  readonly launch: LaunchInspection | McpError;
  /** The first line on standard output that was no message. */
  readonly strayOutput: string | undefined;
}

/** A server that runs, or that nobody has started, has nothing to be suggested. */
export function suggestionFor(facts: StartFacts): string | undefined {
  const { server, state, launch } = facts;
  if (server.hiddenBy !== undefined) {
    return 'A nearer entry of the same name is used in its place. Rename one of the two.';
  }
  if (!server.isEnabled) {
    return 'It is switched off: set "enabled" to true in its entry.';
  }
  if ('message' in launch) {
    return 'Correct the field of the entry that is named above.';
  }
  if (state.kind === 'stopped' && state.because !== undefined) {
    return reasons[state.because];
  }
  const error = errorOf(state);
  return (
    error &&
    (ofProgram(launch) ??
      ofWords(state, facts.strayOutput) ??
      ofConnection(error, launch) ??
      ofError(error))
  );
}

function ofConnection(error: McpError, { launch }: LaunchInspection): string | undefined {
  const codes = codesBelow(error);
  // The entry's own proxy could not be reached, or did not let us through.
  if (codes.some((code) => code.startsWith('ERR_PROXY_'))) {
    return 'Correct "proxy" in its entry, or take the field out, so that the editor\'s proxy counts; false uses none.';
  }
  if (launch.kind === 'stdio') {
    return undefined;
  }
  const { ca, client } = launch.connection?.tls ?? {};
  if (codes.some(isAboutOurCertificate)) {
    return client === undefined
      ? 'It wants to know who asks: name your certificate and its key in "tls.cert" and "tls.key" of the entry.'
      : 'It does not accept the certificate in "tls.cert": ask whoever runs the server for one that it accepts.';
  }
  if (codes.some(isOfUnknownAuthority)) {
    return ca === undefined
      ? 'Its certificate is not trusted: see below whose it is. If it is the right one, name the certificate of its authority in "tls.ca" of the entry.'
      : 'Its certificate is none of the authorities in "tls.ca": see below whose it is, and name the authority that issued it.';
  }
  const [, advice] = certificateAdvices.find(([code]) => codes.includes(code)) ?? [];
  return advice;
}

const certificateAdvices: readonly (readonly [code: string, advice: string])[] = [
  [
    'CERT_HAS_EXPIRED',
    'Its certificate has expired: whoever runs the server has to renew it. If it is valid still, set the clock of this machine.',
  ],
  ['CERT_NOT_YET_VALID', 'Its certificate is not valid yet: is the clock of this machine right?'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'Its certificate is for another host than the one in "url": see below whose it is, and correct the URL if that is the server.',
  ],
];

const reasons: Readonly<Record<StoppedBecause, string>> = {
  disabled: 'It is switched off: set "enabled" to true in its entry.',
  hidden: 'A nearer entry of the same name is used in its place. Rename one of the two.',
  restricted: 'No server runs in Restricted Mode: trust the workspace, if you do.',
  consentNeeded: 'It waits for you to allow it: start it, and read what it would run.',
  inputNeeded: 'It waits for a value that its entry asks for: start it, and give the value.',
  signInNeeded: 'It waits for you to sign in: choose Sign In.',
};

function ofProgram({ launch, program }: LaunchInspection): string | undefined {
  if (launch.kind !== 'stdio' || program === undefined) {
    return undefined;
  }
  if (!program.isFolderThere) {
    return 'Its working directory does not exist: correct "cwd", or create the folder.';
  }
  if (program.file !== undefined) {
    return undefined;
  }
  return program.searched.length > 0
    ? 'Its program is not installed, or lies in a folder that was not searched: install it, or give its full path as "command".'
    : 'There is no program at the path that "command" names: correct it, and see that the file may be executed.';
}

/** What programs write when they cannot run, and what helps. The first that fits counts. */
const clues: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /npm (?:ERR!|error) (?:code )?E404|404 Not Found - GET/u,
    'The package registry does not know the package: check its name in "args".',
  ],
  [
    /npm (?:ERR!|error) (?:code )?(?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRE\w+)/u,
    'The package registry cannot be reached: check the network and the proxy, or install the package and name its program as "command".',
  ],
  [
    /EBADENGINE|Unsupported engine|SyntaxError: (?:Unexpected token|Cannot use import)/u,
    'It wants another version of Node.js than the one that was found: name the right one as "command".',
  ],
  [
    /Cannot find module|ERR_MODULE_NOT_FOUND/u,
    'Node.js does not find one of its files: build the server or install its packages, and check the path in "args".',
  ],
  [
    /ModuleNotFoundError|No module named/u,
    'Python does not find one of its modules: install it, or name the python of its virtual environment as "command".',
  ],
  [
    /Cannot connect to the Docker daemon|docker daemon is not running/iu,
    'Docker does not run: start it.',
  ],
  [
    /EADDRINUSE|address already in use/iu,
    'A port that it listens on is taken: end the other program, or give it another port.',
  ],
  [
    /self.signed|unable to (?:verify|get local issuer)|certificate verify failed/iu,
    'It does not trust a certificate: give it your authority, such as by NODE_EXTRA_CA_CERTS or SSL_CERT_FILE in "env".',
  ],
  [
    /(?:api.?key|token|secret|credentials?|environment variable)\b.{0,80}(?:required|missing|not (?:set|found|provided)|must)|(?:missing|required).{0,40}(?:api.?key|token|environment variable)/iu,
    'It wants a key or a variable that it was not given: put it into "env", through ${input:…} if it is a secret.',
  ],
  [
    /EACCES|permission denied/iu,
    'It may not use a file or folder: check the permissions of what its arguments name.',
  ],
  [
    /command not found|is not recognized as|No such file or directory|ENOENT/iu,
    'A program or file that it needs is not there: check its arguments, and what it has to have installed.',
  ],
];

function ofWords(state: ConnectionState, strayOutput: string | undefined): string | undefined {
  const lines = 'lastStderr' in state ? state.lastStderr : [];
  const text = [...lines, strayOutput ?? ''].join('\n');
  const advice = clues.find(([words]) => words.test(text))?.[1];
  if (advice !== undefined || strayOutput === undefined) {
    return advice;
  }
  return 'It writes to standard output what is no message: is the program an MCP server, and does it want an argument such as "--stdio"? Its logging belongs on standard error.';
}

const advices: Readonly<Partial<Record<ErrorCode, string>>> = {
  timeout:
    'It did not answer in time. A first start may have to download: try again, or raise "timeouts.startSeconds".',
  unsupported:
    'It speaks no revision of the protocol that is known here: look for a newer version of it.',
  protocol: 'It does not keep to the protocol: look for a newer version of it.',
  unreachable: 'Check the URL, whether the server runs, and the way to it: network, VPN, proxy.',
};

function ofError(error: McpError): string {
  const answer = error.code === 'unsupported' ? undefined : httpErrorIn(error);
  if (answer !== undefined) {
    return ofStatus(answer.status);
  }
  if (error.code === 'closed') {
    return /code 0\b/u.test(error.message)
      ? 'It ended without an error: is the program an MCP server, and does it want an argument such as "--stdio"?'
      : 'It ended during the handshake: run its command in a terminal to see what it says there.';
  }
  return (
    advices[error.code] ??
    'The log of the server has every step: choose "MCP Host: Show Server Log".'
  );
}

function ofStatus(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return 'It wants to know who asks: sign in, or put a token into "headers" through ${input:…}.';
    case 404:
    case 405:
      return 'There is no MCP server at this path: many are at /mcp, older ones at /sse.';
    case 407:
      return 'The proxy wants to know who asks: put user and password into the setting http.proxy.';
    default:
      return status >= 500
        ? 'The server, or what stands before it, is out of order: try again later, or tell those who run it.'
        : 'What answers there does not take the message: check the URL, and whether it is an MCP server.';
  }
}
