/** What an HTTP server says that has lost its way, byte by byte: no library would write it. */
import type { Socket } from 'node:net';
import { after } from '../../src/base/async.ts';

const endlessEveryMs = 20;

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
  ['notTls', notHttp],
]);

/** How it begins, and what follows again and again. */
const endless: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['endlessHeaders', [ok, `X-Filler: ${'x'.repeat(1_000)}\r\n`]],
  ['endlessBody', [`${ok}Content-Type: application/json\r\n\r\n[`, ' '.repeat(10_000)]],
  [
    'endlessEvents',
    [`${ok}Content-Type: text/event-stream\r\n\r\n`, ': still here\n\ndata: x\n\n'],
  ],
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

function goOn(client: Socket, start: string, more: string): void {
  client.removeAllListeners('data');
  client.resume();
  client.write(start);
  const step = (): void => {
    if (client.writable) {
      client.write(more);
      after(endlessEveryMs, step);
    }
  };
  step();
}
