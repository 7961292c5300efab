/** Entries of the inspector as JSON Lines, without secrets, for other programs. */
import type { Redactor } from '../../base/log.ts';
import { maskedJson, remasked } from './maskedText.ts';
import type { Seen, SeenExchange } from './seenMessage.ts';

/** Also masks secrets that became known after a message was recorded. */
export function toJsonLines(
  server: string,
  entries: readonly Seen[],
  redactor: Pick<Redactor, 'redact'>,
): string {
  return entries.map((seen) => `${toLine(server, seen, redactor)}\n`).join('');
}

function toLine(server: string, seen: Seen, redactor: Pick<Redactor, 'redact'>): string {
  // Without a limit: a part of it would not be JSON.
  const json = (facts: object): string => maskedJson(facts, redactor, Infinity).text;
  const { n, at } = seen;
  const head = { n, time: new Date(at).toISOString(), server };
  switch (seen.kind) {
    case 'event':
      return json({ ...head, event: seen.text });
    case 'stream':
      return json({ ...head, http: [toHttp(seen.exchange)] });
    case 'message': {
      const { direction, type, method, id, bytes, durationMs, outcome, problem, revision } = seen;
      const facts = json({
        ...head,
        direction,
        type,
        method,
        id,
        bytes,
        durationMs: durationMs === undefined ? undefined : Math.round(durationMs * 1000) / 1000,
        outcome,
        problem,
        revision,
        ...pairing(seen),
        ...(seen.exchanges.length > 0 && { http: seen.exchanges.map(toHttp) }),
      });
      // The recorded message, which is JSON already unless it was cut.
      const text = remasked(seen, redactor);
      const content = seen.isCut
        ? `"cut":true,"text":${JSON.stringify(text)}`
        : `"message":${text}`;
      return `${facts.slice(0, -1)},${content}}`;
    }
  }
}

function pairing({
  type,
  partner,
  replayOf,
}: Pick<Extract<Seen, { kind: 'message' }>, 'type' | 'partner' | 'replayOf'>): object {
  return { [type === 'request' ? 'response' : 'request']: partner, replayOf };
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
