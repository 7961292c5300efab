/** Framing, server-sent events and JSON-RPC: whatever bytes come, in whatever pieces. */
import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import * as fc from 'fast-check';
import { settlesWithin } from '../../src/base/async.ts';
import { envelopeProblem, type RpcMessage } from '../../src/mcp/types/message.ts';
import { Peer } from '../../src/mcp/rpc/rpcPeer.ts';
import { readMessages } from '../../src/mcp/transport/messageText.ts';
import { readEvents, StreamPosition } from '../../src/mcp/transport/http/sseStream.ts';
import { MessageLines, StderrLines } from '../../src/mcp/transport/stdio/outputLines.ts';
import { FakeTransport } from '../support/fakeTransport.ts';
import { bytesOf, cutAt, cuts, message, text } from './arbitraries.ts';
import type { Fuzz } from './fuzz.ts';

const line = fc.oneof(
  message.map((one) => `${JSON.stringify(one)}\n`),
  fc.array(message, { maxLength: 3 }).map((many) => `${JSON.stringify(many)}\r\n`),
  message.map((one) => JSON.stringify(one, undefined, 1) ?? ''),
  text.map((junk) => `${junk}\n`),
  fc.constantFrom('\n', '\r\n', '\uFEFF', '{"jsonrpc":"2.0"', '}', '[[[[', '\u2028', '[]\n'),
);

function decoded(pieces: readonly Buffer[], maxMessageBytes = 1_000_000): readonly unknown[] {
  const seen: unknown[] = [];
  const decoder = new MessageLines(
    {
      message: (one) => {
        assert.equal(envelopeProblem(one), undefined);
        seen.push(one);
      },
      problem: (problem) => seen.push(problem),
    },
    { maxMessageBytes },
  );
  pieces.forEach((piece) => decoder.push(Buffer.from(piece)));
  decoder.end();
  return seen;
}

/** What whoever waits for a reply over the limit gets instead. */
function isStandIn(one: unknown): boolean {
  return JSON.stringify(one).includes('"message":"The answer is larger than 100 bytes"');
}

/** What comes out of lines does not depend on how the bytes came in. */
const framing: Fuzz = {
  name: 'framing',
  share: 8,
  property: fc.property(bytesOf(line), cuts, (bytes, places) => {
    const whole = decoded([bytes]);
    assert.equal(JSON.stringify(decoded(cutAt(bytes, places))), JSON.stringify(whole));
    // What is quoted of a line over the limit does depend on that, and a reply may stand for it besides.
    const limited = decoded(cutAt(bytes, places), 100);
    assert.ok(limited.filter((one) => !isStandIn(one)).length <= whole.length);
    const lines: string[] = [];
    const stderr = new StderrLines((one) => lines.push(one));
    cutAt(bytes, places).forEach((piece) => stderr.push(piece));
    stderr.end();
    assert.ok(lines.every((one) => !/[\r\n]/u.test(one)));
    return true;
  }),
};

const field = fc.tuple(
  fc.constantFrom('data', 'id', 'event', 'retry', '', 'unknown', 'data '),
  fc.constantFrom(': ', ':', '', ' :'),
  fc.oneof(
    text,
    message.map((one) => JSON.stringify(one) ?? ''),
    fc.constantFrom('0', '1e9', 'message', '-1'),
  ),
  fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\n\n', ''),
);

async function eventsOf(pieces: readonly Buffer[]): Promise<readonly unknown[]> {
  const response = new IncomingMessage(new Socket());
  const position = new StreamPosition();
  const seen: unknown[] = [];
  const over = new Promise<void>((resolve) => {
    readEvents(
      response,
      position,
      { maxMessageBytes: 1e6 },
      {
        onData: (data) => seen.push(data),
        onEnd: () => resolve(),
        onOther: (event) => seen.push(event),
      },
    );
  });
  pieces.forEach((piece) => response.push(piece));
  response.push(null);
  assert.ok(await settlesWithin(over, 10_000), 'the stream did not end');
  return [...seen, position.lastEventId, position.retryMs, position.events];
}

/** What comes out of an event stream does not depend on how the bytes came in. */
const sse: Fuzz = {
  name: 'sse',
  share: 15,
  property: fc.asyncProperty(
    bytesOf(fc.array(field, { maxLength: 4 }).map((all) => all.flat().join(''))),
    cuts,
    async (bytes, places) => {
      const whole = await eventsOf([bytes]);
      const cut = cutAt(bytes, places).filter((piece) => piece.length > 0);
      const pieces = await eventsOf(cut);
      assert.deepEqual(pieces, whole);
      const [, retryMs] = whole.slice(-3);
      assert.ok(retryMs === undefined || Number.isInteger(retryMs));
      return true;
    },
  ),
};

/** A peer survives any messages, answers requests once, and leaves nobody waiting. */
const jsonRpc: Fuzz = {
  name: 'jsonRpc',
  share: 18,
  property: fc.asyncProperty(
    fc.array(fc.oneof(message, fc.array(message, { maxLength: 3 })), { maxLength: 8 }),
    async (all) => {
      const transport = new FakeTransport();
      const peer = new Peer(transport);
      peer.acceptRequests(new Map([['ask', async (params) => params]]));
      const patient = { idleMs: 60_000, totalMs: 60_000, onProgress: () => undefined };
      const calls = [1, 2, 3].map((n) =>
        peer.request(`call ${n}`, {}, patient).then(
          () => 'settled',
          () => 'settled',
        ),
      );
      const asked: RpcMessage[] = [];
      for (const one of all) {
        readMessages(JSON.stringify(one), {
          message: (received) => {
            if ('method' in received && 'id' in received) {
              asked.push(received);
            }
            transport.emit(received);
          },
          problem: (problem) => assert.ok(problem.length < 1_000),
        });
      }
      await Promise.resolve();
      await peer.close();
      assert.equal((await Promise.all(calls)).length, 3);
      assert.ok(transport.replies.length <= asked.length);
      return true;
    },
  ),
};

export const channels: readonly Fuzz[] = [framing, sse, jsonRpc];
