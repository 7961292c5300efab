/** Filters entries of the inspector: by text, method, direction and outcome. */
import { isWrong, type Seen, type SeenExchange } from './seenMessage.ts';

export interface MessageFilter {
  /** Anywhere in the message, its method, its id, or its HTTP requests; case does not matter. */
  readonly text: string;
  /** Empty: any. */
  readonly method: string;
  readonly direction: 'any' | 'sent' | 'received';
  readonly errorsOnly: boolean;
}

export function toPredicate(filter: MessageFilter): (seen: Seen) => boolean {
  const { text, method, direction, errorsOnly } = filter;
  const words = text.trim().toLowerCase();
  return (seen) =>
    (!errorsOnly || isWrong(seen)) &&
    (method === '' || seen.method === method) &&
    (direction === 'any' || seen.direction === undefined || seen.direction === direction) &&
    (words === '' || textsOf(seen).some((one) => one.toLowerCase().includes(words)));
}

function textsOf({ method, id, problem = '', text, exchanges }: Seen): readonly string[] {
  return [method, String(id ?? ''), problem, text, ...exchanges.flatMap(textsOfExchange)];
}

function textsOfExchange({ method, url, sent, status, received = [] }: SeenExchange): string[] {
  const headers = [...sent, ...received].map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url}`, `HTTP ${status ?? ''}`, ...headers];
}
