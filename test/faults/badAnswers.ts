/** What an HTTP server says that has lost its way, byte by byte: no library would write it. */
import type { Socket } from 'node:net';

const ok = 'HTTP/1.1 200 OK\r\n';
const notHttp = '\u0016\u0003\u0001 SSH-2.0-OpenSSH_9.9\r\n\r\n';

/** Said once, then the connection is closed. */
const whole: ReadonlyMap<string, string> = new Map([
  ['empty', `${ok}${plain('', 'application/json')}`],
  ['html', `${ok}${plain('<html>Sign in to the Wi-Fi</html>', 'text/html')}`],
  ['wrongType', `${ok}${plain('{"jsonrpc":"2.0"}', 'image/png')}`],
  ['noType', `${ok}Content-Length: 2\r\n\r\n{}`],
  ['notJson', `${ok}${plain('{"jsonrpc":', 'application/json')}`],
  ['lyingLength', `${ok}Content-Type: application/json\r\nContent-Length: 9999\r\n\r\n{`],
  ['notHttp', notHttp],
  ['anotherProtocol', 'HTTP/1.1 101 Bad\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n'],
]);

const json = `${ok}Content-Type: application/json\r\n\r\n`;
const events = `${ok}Content-Type: text/event-stream\r\n\r\n`;
const notice =
  'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}\n\n';
const ping = 'data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n';
/** A text of 2^40 bytes (RFC 6455, 5.2). */
const hugeFrame = Buffer.of(0x81, 0x7f, 0, 0, 1, 0, 0, 0, 0, 0);

/** How it begins, and what follows again and again. */
const endless: ReadonlyMap<string, readonly [string | Buffer, string]> = new Map([
  ['endlessHeaders', [ok, `X-Filler: ${'x'.repeat(1_000)}\r\n`]],
  ['endlessBody', [`${json}[`, ' '.repeat(100_000)]],
  ['endlessEvents', [events, ': still here\n\ndata: x\n\n'.repeat(100)]],
  ['endlessEvent', [`${events}data: `, 'x'.repeat(100_000)]],
  ['endlessNotices', [events, notice.repeat(100)]],
  ['endlessPings', [events, ping.repeat(100)]],
  ['hugeFrame', [hugeFrame, 'x'.repeat(100_000)]],
]);

/** Answers whatever was asked with the fault, and closes unless the fault is that it does not. */
export function badAnswer(fault: string, client: Socket): void {
  const [, status] = /^status (\d+)$/u.exec(fault) ?? [];
  const text = status === undefined ? whole.get(fault) : refusal(status);
  const flow = endless.get(fault);
  if (flow !== undefined) {
    goOn(client, ...flow);
  } else if (text === undefined) {
    client.destroy();
  } else if (client.writable) {
    client.end(text);
  }
}

function refusal(status: string): string {
  const location = status.startsWith('3') ? 'Location: http://127.0.0.1:1/elsewhere\r\n' : '';
  const again = status === '429' || status === '503' ? 'Retry-After: 1\r\n' : '';
  return `HTTP/1.1 ${status} Bad\r\n${location}${again}${plain(status === '204' ? '' : 'no reason')}`;
}

function plain(body: string, type = 'text/plain'): string {
  return `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
}

/** As fast as the client takes it. */
function goOn(client: Socket, start: string | Buffer, more: string): void {
  client.removeAllListeners('data');
  client.resume();
  client.write(start);
  const step = (): void => {
    while (client.writable && client.write(more)) {
      // until it has to wait
    }
  };
  client.on('drain', step);
  step();
}
