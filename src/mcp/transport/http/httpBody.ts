/** Reads the bodies of HTTP responses within limits. Knows neither JSON-RPC nor SSE. */
import { t } from '../../../base/l10n.ts';
import type { IncomingMessage } from 'node:http';
import { after } from '../../../base/async.ts';
import { McpError } from '../../errors.ts';
import { ChunkBuffer } from '../chunkBuffer.ts';
import { type MessageLimits, sizeText } from '../limits.ts';

/** For a message that was sent and not answered. */
export function unknownOutcome(): string {
  return t('whether the request took effect is unknown');
}
/** Limit of bytes read from a body that is not needed whole. */
const maxStartBytes = 64 * 1024;

/**
 * The whole body as text, without a byte order mark.
 * @throws McpError `protocol` beyond `maxMessageBytes` or the memory account; `closed` when the body breaks off.
 */
export function readText(
  response: IncomingMessage,
  { maxMessageBytes, limitHint, memory }: MessageLimits,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces = new ChunkBuffer(memory);
    response.on('data', (piece: Buffer) => {
      const hasRoom = pieces.add(piece);
      const isTooLarge = pieces.length > maxMessageBytes;
      if (isTooLarge || !hasRoom) {
        pieces.clear();
        response.destroy();
        const reason = isTooLarge
          ? `is larger than ${sizeText(maxMessageBytes, limitHint)}`
          : memory?.refusal;
        reject(new McpError('protocol', `The server's answer ${reason}`));
      }
    });
    onOver(response, (error) => {
      if (error === undefined) {
        resolve(toText(pieces));
      } else {
        pieces.clear();
        const message = t(
          "The connection broke off within the server's answer; {0}",
          unknownOutcome(),
        );
        reject(new McpError('closed', message, { cause: error }));
      }
    });
  });
}

/**
 * Discards a body, and returns its beginning. Cuts it off if it is larger than an error can quote, or takes longer than
 * `limitMs`: some servers answer a notification with a stream that never ends.
 */
export function readStart(response: IncomingMessage, limitMs: number): Promise<string> {
  return new Promise((resolve) => {
    const pieces = new ChunkBuffer();
    endWithin(response, limitMs);
    response.on('data', (piece: Buffer) => {
      if (pieces.length < maxStartBytes) {
        pieces.add(piece);
      } else {
        response.destroy();
      }
    });
    onOver(response, () => resolve(toText(pieces)));
  });
}

/** Cuts a response off unless it ends by itself in time. */
export function endWithin(response: IncomingMessage, limitMs: number): void {
  if (!response.complete && !response.closed) {
    const limit = after(limitMs, () => response.destroy());
    response.once('close', () => limit.dispose());
  }
}

/** Calls `run` once, asynchronously, when the body is over; with an error unless the body is whole. */
export function onOver(response: IncomingMessage, run: (error: Error | undefined) => void): void {
  const tell = (): void =>
    run(
      response.readableEnded
        ? undefined
        : (response.errored ?? new Error('The connection broke off')),
    );
  response.on('error', ignore);
  if (response.closed) {
    queueMicrotask(tell); // it ended before it was read, perhaps during a sign-in
  } else {
    // 'close' follows 'end' and 'error'. One listener instead of three, because every response gets it.
    response.on('close', tell);
  }
}

function ignore(): void {}

export function isSuccess({ statusCode: status = 0 }: IncomingMessage): boolean {
  return status >= 200 && status <= 299;
}

/** `text/event-stream; charset=utf-8` gives `text/event-stream`; the empty string for none. */
export function mediaTypeOf(response: IncomingMessage): string {
  const type = response.headers['content-type'] ?? '';
  const end = type.indexOf(';');
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase();
}

function toText(pieces: ChunkBuffer): string {
  const text = pieces.take().toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
