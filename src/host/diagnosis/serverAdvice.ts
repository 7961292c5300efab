/** Advice for a server at a URL that does not answer as one: network, TLS, HTTP, its answer. */
import { looksSecret } from '../../base/secretNames.ts';
import type { ResolvedLaunch } from '../launch/launchGate.ts';
import {
  type ErrorCode,
  type HttpError,
  type McpError,
  codesBelow,
  httpErrorIn,
  isTransientStatus,
} from '../../mcp/errors.ts';
import { isLoopback } from '../../mcp/network/loopback.ts';
import { isAboutOurCertificate, isOfUnknownAuthority } from '../../mcp/network/networkReasons.ts';

type UrlLaunch = Exclude<ResolvedLaunch, { kind: 'stdio' }>;

/** @param isRemote the connection starts on another machine than the user's */
export function adviceOnServer(
  error: McpError,
  launch: UrlLaunch,
  isRemote: boolean,
): readonly string[] {
  const codes = codesBelow(error);
  const answer = httpErrorIn(error);
  const isOwnWord = error.code === 'rpc' && !isTransientStatus(answer?.status ?? 0);
  return [
    ofProxy(codes) ??
      ofCertificates(codes, launch) ??
      (answer === undefined || isOwnWord ? undefined : ofAnswer(answer, launch)) ??
      ofNetwork(codes, launch, isRemote) ??
      (error.code === 'closed' ? ofCut(launch) : undefined) ??
      advices[error.code] ??
      'The log of the server shows every step. Choose "MCP Host: Show Server Log".',
  ].flat();
}

/** The entry's own proxy is unreachable, or refuses us. */
function ofProxy(codes: readonly string[]): string | undefined {
  return codes.some((code) => code.startsWith('ERR_PROXY_'))
    ? 'Correct "proxy" in its entry. Without the field, the editor\'s proxy is used; false uses none.'
    : undefined;
}

function ofCertificates(codes: readonly string[], { connection }: UrlLaunch): string | undefined {
  const { ca, client } = connection?.tls ?? {};
  if (codes.some(isAboutOurCertificate)) {
    return client === undefined
      ? 'It requires a client certificate. Name yours and its key in "tls.cert" and "tls.key" of the entry.'
      : 'It does not accept the certificate in "tls.cert". Ask its operator for one that it accepts.';
  }
  if (codes.some(isOfUnknownAuthority)) {
    return ca === undefined
      ? 'Its certificate is not trusted. See below whose it is. If it is the right one, name the certificate of its authority in "tls.ca" of the entry.'
      : 'Its certificate was not issued by an authority in "tls.ca". See below whose it is, and name the authority that issued it.';
  }
  const [, advice] = certificateAdvices.find(([code]) => codes.includes(code)) ?? [];
  return advice;
}

const certificateAdvices: readonly (readonly [code: string, advice: string])[] = [
  [
    'CERT_HAS_EXPIRED',
    'Its certificate has expired. The operator of the server has to renew it. If it is still valid, set the clock of this machine.',
  ],
  ['CERT_NOT_YET_VALID', 'Its certificate is not valid yet. Is the clock of this machine right?'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'Its certificate is for another host than the one in "url". See below whose it is, and correct the URL if that is the server.',
  ],
];

function ofAnswer({ status }: HttpError, { kind, headers }: UrlLaunch): string {
  const isKnown = Object.keys(headers).some(looksSecret);
  switch (status) {
    case 401:
      return isKnown
        ? 'It does not accept the credentials in "headers" of the entry. Is the token complete, still valid, and for this server?'
        : 'It requires credentials. Put a token into "headers" through ${input:…}; or, if its entry has "oauth": false, remove that to sign in.';
    case 403:
      return isKnown
        ? 'It knows you, but does not allow this. Ask its operator what your token or account may do.'
        : 'It does not allow this. If it wants a token, put one into "headers" through ${input:…}. Otherwise ask its operator what you may do.';
    case 404:
    case 405:
    case 410:
      return kind === 'webSocket'
        ? 'There is no MCP server at this path. Correct the path of "url".'
        : 'There is no MCP server at this path. Many are at /mcp, older ones at /sse.';
    case 407:
      return 'The proxy requires credentials. Put user and password into the setting http.proxy.';
    case 426:
      return 'It requires another protocol than HTTP. Is it WebSocket, with ws or wss in "url"?';
    case 429:
      return 'It accepts no more requests for now. Try again later.';
    case 431:
      return 'The headers are too large for it. Shorten those of its entry.';
    default:
      return ofKindOfStatus(status, kind);
  }
}

function ofKindOfStatus(status: number, kind: UrlLaunch['kind']): string {
  if (status >= 500) {
    return 'The server, or a proxy in front of it, is out of order. Try again later, or tell its operator.';
  }
  if (status >= 300 && status <= 399) {
    return 'It has moved. Set "url" to its new address.';
  }
  if (status >= 400) {
    return 'It does not accept the message. Check the URL, and whether an MCP server is there.';
  }
  return kind === 'webSocket'
    ? 'The URL does not lead to a WebSocket. Check it, and write http or https if the server speaks MCP over HTTP.'
    : 'The URL does not lead to an MCP server. Check it. An HTML page is a website, or the sign-in page of a network.';
}

function ofNetwork(
  codes: readonly string[],
  launch: UrlLaunch,
  isRemote: boolean,
): readonly string[] | undefined {
  const isSocket = 'socketPath' in launch && launch.socketPath !== undefined;
  if (codes.some((code) => /^(?:EPROTO|HPE_\w+)$|WRONG_VERSION_NUMBER/u.test(code))) {
    return [
      'The URL leads to something that speaks another protocol. Are http and https (ws and wss) mixed up in "url", or is the port wrong?',
    ];
  }
  const advice = (isSocket ? socketAdvices : networkAdvices).find(([code]) =>
    codes.includes(code),
  )?.[1];
  const isHere = isSocket || isLoopback(new URL(launch.url));
  return advice === undefined ? undefined : [advice, ...(isRemote && isHere ? [whichMachine] : [])];
}

const whichMachine = 'The remote machine, where the extension runs, looks for it, not your own.';

const networkAdvices: readonly (readonly [code: string, advice: string])[] = [
  ['ECONNREFUSED', 'Nothing listens there. Start the server, and check host and port of "url".'],
  [
    'ENOTFOUND',
    'The host of "url" is unknown. Correct its name, or connect to the network or VPN that knows it.',
  ],
  ['EAI_AGAIN', 'No host name can be looked up. Is there a network?'],
];

const socketAdvices: readonly (readonly [code: string, advice: string])[] = [
  ['ECONNREFUSED', 'Nothing listens on the socket. Start the server.'],
  ['ENOENT', 'The socket does not exist. Start the server, and check the path in "url".'],
  ['ENOTSOCK', 'The file in "url" is not a socket. Correct the path.'],
  ['EACCES', 'You have no permission for the socket. Check its owner and its permissions.'],
];

function ofCut({ url }: UrlLaunch): string {
  return /^(?:http|ws):/u.test(url)
    ? 'It closed the connection. Should "url" begin with https (or wss)? Otherwise its own log may say why.'
    : 'It closed the connection. Its own log, or that of a proxy in front of it, may say why.';
}

const advices: Readonly<Partial<Record<ErrorCode, string>>> = {
  timeout:
    'It did not answer in time. Check whether an MCP server is at the URL, try again, or increase "timeouts.startSeconds".',
  http: 'It redirects elsewhere. Set "url" to the new address of the server.',
  protocol: 'It violates the protocol. Is it an MCP server? Then look for a newer version of it.',
  rpc: 'It refused the start with an error of its own. See the error below.',
  unreachable: 'Check the URL, whether the server runs, and the network, VPN or proxy on the way.',
};
