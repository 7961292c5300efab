/** What the HTTP transports share about POSTing a message. */
import type { IncomingMessage } from 'node:http';
import { after } from '../../../base/async.ts';
import { truncated } from '../../../base/text.ts';
import { HttpError, McpError } from '../../errors.ts';
import type { RpcMessage, RpcReplyBatch } from '../../types/message.ts';
import { mediaTypeOf } from './httpBody.ts';

/**
 * Limits the time of a message without a reply, because no caller waits for it with a limit of its own.
 * @throws McpError `timeout` after `limitMs`; otherwise the error of `post`
 */
export async function takenInTime(
  message: RpcMessage | RpcReplyBatch,
  limitMs: number,
  post: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const tooLate = new AbortController();
  const limit = after(limitMs, () => tooLate.abort());
  try {
    await post(tooLate.signal);
  } catch (error) {
    if (tooLate.signal.aborted) {
      const what = 'method' in message ? `"${message.method}"` : 'a reply';
      throw new McpError('timeout', `The server did not accept ${what} within ${limitMs / 1000} s`);
    }
    throw error;
  } finally {
    limit.dispose();
  }
}

/** Characters of the response that the error quotes. */
const excerptChars = 2_000;
/** Characters searched for what must not be quoted. */
const redactedChars = 4_000;

/**
 * The error for a successful response without the reply to its request.
 * @param redact removes from the beginning of the body what must not be quoted
 */
export function noReplyError(
  response: IncomingMessage,
  method: string,
  body: string,
  origin: string,
  redact: (start: string) => string = (start) => start,
): McpError {
  const type = mediaTypeOf(response);
  const what = body === '' ? 'nothing' : type === '' ? 'something else' : type;
  const { statusCode: status = 0 } = response;
  const start = truncated(redact(truncated(body, redactedChars)), excerptChars);
  return new McpError(
    'protocol',
    `The server answered "${method}" with ${what} (HTTP ${status}) that contains no reply: is there an MCP server at ${origin}?`,
    { cause: new HttpError('http', status, `HTTP ${status}`, start) },
  );
}
