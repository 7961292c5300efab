/** Filters entries of the inspector: by text, method, direction and outcome. */
import { type Direction, isWrong, type Seen, type SeenExchange } from './seenMessage.ts';

export interface MessageFilter {
  /** Anywhere in the message, its method, its id, or its HTTP requests; case does not matter. */
  readonly text: string;
  /** Empty: any. */
  readonly method: string;
  readonly direction: 'any' | 'sent' | 'received';
  readonly errorsOnly: boolean;
}

export const noFilter: MessageFilter = {
  text: '',
  method: '',
  direction: 'any',
  errorsOnly: false,
};

export function toPredicate(filter: MessageFilter): (seen: Seen) => boolean {
  const { text, method, direction, errorsOnly } = filter;
  const words = text.trim().toLowerCase();
  return (seen) => {
    if (errorsOnly && !isWrong(seen)) {
      return false;
    }
    const ofMessage = seen.kind === 'message' ? seen : undefined;
    if (method !== '' && ofMessage?.method !== method) {
      return false;
    }
    if (direction !== 'any' && seen.kind !== 'event' && directionOf(seen) !== direction) {
      return false;
    }
    return words === '' || textsOf(seen).some((one) => one.toLowerCase().includes(words));
  };
}

function directionOf(seen: Seen): Direction {
  return seen.kind === 'message' ? seen.direction : 'sent';
}

function textsOf(seen: Seen): readonly string[] {
  switch (seen.kind) {
    case 'message': {
      const { method, id, problem = '', text, exchanges } = seen;
      return [method, String(id ?? ''), problem, text, ...exchanges.flatMap(textsOfExchange)];
    }
    case 'stream':
      return textsOfExchange(seen.exchange);
    case 'event':
      return [seen.text];
  }
}

function textsOfExchange({ method, url, sent, status, received = [] }: SeenExchange): string[] {
  const headers = [...sent, ...received].map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url}`, `HTTP ${status ?? ''}`, ...headers];
}
