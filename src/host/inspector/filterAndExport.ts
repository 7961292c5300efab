/** Filters entries of the inspector, and exports them as JSON Lines, without secrets, for other programs. */
import type { Redactor } from '../../base/log.ts';
import { maskedJson, remasked } from './maskedText.ts';
import {
  isMessage,
  isWrong,
  type MessageFilter,
  type Seen,
  type SeenExchange,
  type WantedDirection,
} from './seenMessage.ts';

export function toPredicate(filter: MessageFilter): (seen: Seen) => boolean {
  const { text, method, direction, errorsOnly } = filter;
  const words = text.trim().toLowerCase();
  return (seen) =>
    (!errorsOnly || isWrong(seen)) &&
    (method === '' || seen.method === method) &&
    isWanted(seen, direction) &&
    (words === '' || textsOf(seen).some((one) => one.toLowerCase().includes(words)));
}

function isWanted({ direction }: Seen, wanted: WantedDirection): boolean {
  const isOfApp = direction === 'fromApp' || direction === 'toApp';
  return wanted === 'any' || (wanted === 'app' ? isOfApp : (direction ?? wanted) === wanted);
}

function textsOf({ method, id, problem = '', text, exchanges }: Seen): readonly string[] {
  return [method, String(id ?? ''), problem, text, ...exchanges.flatMap(textsOfExchange)];
}

function textsOfExchange({ method, url, sent, status, received = [] }: SeenExchange): string[] {
  const headers = [...sent, ...received].map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url}`, `HTTP ${status ?? ''}`, ...headers];
}

/** Also masks secrets that became known after a message was recorded. */
export function toJsonLines(
  server: string,
  entries: readonly Seen[],
  redactor: Pick<Redactor, 'redact'>,
): string {
  return entries.map((seen) => `${toLine(server, seen, redactor)}\n`).join('');
}

function toLine(server: string, seen: Seen, redactor: Pick<Redactor, 'redact'>): string {
  const facts = {
    n: seen.n,
    time: new Date(seen.at).toISOString(),
    server,
    ...factsOf(seen),
  };
  // Without a limit: a part of it would not be JSON.
  const masked: object = JSON.parse(maskedJson(facts, redactor, Infinity).text);
  return JSON.stringify(isMessage(seen) ? { ...masked, ...contentOf(seen, redactor) } : masked);
}

function factsOf(seen: Seen): object {
  const { kind, direction, method, id, bytes, durationMs, outcome, problem, revision } = seen;
  const http = seen.exchanges.length > 0 ? { http: seen.exchanges.map(toHttp) } : {};
  if (!isMessage(seen)) {
    return kind === 'event' ? { event: method } : http;
  }
  return {
    direction,
    type: kind,
    method,
    id,
    bytes,
    durationMs: durationMs === undefined ? undefined : Math.round(durationMs * 1000) / 1000,
    outcome,
    problem,
    revision,
    [kind === 'request' ? 'response' : 'request']: seen.partner,
    replayOf: seen.replayOf,
    ...http,
  };
}

/** The recorded message, which is JSON unless it was cut. */
function contentOf(seen: Seen, redactor: Pick<Redactor, 'redact'>): object {
  const text = remasked(seen, redactor);
  return seen.isCut ? { cut: true, text } : { message: JSON.parse(text) };
}

function toHttp({ method, url, status, error, sent, received }: SeenExchange): object {
  return {
    method,
    url,
    status,
    error,
    requestHeaders: Object.fromEntries(sent),
    responseHeaders: received && Object.fromEntries(received),
  };
}
