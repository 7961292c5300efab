import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ServerMemory } from '../../../../../src/host/servers/serverMemory.ts';
import type { RpcMessage } from '../../../../../src/mcp/types/message.ts';
import { defaultStdioLimits } from '../../../../../src/mcp/transport/limits.ts';
import { MessageLines, StderrLines } from '../../../../../src/mcp/transport/stdio/outputLines.ts';

interface Outcome {
  readonly messages: readonly unknown[];
  readonly problems: readonly string[];
}

function decode(
  chunks: readonly (string | Uint8Array)[],
  maxMessageBytes = defaultStdioLimits.maxMessageBytes,
): Outcome {
  const messages: unknown[] = [];
  const problems: string[] = [];
  const decoder = new MessageLines(
    { message: (message) => messages.push(message), problem: (text) => problems.push(text) },
    { maxMessageBytes },
  );
  for (const chunk of chunks) {
    decoder.push(Buffer.from(chunk));
  }
  decoder.end();
  return { messages, problems };
}

const note = (n: unknown) => ({ jsonrpc: '2.0', method: 'n', params: { n } });
const line = (n: unknown): string => `${JSON.stringify(note(n))}\n`;

describe('messages on standard output', () => {
  it('skips a line that there is no memory for, tells whose reply it was, and goes on', () => {
    const memory = new ServerMemory().open(1e6);
    const messages: RpcMessage[] = [];
    const problems: string[] = [];
    const decoder = new MessageLines(
      { message: (message) => messages.push(message), problem: (text) => problems.push(text) },
      { ...defaultStdioLimits, memory },
    );
    const held: number[] = [];
    for (const piece of [
      '{"jsonrpc":"2.0","id":7,"result":"',
      ...Array(20).fill('x'.repeat(1e5)),
    ]) {
      decoder.push(Buffer.from(piece));
      held.push(memory.used);
    }
    assert.ok(Math.max(...held) > 8e5);
    assert.equal(memory.used, 0);
    decoder.push(Buffer.from(`"}\n${line(1)}`));
    const [reply, next] = messages;
    assert.match(JSON.stringify(reply), /"id":7,"error":.*The answer would take more memory than/u);
    assert.deepEqual(next, note(1));
    assert.match(problems.join(), /that would take more memory than .* It begins: /u);
  });

  it('STDIO-03: delivers one message a line, in order', () => {
    const { messages, problems } = decode([line(1) + line(2), line(3)]);
    assert.deepEqual(messages, [note(1), note(2), note(3)]);
    assert.deepEqual(problems, []);
  });

  it('STDIO-03: gives the same messages wherever the bytes are cut', () => {
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.jsonValue());
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.constantFrom('\n', '\r\n', '\n\n'),
        (values, cuts, end) => {
          const bytes = Buffer.from(values.map((n) => JSON.stringify(note(n)) + end).join(''));
          const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
          places.sort((a, b) => a - b);
          const chunks = places.slice(1).map((to, index) => bytes.subarray(places[index], to));
          assert.deepEqual(decode(chunks), {
            messages: values.map((n) => JSON.parse(JSON.stringify(note(n)))),
            problems: [],
          });
        },
      ),
    );
  });

  it('STDIO-03: joins a character whose bytes come in different chunks', () => {
    const bytes = Buffer.from(line('größer 😀 ok'));
    const chunks = Array.from(bytes, (byte) => Uint8Array.of(byte));
    assert.deepEqual(decode(chunks).messages, [note('größer 😀 ok')]);
  });

  it('STDIO-05: a line of nothing but byte order marks is junk like any other', () => {
    const { messages, problems } = decode([`${'\uFEFF'.repeat(100_000)}x\n${line(1)}`]);
    assert.deepEqual(messages, [note(1)]);
    assert.equal(problems.length, 1);
  });

  it('takes CRLF, empty lines and a byte order mark', () => {
    const text = `\uFEFF${line(1).trim()}\r\n\r\n\n   \n${line(2)}`;
    assert.deepEqual(decode([text]), { messages: [note(1), note(2)], problems: [] });
  });

  it('takes a last line without a newline', () => {
    assert.deepEqual(decode([line(1), line(2).trim()]).messages, [note(1), note(2)]);
  });

  it('STDIO-05: reports and skips what is not JSON, with its first 200 characters', () => {
    const junk = `Server listening ${'x'.repeat(500)}`;
    const { messages, problems } = decode([`${line(1)}${junk}\n{\n  a: 1\n}\n${line(2)}`]);
    assert.deepEqual(messages, [note(1), note(2)]);
    assert.equal(problems.length, 4);
    assert.ok(problems[0]?.includes(`: ${junk.slice(0, 199)}…`));
    assert.ok(!problems[0]?.includes(junk.slice(0, 201)));
  });

  it('STDIO-05: hands the beginning of a skipped line on as it came', () => {
    const lines: (string | undefined)[] = [];
    const decoder = new MessageLines(
      { message: () => undefined, problem: (_text, skipped) => lines.push(skipped) },
      { maxMessageBytes: 5_000 },
    );
    decoder.push(Buffer.from(`Listening on 3000\r\n42\n${'x'.repeat(6_000)}`));
    decoder.push(Buffer.from('\n[7]\n'));
    assert.deepEqual(lines, ['Listening on 3000', '42', `${'x'.repeat(1_023)}…`, undefined]);
  });

  it('STDIO-05: reports and skips JSON that is not a JSON-RPC message', () => {
    const bad = ['{"jsonrpc":"1.0","method":"x"}', '42', 'null', '{"jsonrpc":"2.0","result":null}'];
    const { messages, problems } = decode([`${bad.join('\n')}\n${line(1)}`]);
    assert.deepEqual(messages, [note(1)]);
    assert.equal(problems.length, bad.length);
    assert.ok(problems[0]?.includes('member "jsonrpc" is not "2.0"'));
  });

  it('takes our own ids as text, too, and leaves those of the server as they are', () => {
    const [reply, request] = [
      { jsonrpc: '2.0', result: {} },
      { jsonrpc: '2.0', method: 'ping' },
    ];
    const texts = [
      { ...reply, id: '7' },
      [{ ...reply, id: '8' }],
      { ...reply, id: '07' },
      { ...request, id: '9' },
    ];
    const { messages } = decode([texts.map((one) => `${JSON.stringify(one)}\n`).join('')]);
    assert.deepEqual(messages, [
      { ...reply, id: 7 },
      { ...reply, id: 8 },
      { ...reply, id: '07' },
      { ...request, id: '9' },
    ]);
  });

  it('BASE-08: delivers each member of a batch, and reports those that are none', () => {
    const { messages, problems } = decode([
      `${JSON.stringify([note(1), 7, note(2)])}\n[]\n${line(3)}`,
    ]);
    assert.deepEqual(messages, [note(1), note(2), note(3)]);
    assert.equal(problems.length, 2);
  });

  it('BASE-09: counts the requests of a batch, which are to be answered, alone', () => {
    const counts: unknown[] = [];
    const reader = new MessageLines(
      { message: (_message, batch) => counts.push(batch?.requests), problem: assert.fail },
      defaultStdioLimits,
    );
    const request = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const reply = { jsonrpc: '2.0', id: 2, result: {} };
    reader.push(Buffer.from(`${JSON.stringify([note(1), request, reply])}\n`));
    assert.deepEqual(counts, [1, 1, 1]);
  });

  it('skips a line over the limit and keeps what is around it', () => {
    const long = line('y'.repeat(400)); // over 400 bytes
    const pieces = [line(1) + long.slice(0, 50), long.slice(50, 300), long.slice(300) + line(2)];
    const { messages, problems } = decode(pieces, 200);
    assert.deepEqual(messages, [note(1), note(2)]);
    assert.equal(problems.length, 1);
    assert.ok(problems[0]?.includes('{"jsonrpc":"2.0","method":"n"'), problems[0]);
  });

  it('tells whoever waits for a line over the limit, however it comes', () => {
    const reply = { jsonrpc: '2.0', id: 5, result: { text: 'x'.repeat(5_000) } };
    const swapped = { result: reply.result, jsonrpc: '2.0', id: 5 };
    for (const message of [reply, swapped]) {
      const long = `${JSON.stringify(message)}\n`;
      const pieces = Array.from(Buffer.from(long), (byte) => Uint8Array.of(byte));
      for (const chunks of [
        [long.slice(0, 150), long.slice(150), line(2)],
        [...pieces, line(2)],
      ]) {
        const { messages, problems } = decode(chunks, 200);
        const error = { code: -32603, message: 'The answer is larger than 200 bytes' };
        assert.deepEqual(messages, [{ jsonrpc: '2.0', id: 5, error }, note(2)]);
        assert.equal(problems.length, 1);
      }
    }
  });

  it('STDIO-05: reports a line over the limit, and fails its request, before the line ends', () => {
    const got: unknown[] = [];
    const listener = {
      message: (m: unknown) => got.push(m),
      problem: (text: string) => got.push(text),
    };
    const lines = new MessageLines(listener, { maxMessageBytes: 200 });
    lines.push(Buffer.from(`{"jsonrpc":"2.0","id":5,"result":"${'x'.repeat(400)}`));
    const error = { code: -32603, message: 'The answer is larger than 200 bytes' };
    assert.match(
      String(got[0]),
      /^Skipped a line on standard output that is larger than 200 bytes/u,
    );
    assert.deepEqual(got.slice(1), [{ jsonrpc: '2.0', id: 5, error }]);
  });

  it('does not keep the bytes of a line that is over the limit', () => {
    const chunk = Buffer.alloc(1024 * 1024, 0x61);
    const problems: string[] = [];
    const decoder = new MessageLines(
      {
        message: () => assert.fail('there is no message'),
        problem: (text) => problems.push(text),
      },
      { maxMessageBytes: 4 * 1024 * 1024 },
    );
    for (let count = 0; count < 4096; count += 1) {
      decoder.push(chunk); // 4 GiB in all: more than a Buffer.concat or a string could hold
    }
    decoder.push(Buffer.from('\n'));
    assert.deepEqual(problems.length, 1);
  });
});

function linesOf(...chunks: readonly (string | Uint8Array)[]): readonly string[] {
  const lines: string[] = [];
  const splitter = new StderrLines((one) => lines.push(one));
  for (const chunk of chunks) {
    splitter.push(Buffer.from(chunk));
  }
  splitter.end();
  return lines;
}

describe('StderrLines', () => {
  it('STDIO-06: splits lines wherever the bytes are cut', () => {
    assert.deepEqual(linesOf('one\r', '\ntw', 'o\n\nthree'), ['one', 'two', 'three']);
    const bytes = Buffer.from('größe\nende\n');
    assert.deepEqual(linesOf(...Array.from(bytes, (byte) => Uint8Array.of(byte))), [
      'größe',
      'ende',
    ]);
  });

  it('takes terminal colours away and reads a progress bar as lines', () => {
    assert.deepEqual(linesOf('\u001B[31mred\u001B[0m\n', '10%\r20%\r'), ['red', '10%', '20%']);
  });

  it('cuts a line that is too long and goes on after it', () => {
    const [first, second, ...others] = linesOf('z'.repeat(9_000), `${'z'.repeat(9_000)}\nnext\n`);
    assert.equal(first, `${'z'.repeat(8_192)}…`);
    assert.equal(second, 'next');
    assert.deepEqual(others, []);
  });
});
