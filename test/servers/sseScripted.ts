/** A scripted server of HTTP+SSE, as it was before Streamable HTTP. */
import { type Exchange, type Handler, HttpScripted } from './httpScripted.ts';

/** The event that an event stream of HTTP+SSE begins with. */
export const endpoint = 'event: endpoint\ndata: /messages?session=1\n\n';

/** An old server: its one URL refuses POST with `status`. */
export function oldServer(refuse: Handler): HttpScripted {
  let stream: Exchange;
  return new HttpScripted((exchange) => {
    const { verb, path, message } = exchange.received;
    if (verb === 'GET') {
      stream = exchange.stream().write(endpoint);
    } else if (path === '/sse') {
      refuse(exchange);
    } else {
      exchange.answer(202);
      if (message.method === 'initialize') {
        const protocolVersion = '2024-11-05';
        const serverInfo = { name: 'old', version: '1' };
        stream.event(exchange.resultOf({ protocolVersion, capabilities: {}, serverInfo }));
      }
    }
  });
}
