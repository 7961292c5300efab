/** Advice for a server at a URL that does not answer as one: network, TLS, HTTP, its answer. */
import type { ResolvedLaunch } from '../launch/resolvedLaunch.ts';
import type { ErrorCode, HttpError, McpError } from '../../mcp/errors.ts';
import { isLoopback } from '../../mcp/network/loopback.ts';
import { isAboutOurCertificate, isOfUnknownAuthority } from '../../mcp/network/networkReasons.ts';
import { codesBelow, httpErrorIn } from '../servers/errorOf.ts';

type UrlLaunch = Exclude<ResolvedLaunch, { kind: 'stdio' }>;

/** @param isRemote the connection starts on another machine than the user's */
export function adviceOnServer(error: McpError, launch: UrlLaunch, isRemote: boolean): string {
  const codes = codesBelow(error);
  const answer = error.code === 'unsupported' ? undefined : httpErrorIn(error);
  return (
    ofProxy(codes) ??
    ofCertificates(codes, launch) ??
    (answer === undefined ? undefined : ofAnswer(answer, launch)) ??
    ofNetwork(codes, launch, isRemote) ??
    (error.code === 'closed' ? ofCut(launch) : undefined) ??
    advices[error.code] ??
    'The log of the server has every step: choose "MCP Host: Show Server Log".'
  );
}

/** The entry's own proxy is unreachable, or refuses us. */
function ofProxy(codes: readonly string[]): string | undefined {
  return codes.some((code) => code.startsWith('ERR_PROXY_'))
    ? 'Correct "proxy" in its entry, or take the field out, so that the editor\'s proxy counts; false uses none.'
    : undefined;
}

function ofCertificates(codes: readonly string[], { connection }: UrlLaunch): string | undefined {
  const { ca, client } = connection?.tls ?? {};
  if (codes.some(isAboutOurCertificate)) {
    return client === undefined
      ? 'It wants to know who asks: name your certificate and its key in "tls.cert" and "tls.key" of the entry.'
      : 'It does not accept the certificate in "tls.cert": ask whoever runs the server for one that it accepts.';
  }
  if (codes.some(isOfUnknownAuthority)) {
    return ca === undefined
      ? 'Its certificate is not trusted: see below whose it is. If it is the right one, name the certificate of its authority in "tls.ca" of the entry.'
      : 'Its certificate is of none of the authorities in "tls.ca": see below whose it is, and name the authority that issued it.';
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

/** Names of headers that identify the client. */
const aboutWho = /authorization|cookie|key|token|secret/iu;

function ofAnswer({ status }: HttpError, { kind, headers }: UrlLaunch): string {
  const isKnown = Object.keys(headers).some((name) => aboutWho.test(name));
  switch (status) {
    case 401:
      return isKnown
        ? 'It does not accept what "headers" of the entry says of who asks: is the token whole, still valid, and one for this server?'
        : 'It wants to know who asks: sign in, or put a token into "headers" through ${input:…}.';
    case 403:
      return isKnown
        ? 'It knows who asks, and does not allow it: ask those who run it what your token or account may do.'
        : 'It lets nobody in whom it does not know: sign in, or put a token into "headers" through ${input:…}.';
    case 404:
    case 405:
    case 410:
      return kind === 'webSocket'
        ? 'There is no MCP server at this path: correct the path of "url".'
        : 'There is no MCP server at this path: many are at /mcp, older ones at /sse.';
    case 407:
      return 'The proxy wants to know who asks: put user and password into the setting http.proxy.';
    case 426:
      return 'It wants another protocol than HTTP: is it WebSocket, with ws or wss in "url"?';
    case 429:
      return 'It takes no more requests for now: try again later.';
    case 431:
      return 'The headers are too large for the server: shorten those of its entry.';
    default:
      return ofKindOfStatus(status, kind);
  }
}

function ofKindOfStatus(status: number, kind: UrlLaunch['kind']): string {
  if (status >= 500) {
    return 'The server, or what stands before it, is out of order: try again later, or tell those who run it.';
  }
  if (status >= 300 && status <= 399) {
    return 'It has moved: set "url" to where it is now.';
  }
  if (status >= 400) {
    return 'What answers there does not take the message: check the URL, and whether it is an MCP server.';
  }
  return kind === 'webSocket'
    ? 'What answers there does not speak WebSocket: check the URL, and write http or https where the server speaks MCP over HTTP.'
    : 'What answers there is no MCP server: check the URL. A page in HTML is a website, or the sign-in page of something on the way.';
}

function ofNetwork(
  codes: readonly string[],
  launch: UrlLaunch,
  isRemote: boolean,
): string | undefined {
  const isSocket = 'socketPath' in launch && launch.socketPath !== undefined;
  if (codes.some((code) => /^(?:EPROTO|HPE_\w+)$|WRONG_VERSION_NUMBER/u.test(code))) {
    return 'What answers there speaks something else: are http and https (ws and wss) mixed up in "url", or is it another port?';
  }
  const advice = (isSocket ? socketAdvices : networkAdvices).find(([code]) =>
    codes.includes(code),
  )?.[1];
  const isHere = isSocket || isLoopback(new URL(launch.url));
  return advice !== undefined && isRemote && isHere ? `${advice} ${whichMachine}` : advice;
}

const whichMachine =
  'It is looked for on the remote machine, where the extension runs, and not on the one before you.';

const networkAdvices: readonly (readonly [code: string, advice: string])[] = [
  ['ECONNREFUSED', 'Nothing listens there: start the server, and check host and port of "url".'],
  [
    'ENOTFOUND',
    'The host of "url" is unknown: correct its name, or connect to the network or VPN that knows it.',
  ],
  ['EAI_AGAIN', 'No host can be looked up: is there a network?'],
];

const socketAdvices: readonly (readonly [code: string, advice: string])[] = [
  ['ECONNREFUSED', 'Nothing listens on the socket: start the server.'],
  ['ENOENT', 'There is no such socket: start the server, and check the path in "url".'],
  ['ENOTSOCK', 'The file that "url" names is not a socket: correct the path.'],
  ['EACCES', 'You may not use the socket: look at who owns it, and at its permissions.'],
];

function ofCut({ url }: UrlLaunch): string {
  return /^(?:http|ws):/u.test(url)
    ? 'It cut the connection: is https (or wss) meant in "url"? Else its own log may say why.'
    : 'It cut the connection: its own log, or that of what stands before it, may say why.';
}

const advices: Readonly<Partial<Record<ErrorCode, string>>> = {
  timeout:
    'It did not answer in time: check whether an MCP server is at the URL, try again, or raise "timeouts.startSeconds".',
  unsupported:
    'It speaks no revision of the protocol that is known here: look for a newer version of it.',
  http: 'It leads elsewhere: set "url" to where the server is now.',
  protocol:
    'It does not keep to the protocol: is it an MCP server? Then look for a newer version of it.',
  rpc: 'It refused the start with an error of its own: see what that says below.',
  unreachable: 'Check the URL, whether the server runs, and the way to it: network, VPN, proxy.',
};
