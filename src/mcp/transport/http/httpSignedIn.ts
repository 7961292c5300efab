/** Sends one HTTP request with the authorizer's headers, and again when the authorizer resolves a refusal. */
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

/** A fresh nonce, a refreshed token, a new sign-in, a wider scope: nothing resolves a fifth refusal. */
const maxAttempts = 4;

/** Counts for one exchange, across all redirects and retries. */
export interface SignInTries {
  /** Number of refusals that were resolved. */
  count: number;
}

/** Where a request goes, and who authorizes it there. */
interface SignedInWay {
  readonly authorizer: HttpAuthorizer;
  readonly url: URL;
  /** Aborts when the channel closes: then nobody waits for a sign-in. */
  readonly closing: AbortSignal;
  readonly tries: SignInTries;
}

/**
 * Resolves with the head of the last response, unread, even if it is a final refusal.
 * @throws the error of `send`; the error of the authorizer in place of a refusal; McpError `cancelled` when
 *   the request was given up, `closed` when the channel was closed
 */
export async function exchangeSignedIn<R extends Request>(
  { authorizer, url, closing, tries }: SignedInWay,
  request: R,
  send: (request: R) => Promise<IncomingMessage>,
): Promise<IncomingMessage> {
  for (; ; tries.count += 1) {
    const { count: attempt } = tries;
    const headers = authorizer.headersFor(request.method, url);
    // Usually not a promise: then nothing else is created for the request.
    const sent =
      headers instanceof Promise
        ? await whileWanted(request.signal, closing, (signal) => raceSignal(headers, signal))
        : headers;
    const response = await send(
      sent === undefined ? request : { ...request, headers: { ...request.headers, ...sent } },
    );
    const refusal = refusalIn(response, sent, attempt);
    // Do not ask for a sign-in just to end a session.
    if (refusal === undefined || attempt === maxAttempts || request.method === 'DELETE') {
      return response;
    }
    const isMended = await whileWanted(request.signal, closing, (signal) =>
      authorizer.onRefused(refusal, signal),
    ).catch((error: unknown) => {
      response.destroy(); // nobody will read it
      throw error;
    });
    if (!isMended) {
      return response;
    }
    response.destroy();
  }
}

/** A response to an opening handshake that is not the connection. */
export interface RefusedOpening {
  readonly error: McpError;
  readonly response: Pick<IncomingMessage, 'statusCode' | 'headers'>;
}

/**
 * Opens a connection that begins with one request, such as a WebSocket, with authorization.
 * @param open resolves to undefined when the connection is open, otherwise to the response
 * @throws the error of `open`; the error of a final refusal; the error of the authorizer instead
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

/** Undefined if the response is not about authorization. */
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
