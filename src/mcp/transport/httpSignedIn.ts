/** Sends one HTTP request signed in: with the authorizer's headers, and again when it mends a refusal. */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { HttpAuthorizer } from '../httpAuthorizer.ts';
import type { AbandonSignal } from './transport.ts';

interface Request {
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly signal?: AbandonSignal;
}

/** A fresh nonce, a refreshed token, a new sign-in, a wider one: nothing mends a fifth refusal. */
const maxAttempts = 4;

/**
 * Resolves with the head of the last response, unread, also when that is a refusal which stands.
 * @throws what `send` throws; what the authorizer throws in place of a refusal
 */
export async function exchangeSignedIn<R extends Request>(
  authorizer: HttpAuthorizer,
  url: URL,
  request: R,
  send: (request: R) => Promise<IncomingMessage>,
): Promise<IncomingMessage> {
  for (let attempt = 0; ; attempt += 1) {
    const sent = await authorizer.headersFor(request.method, url);
    const response = await send(
      sent === undefined ? request : { ...request, headers: { ...request.headers, ...sent } },
    );
    const { statusCode: status, headers } = response;
    if ((status !== 401 && status !== 403) || attempt === maxAttempts) {
      return response;
    }
    const wwwAuthenticate = headers['www-authenticate'];
    const dpopNonce = headers['dpop-nonce'];
    const refusal = {
      status,
      sent,
      attempt,
      ...(wwwAuthenticate === undefined ? {} : { wwwAuthenticate }),
      ...(typeof dpopNonce === 'string' ? { dpopNonce } : {}),
    };
    const given = givenUp(request.signal);
    try {
      if (!(await authorizer.onRefused(refusal, given.signal))) {
        return response;
      }
    } finally {
      given.dispose();
    }
    response.destroy();
  }
}

function givenUp(signal: AbandonSignal | undefined): {
  readonly signal: AbortSignal;
  readonly dispose: () => void;
} {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (signal?.aborted === true) {
    abort();
  }
  signal?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    dispose: () => signal?.removeEventListener('abort', abort),
  };
}
