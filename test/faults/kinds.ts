/** The faults that are injected: between client and server on a socket, in place of its answers, and in a process. */

/** What happens to bytes on their way from the server, over TCP and over pipes alike. */
export const streamFaults = [
  'drop',
  'delay',
  'duplicate',
  'reorder',
  'truncate',
  'corrupt',
  'halfOpen',
  'slowLoris',
] as const;
/** What happens to a connection as a whole. */
export const socketFaults = ['reset', 'close', 'refuse'] as const;
/** What happens to the handshake of TLS; `tls plain` is a server that speaks HTTP where TLS is expected. */
export const tlsFaults = [
  'tls expired',
  'tls selfSigned',
  'tls wrongHost',
  'tls cut',
  'tls plain',
] as const;
/** What happens to a process. */
export const processFaults = [
  'exit 0',
  'exit 1',
  'exit 137',
  'kill',
  'terminate',
  'closeOutput',
  'noise',
  'binaryNoise',
  'endlessLine',
  'stderrFlood',
] as const;
/** What an HTTP server answers instead of what it should. */
export const statuses = [
  204, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412,
  413, 414, 415, 416, 417, 418, 421, 422, 423, 424, 425, 426, 428, 429, 431, 451, 500, 501, 502,
  503, 504, 505, 506, 507, 508, 510, 511, 599,
] as const;
export const bodies = [
  'empty',
  'html',
  'wrongType',
  'noType',
  'notJson',
  'endlessBody',
  'endlessEvents',
  'endlessHeaders',
  'endlessEvent',
  'endlessNotices',
  'endlessPings',
  'notHttp',
  'anotherProtocol',
  'lyingLength',
] as const;

/** What never ends, and comes as fast as it is taken. */
const floods: readonly string[] = [
  'endlessBody',
  'endlessEvents',
  'endlessHeaders',
  'endlessEvent',
  'endlessNotices',
  'endlessPings',
  'endlessLine',
  'hugeFrame',
  'stderrFlood',
];

export type StreamFault = (typeof streamFaults)[number];
export type SocketFault = (typeof socketFaults)[number];
export type TlsFault = (typeof tlsFaults)[number];
export type ProcessFault = (typeof processFaults)[number];
/** `hugeFrame`: over a WebSocket alone. */
export type AnswerFault = (typeof bodies)[number] | 'hugeFrame' | `status ${number}`;
export type Fault = StreamFault | SocketFault | TlsFault | ProcessFault | AnswerFault;

const ofStreams: readonly string[] = streamFaults;
const ofTls: readonly string[] = tlsFaults;

export function isStreamFault(fault: string): fault is StreamFault {
  return ofStreams.includes(fault);
}

export function isTlsFault(fault: string): fault is TlsFault {
  return ofTls.includes(fault);
}

/** Whether it is to be measured how much memory the fault takes. */
export function isFlood(fault: Fault): boolean {
  return floods.includes(fault);
}
