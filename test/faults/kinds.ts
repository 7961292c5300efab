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
export const socketFaults = ['reset', 'close', 'refuse', 'notTls'] as const;
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
  204, 301, 302, 307, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 413, 414, 415, 417,
  418, 421, 422, 423, 424, 425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 505, 507, 508,
  511, 599,
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
  'notHttp',
  'lyingLength',
] as const;

export type StreamFault = (typeof streamFaults)[number];
export type SocketFault = (typeof socketFaults)[number];
export type ProcessFault = (typeof processFaults)[number];
export type AnswerFault = (typeof bodies)[number] | `status ${number}`;
export type Fault = StreamFault | SocketFault | ProcessFault | AnswerFault;

const all: readonly string[] = [...streamFaults];

export function isStreamFault(fault: string): fault is StreamFault {
  return all.includes(fault);
}
