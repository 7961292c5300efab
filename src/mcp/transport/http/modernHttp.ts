/**
 * The Streamable HTTP transport of revision 2026-07-28: every message is a POST of its own with a reply of
 * its own, as JSON or as an event stream, and closing that stream cancels the request. There are no
 * sessions, no other streams and nothing to resume; a request whose stream breaks is lost.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 *
 * It sends the headers given with a message; httpHeaders.ts makes those that mirror the body.
 */
import { t } from '../../../base/l10n.ts';
import type { IncomingMessage } from 'node:http';
import { McpError } from '../../errors.ts';
import {
  isResponse,
  type RequestId,
  type RpcMessage,
  type RpcRequest,
} from '../../types/message.ts';
import { endWithin, unknownOutcome } from './httpBody.ts';
import { type ExchangeRequest, givenUp, type HttpTransportOptions } from './httpExchange.ts';
import { type HttpSession, ofEveryPost } from './httpSession.ts';
import { readEvents, type StreamContext, StreamPosition } from './sseStream.ts';
import { StreamableHttpTransport } from './streamableHttp.ts';
import type { Batch, SendOptions } from '../transport.ts';

export class ModernHttpTransport extends StreamableHttpTransport {
  override readonly cancelsByClosing = true;

  /** @throws McpError `invalidConfig` for a URL that is not plain http(s), or a header that HTTP does not allow. */
  constructor(options: HttpTransportOptions) {
    super({ ...options, headers: withoutMirrors(options.headers) });
  }

  protected override toPost(
    session: HttpSession,
    body: string,
    { headers: ofMessage }: SendOptions,
    signal: AbortSignal | undefined,
  ): ExchangeRequest {
    // The probe for the era has a time limit of its own (era/modern.ts).
    const onWait = ofMessage?.['mcp-method'] === 'server/discover' ? undefined : this.onWait;
    const headers = { ...session.headers, ...ofMessage, ...ofEveryPost };
    return { method: 'POST', headers, body, signal, onWait };
  }

  /** Resolves when the reply has come; anything after it is ignored (HTTP-11). */
  protected override async readStream(
    { session, limits }: StreamContext,
    response: IncomingMessage,
    { id, method }: RpcRequest,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    let isAnswered = false;
    await new Promise<void>((resolve, reject) => {
      const onData = (data: string): void => {
        if (!isAnswered && this.receive(data, id, session)) {
          isAnswered = true;
          resolve();
        }
      };
      const onEnd = (error: Error | undefined): void => {
        const text =
          error === undefined
            ? t(
                'The server\'s answer to "{0}" ended before the reply; {1}',
                method,
                unknownOutcome(),
              )
            : t(
                'The server\'s answer to "{0}" broke off ({1}) before the reply; {2}',
                method,
                error.message,
                unknownOutcome(),
              );
        reject(
          signal?.aborted === true
            ? givenUp(error)
            : new McpError('closed', text, { cause: error }),
        );
      };
      readEvents(response, new StreamPosition(), limits, { onData, onEnd });
    });
    endWithin(response, limits.lingerMs);
  }

  protected override dispatch(
    message: RpcMessage,
    during: RequestId,
    batch: Batch | undefined,
  ): boolean {
    if (batch !== undefined) {
      this.note('warn', 'A message in an array, which this revision has not, was discarded');
      return false;
    }
    // An error without an id belongs to the exchange that carried it (BASE-10).
    const answers = isResponse(message) ? (message.id ?? during) : undefined;
    if (answers !== undefined && answers !== during) {
      const whose = `${JSON.stringify(answers)} on the stream of ${JSON.stringify(during)}`;
      this.note('warn', `A reply to ${whose} was discarded`);
      return false;
    }
    this.received.fire({ message, during });
    return answers !== undefined;
  }
}

/** A setting must not supply a mirror header that the message does not have. */
function withoutMirrors(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => !/^mcp-(?:method|name|param-.*)$/iu.test(name)),
  );
}
