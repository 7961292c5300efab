// A minimal Streamable HTTP server on a free port, which it prints: /json answers with JSON bodies,
// /sse with event streams, /ws with the frames of a WebSocket. /json/tools and /json/outputSchemas have
// their tools ready before they answer.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { prepareTools, progressOf, replyTo } from './answers.mjs';

// Ends with whoever started it.
process.stdin.resume().on('end', () => process.exit(0));

const sessionHeader = { 'mcp-session-id': '5f0c3a52-bench' };

/** Whether the tools of this address have output schemas. */
function prepare(url) {
  const hasOutput = url.endsWith('/outputSchemas');
  if (hasOutput || url.endsWith('/tools')) {
    prepareTools(hasOutput);
  }
  return hasOutput;
}

function answer(request, response, text) {
  const hasOutput = prepare(request.url);
  const reply = replyTo(text, hasOutput);
  if (reply === undefined) {
    response.writeHead(202).end();
    return;
  }
  const headers = text.includes('"initialize"') ? sessionHeader : {};
  if (request.url.startsWith('/json')) {
    const body = Buffer.from(reply);
    response.writeHead(200, {
      ...headers,
      'content-type': 'application/json',
      'content-length': body.length,
    });
    response.end(body);
    return;
  }
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
  response.end(
    [...progressOf(text), reply].map((data) => `event: message\ndata: ${data}\n\n`).join(''),
  );
}

const server = createServer((request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
    return;
  }
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => (text += chunk));
  request.on('end', () => answer(request, response, text));
});
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket, { url }) => {
  const hasOutput = prepare(url);
  socket.on('error', () => undefined);
  socket.on(
    'message',
    /** @param {Buffer} data */ (data) => {
      const text = data.toString();
      const reply = replyTo(text, hasOutput);
      if (reply !== undefined) {
        for (const message of [...progressOf(text), reply]) {
          socket.send(message);
        }
      }
    },
  );
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
