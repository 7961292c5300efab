/** Sends one HTTP request signed in: with the authorizer's headers, and again when it mends a refusal. */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { onAbort, raceSignal } from '../../../base/async.ts';
import type { AuthorizationHeaders, HttpAuthorizer, HttpRefusal } from '../../httpAuthorizer.ts';
import { McpError } from '../../errors.ts';
import type { AbandonSignal } from '../transport.ts';

interface Request {
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly signal?: AbandonSignal;
}

/** A fresh nonce, a refreshed token, a new sign-in, a wider one: nothing mends a fifth refusal. */
const maxAttempts = 4;

/** Of one exchange, wherever it is redirected to and however often it is put off. */
export interface SignInTries {
  /** How often a refusal was mended. */
  count: number;
}

/** Where a request goes, and who signs it in for there. */
interface SignedInWay {
  readonly authorizer: HttpAuthorizer;
  readonly url: URL;
  /** Aborts when the channel closes: nobody waits for a sign-in then. */
  readonly closing: AbortSignal;
  readonly tries: SignInTries;
}

/**
 * Resolves with the head of the last response, unread, also when that is a refusal which stands.
 * @throws what `send` throws; what the authorizer throws in place of a refusal; McpError `cancelled`
 *   when the request was given up, `closed` when the channel was
 */
export async function exchangeSignedIn<R extends Request>(
  { authorizer, url, closing, tries }: SignedInWay,
  request: R,
  send: (request: R) => Promise<IncomingMessage>,
): Promise<IncomingMessage> {
  for (; ; tries.count += 1) {
    const { count: attempt } = tries;
    const headers = authorizer.headersFor(request.method, url);
    // At hand in most cases: nothing else is made for such a request.
    const sent =
      headers instanceof Promise
        ? await whileWanted(request.signal, closing, (signal) => raceSignal(headers, signal))
        : headers;
    const response = await send(
      sent === undefined ? request : { ...request, headers: { ...request.headers, ...sent } },
    );
    const refusal = refusalIn(response, sent, attempt);
    // A session that ends is not signed in to for its end.
    if (refusal === undefined || attempt === maxAttempts || request.method === 'DELETE') {
      return response;
    }
    const isMended = await whileWanted(request.signal, closing, (signal) =>
      authorizer.onRefused(refusal, signal),
    ).catch((error: unknown) => {
      response.destroy(); // nobody reads it then
      throw error;
    });
    if (!isMended) {
      return response;
    }
    response.destroy();
  }
}

/** An opening that the server answered with something else than a connection. */
export interface RefusedOpening {
  readonly error: McpError;
  readonly response: Pick<IncomingMessage, 'statusCode' | 'headers'>;
}

/**
 * Opens what begins with one request, such as a WebSocket, signed in.
 * @param open resolves to undefined when it is open, else to what was answered
 * @throws what `open` throws; the error of a refusal that stands; what the authorizer throws instead
 */
export async function openSignedIn(
  authorizer: HttpAuthorizer | undefined,
  url: URL,
  signal: AbortSignal,
  open: (headers: AuthorizationHeaders) => Promise<RefusedOpening | undefined>,
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const sent = authorizer && (await raceSignal(headersOf(authorizer, url), signal));
    const refused = await open(sent ?? {});
    if (refused === undefined) {
      return;
    }
    const refusal = refusalIn(refused.response, sent, attempt);
    const isOver = authorizer === undefined || refusal === undefined || attempt === maxAttempts;
    if (isOver || !(await authorizer.onRefused(refusal, signal))) {
      throw refused.error;
    }
  }
}

/** Undefined for an answer that is about something else than authorization. */
function refusalIn(
  { statusCode: status, headers }: Pick<IncomingMessage, 'statusCode' | 'headers'>,
  sent: AuthorizationHeaders | undefined,
  attempt: number,
): HttpRefusal | undefined {
  if (status !== 401 && status !== 403) {
    return undefined;
  }
  const wwwAuthenticate = headers['www-authenticate'];
  const dpopNonce = headers['dpop-nonce'];
  return {
    status,
    sent,
    attempt,
    ...(wwwAuthenticate === undefined ? {} : { wwwAuthenticate }),
    ...(typeof dpopNonce === 'string' ? { dpopNonce } : {}),
  };
}

/** Runs `wait` with a signal that aborts when the request is given up, or the channel closes. */
export async function whileWanted<T>(
  signal: AbandonSignal | undefined,
  closing: AbortSignal,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const giveUp = (): void =>
    controller.abort(new McpError('cancelled', 'The request was given up'));
  const close = (): void => controller.abort(new McpError('closed', 'The connection is closed'));
  const abandonment = signal && onAbort(signal, giveUp);
  const closure = onAbort(closing, close);
  try {
    return await wait(controller.signal);
  } finally {
    abandonment?.dispose();
    closure.dispose();
  }
}

async function headersOf(
  authorizer: HttpAuthorizer,
  url: URL,
): Promise<AuthorizationHeaders | undefined> {
  return authorizer.headersFor('GET', url);
}
