/** JSON that is valid and meant to do harm: what is delivered of it. */
import assert from 'node:assert/strict';
import { isObject } from '../../../../src/base/json.ts';
import type { MemoryAccount } from '../../../../src/base/memory.ts';
import { ServerMemory } from '../../../../src/host/servers/serverMemory.ts';
import { checkItem } from '../../../../src/mcp/listItems.ts';
import type { RpcMessage } from '../../../../src/mcp/types/message.ts';
import { maxJsonDepth, maxJsonParts, objectionTo } from '../../../../src/mcp/transport/jsonText.ts';
import { readMessages } from '../../../../src/mcp/transport/messageText.ts';

interface Received {
  readonly messages: readonly RpcMessage[];
  readonly problems: readonly string[];
}

function read(text: string, memory?: MemoryAccount): Received {
  const messages: RpcMessage[] = [];
  const problems: string[] = [];
  readMessages(text, {
    message: (message) => messages.push(message),
    problem: (problem) => problems.push(problem),
    memory,
  });
  return { messages, problems };
}

const isTooDeep = (text: string): boolean => objectionTo(text) !== undefined;
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('hostile JSON', () => {
  it('a reply that is nested too deep fails its request at once, and only that', () => {
    const { messages, problems } = read(
      `{"jsonrpc":"2.0","id":7,"result":{"a":${nested(200_000)}}}`,
    );
    const [message] = messages;
    assert.ok(message !== undefined && 'error' in message);
    assert.equal(message.id, 7);
    assert.match(message.error.message, /nested deeper than 1000 levels/);
    assert.equal(problems.length, 1);
  });

  it('a request or a notification that is nested too deep is skipped, with a line in the log', () => {
    for (const id of ['', '"id":1,']) {
      const text = `{"jsonrpc":"2.0",${id}"method":"m","params":{"a":${nested(5_000)}}}`;
      const { messages, problems } = read(text);
      assert.deepEqual(messages, []);
      assert.match(problems.join(), /Skipped a message .* nested deeper/);
    }
  });

  for (const [what, many] of [
    ['objects', '{},'.repeat(maxJsonParts / 2)],
    ['names', '"a":0,'.repeat(maxJsonParts / 2)],
    ['texts', '"a",'.repeat(maxJsonParts / 2)],
    ['numbers', '1,'.repeat(maxJsonParts)],
  ] as const) {
    it(`a reply of too many ${what} fails its request before it is parsed, and only that`, () => {
      const list = what === 'names' ? `{${many}"z":0}` : `[${many}0]`;
      const { messages, problems } = read(`{"jsonrpc":"2.0","id":7,"result":{"a":${list}}}`);
      const [message] = messages;
      assert.ok(message !== undefined && 'error' in message);
      assert.equal(message.id, 7);
      assert.match(message.error.message, /answer holds more than 2 million values/u);
      assert.match(problems.join(), /^Skipped a message .* holds more than 2 million values/u);
    });
  }

  it('as many different names as are taken are read in a few seconds of a busy processor', () => {
    const names = Array.from({ length: maxJsonParts / 2 - 10 }, (_, n) => `"${n.toString(36)}":0`);
    const text = `{"jsonrpc":"2.0","id":7,"result":{${names.join(',')}}}`;
    const before = process.cpuUsage();
    const { messages } = read(text);
    const { user, system } = process.cpuUsage(before);
    const [message] = messages;
    assert.ok(message !== undefined && 'result' in message);
    assert.ok(user + system < 4_000_000, `${(user + system) / 1_000} ms`);
  });

  it('a reply that there is no memory for fails its request before it is parsed', () => {
    const account = new ServerMemory().open(1e6);
    const text = '{"a":0},'.repeat(10_000);
    const reply = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":{"a":[${text}0]}}`;
    const [message] = read(reply(7), account).messages;
    assert.ok(message !== undefined && 'error' in message);
    assert.equal(message.id, 7);
    assert.match(message.error.message, /^The answer would take more memory than the/u);
    const [other] = read('{"jsonrpc":"2.0","id":8,"result":{}}', account).messages;
    assert.ok(other !== undefined && 'result' in other);
    assert.equal(account.used, 0);
  });

  it('a text of as many brackets and commas is one value', () => {
    const text = '{"a":["b",1]},'.repeat(maxJsonParts / 4);
    const { messages } = read(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text } }));
    assert.deepEqual(messages, [{ jsonrpc: '2.0', id: 1, result: { text } }]);
  });

  it('members with the names of prototypes are members, and change nothing else', () => {
    const { messages } = read(
      '{"jsonrpc":"2.0","id":1,"result":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    );
    const [message] = messages;
    assert.ok(message !== undefined && 'result' in message);
    const { result } = message;
    assert.ok(isObject(result));
    assert.deepEqual(Object.keys(result), ['__proto__', 'constructor']);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
    assert.equal(result['polluted'], undefined);
  });

  it('of a member that is there twice, the last one counts', () => {
    const { messages } = read('{"jsonrpc":"2.0","id":1,"method":"a","method":"b","id":2}');
    assert.deepEqual(messages, [{ jsonrpc: '2.0', id: 2, method: 'b' }]);
  });

  it('half a pair of surrogates and numbers beyond all bounds are taken as they are', () => {
    const { messages } = read(
      '{"jsonrpc":"2.0","id":1,"result":{"s":"\\ud800","n":1e999,"m":-1e999,"d":123456789012345678901234567890}}',
    );
    assert.deepEqual(messages, [
      {
        jsonrpc: '2.0',
        id: 1,
        result: { s: '\uD800', n: Infinity, m: -Infinity, d: 1.2345678901234568e29 },
      },
    ]);
  });

  it('an item of a list with the names of prototypes stays an item', () => {
    const tool: unknown = JSON.parse(
      '{"name":"__proto__","title":5,"inputSchema":{},"__proto__":{"description":"from nowhere"}}',
    );
    const checked = checkItem('tools', tool);
    assert.ok(checked.kind === 'item');
    assert.equal(checked.item.name, '__proto__');
    assert.equal(checked.item.description, undefined);
  });

  describe('the depth of a text', () => {
    it('counts brackets outside of strings', () => {
      assert.equal(isTooDeep(nested(maxJsonDepth)), false);
      assert.equal(isTooDeep(nested(maxJsonDepth + 1)), true);
      assert.equal(isTooDeep(`["${'['.repeat(5_000)}"]`), false);
      assert.equal(isTooDeep(`["\\"${'['.repeat(5_000)}\\\\\\""]`), false);
      assert.equal(isTooDeep(`["\\\\",${nested(5_000)}]`), true);
      assert.equal(isTooDeep(`{"a":"\\\\\\"","b":${nested(5_000)}}`), true);
      assert.equal(isTooDeep(`[${'{},'.repeat(5_000)}0]`), false);
    });

    it('is that of its deepest place, whatever stands before and after it', () => {
      for (const flat of ['{},', '[],', '"]}[{",', '{"a":[]},', '0,']) {
        const many = flat.repeat(5_000);
        for (const [inner, isDeeper] of [
          [nested(maxJsonDepth - 1), false],
          [nested(maxJsonDepth), true],
        ] as const) {
          assert.equal(isTooDeep(`[${many}${inner}]`), isDeeper, `${flat} before`);
          assert.equal(isTooDeep(`[${inner},${many}0]`), isDeeper, `${flat} after`);
          assert.equal(isTooDeep(`[${many}${inner},${many}0]`), isDeeper, `${flat} around`);
        }
      }
    });

    it('says something of any text, in time that grows with it', () => {
      assert.equal(isTooDeep(`"${'\\"'.repeat(500_000)}`), false);
      assert.equal(isTooDeep(`"${'\\'.repeat(1_000_000)}"[`), false);
      assert.equal(isTooDeep(']'.repeat(1_000_000)), false);
    });
  });
});
