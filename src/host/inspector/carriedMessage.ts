/** Finds the message, among those sent last, that an HTTP request carries. */
import { isObject, isString } from '../../base/json.ts';
import type { MessageBuffer } from './messageBuffer.ts';
import { shortened, toId } from './messageFacts.ts';
import type { SeenMessage } from './seenMessage.ts';

/** The number of messages that are searched. */
const carriedAmong = 200;

/**
 * @param body of the HTTP request
 * @param last the number of the newest entry
 */
export function carriedMessage(
  body: string,
  buffer: MessageBuffer,
  last: number,
): SeenMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(first)) {
    return undefined;
  }
  const method = isString(first['method']) ? shortened(first['method']) : undefined;
  const id = toId(first['id']);
  for (let n = last; n > last - carriedAmong; n -= 1) {
    const seen = buffer.get(n);
    if (seen?.kind === 'message' && seen.direction === 'sent' && seen.id === id) {
      const isIt =
        method === undefined
          ? seen.type === 'response'
          : seen.method === method && seen.type !== 'response';
      if (isIt) {
        return seen;
      }
    }
  }
  return undefined;
}
