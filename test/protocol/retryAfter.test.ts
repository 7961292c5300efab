/** Servers that put a request off: 429 and 503 with `Retry-After`, in answer to calls. HTTP+SSE: sse.test.ts. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { isHttpError } from '../../src/mcp/errors.ts';
import { createPeer } from '../../src/mcp/rpc/rpcPeer.ts';
import type { Peer } from '../../src/mcp/rpc/peer.ts';
import { createModernHttpTransport } from '../../src/mcp/transport/http/modernHttp.ts';
import { createStreamableHttpTransport } from '../../src/mcp/transport/http/streamableHttp.ts';
import { waitUntil } from '../support/waitUntil.ts';

const never = new AbortController().signal;
const patient = { idleMs: 30_000, totalMs: 60_000 };

interface Answer {
  readonly status: number;
  readonly retryAfter?: string;
}

for (const [name, create] of [
  ['Streamable HTTP of the handshake', createStreamableHttpTransport],
  ['Streamable HTTP of 2026-07-28', createModernHttpTransport],
] as const) {
  describe(`a server that is busy: ${name}`, function () {
    this.timeout(60_000);
    let server: Server;
    let peer: Peer;
    const log: string[] = [];
    /** What is answered to the next requests; then a result. */
    let answers: Answer[];
    let asked: number[];

    beforeEach(async () => {
      answers = [];
      asked = [];
      log.length = 0;
      server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          asked.push(performance.now());
          const answer = answers.shift();
          if (answer !== undefined) {
            const { status, retryAfter } = answer;
            response.writeHead(
              status,
              retryAfter === undefined ? {} : { 'retry-after': retryAfter },
            );
            response.end('busy');
            return;
          }
          const { id }: { id?: number } = JSON.parse(Buffer.concat(chunks).toString());
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { done: true } }));
        });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      assert.ok(typeof address === 'object' && address !== null);
      const url = new URL(`http://127.0.0.1:${address.port}/mcp`);
      const transport = create({ url, headers: {} });
      peer = createPeer(transport);
      peer.onDidDiagnose(({ text }) => log.push(text));
      await transport.start(never);
    });

    afterEach(async () => {
      await peer.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });

    const call = (signal = never): Promise<unknown> =>
      peer.request('tools/call', { name: 'x' }, { ...patient, signal });

    it('is asked again after the time that it named, twice at most, and not sooner', async () => {
      answers = [
        { status: 429, retryAfter: '1' },
        { status: 503, retryAfter: '1' },
      ];
      assert.deepEqual(await call(), { done: true });
      const [first = 0, second = 0, third = 0] = asked;
      assert.ok(second - first >= 990 && third - second >= 990, String(asked));
      assert.match(log.join(), /busy: it asks us to wait 1 s/);
    });

    it('is asked again at the date that it named', async () => {
      const date = new Date(Date.now() + 3_000).toUTCString();
      answers = [{ status: 503, retryAfter: date }];
      assert.deepEqual(await call(), { done: true });
      const [first = 0, second = 0] = asked;
      assert.ok(second - first >= 990, String(asked));
    });

    it('that stays busy fails the call, with the time in words, and no other call', async () => {
      answers = Array.from({ length: 3 }, () => ({ status: 429, retryAfter: '1' }));
      await assert.rejects(call(), (error: unknown) => {
        assert.ok(isHttpError(error));
        assert.equal(error.status, 429);
        assert.match(error.message, /HTTP 429.*tried again in 1 s/);
        return true;
      });
      assert.equal(asked.length, 3);
      assert.deepEqual(await call(), { done: true });
    });

    it('without a time, or with one that is too long for anybody to wait, fails the call at once', async () => {
      answers = [{ status: 503 }, { status: 429, retryAfter: '3600' }];
      await assert.rejects(call(), { status: 503 });
      await assert.rejects(call(), { status: 429, message: /tried again in 3600 s/ });
      assert.equal(asked.length, 2);
    });

    it('is not asked again by a call that was given up, or after the end', async () => {
      // A cancellation that is sent is put off, too.
      answers = Array.from({ length: 3 }, () => ({ status: 429, retryAfter: '20' }));
      const giveUp = new AbortController();
      const given = assert.rejects(call(giveUp.signal), { code: 'cancelled' });
      await waitUntil('the first wait', () => log.length > 0, 20_000);
      giveUp.abort();
      await given;
      const closed = assert.rejects(call(), { code: 'closed' });
      await waitUntil(
        'the second wait',
        () => log.filter((text) => /busy/.test(text)).length > 1,
        20_000,
      );
      await peer.close();
      await closed;
    });
  });
}
