import assert from 'node:assert/strict';
import { isRpcError } from '../../../src/mcp/errors.ts';
import type { Revision } from '../../../src/mcp/revisions.ts';
import { readCreateMessage } from '../../../src/mcp/samplingParams.ts';

type Params = Readonly<Record<string, unknown>>;

const newest = '2025-11-25';
const text = (words: string) => ({ type: 'text', text: words });
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const use = (id: string) => ({ type: 'tool_use', id, name: 'add', input: { a: 1 } });
const result = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [text('2')] });
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
const audio = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' };
const add = { name: 'add', inputSchema: { type: 'object' } };

const plain = { messages: [user(text('Hi'))], maxTokens: 10 };

function refusal(params: Params, revision: Revision = newest): string {
  try {
    readCreateMessage(params, revision);
  } catch (thrown) {
    assert.ok(isRpcError(thrown));
    assert.equal(thrown.rpcCode, -32602);
    return thrown.message;
  }
  return assert.fail(`was accepted: ${JSON.stringify(params)}`);
}

const ofMessages = (...messages: readonly unknown[]): Params => ({ messages, maxTokens: 10 });

describe('readCreateMessage', () => {
  it('SAMP-06: keeps what a request may say, and nothing that no revision knows', () => {
    const request = {
      ...plain,
      systemPrompt: 'Be brief',
      includeContext: 'thisServer',
      temperature: 0,
      stopSequences: ['END'],
      metadata: { a: 1 },
      modelPreferences: { hints: [{ name: 'sonnet' }], costPriority: 0.2 },
    };
    const read = readCreateMessage({ ...request, task: { ttl: 1 }, _meta: {} }, '2024-11-05');
    assert.deepEqual(read, request);
  });

  it('SAMP-06: messages and maxTokens are required', () => {
    assert.match(refusal({ messages: plain.messages }), /maxTokens/);
    assert.match(refusal({ maxTokens: 10 }), /messages/);
    assert.match(refusal({ maxTokens: 10, messages: [] }), /messages/);
    for (const maxTokens of [0, -1, '10', null, Number.NaN]) {
      assert.match(refusal({ ...plain, maxTokens }), /maxTokens/);
    }
    assert.equal(readCreateMessage({ ...plain, maxTokens: 10.7 }, newest).maxTokens, 10);
  });

  for (const [member, value] of [
    ['temperature', 'hot'],
    ['stopSequences', ['a', 1]],
    ['systemPrompt', 7],
    ['tools', [{ ...add, name: '' }]],
    [
      'messages',
      [
        user(text('a')),
        assistant(use('1')),
        user({ ...result('1'), content: [{ type: 'resource_link', uri: 'a:1' }] }),
      ],
    ],
  ] as const) {
    it(`SAMP-21: refuses a wrong ${member}`, () => {
      assert.match(refusal({ ...plain, [member]: value }), new RegExp(member));
    });
  }

  it('SAMP-12: takes the kinds of content of each revision', () => {
    const kinds: readonly (readonly [string, unknown, readonly Revision[]])[] = [
      ['text', text('a'), ['2024-11-05', '2025-03-26', '2025-06-18', newest]],
      ['image', image, ['2024-11-05', '2025-03-26', '2025-06-18', newest]],
      ['audio', audio, ['2025-03-26', '2025-06-18', newest]],
      ['list', [text('a'), image], [newest]],
      ['resource', { type: 'resource', resource: { uri: 'a:b', text: '' } }, []],
      ['unknown', { type: 'hologram' }, []],
      ['no type', {}, []],
      ['no object', 'text', []],
      ['empty list', [], []],
      ['text without text', { type: 'text' }, []],
      ['image that is none', { ...image, mimeType: 'text/html' }, []],
      ['image that is no base64', { ...image, data: '<svg>' }, []],
    ];
    for (const [name, content, allowed] of kinds) {
      for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', newest] as const) {
        const params = ofMessages(user(content));
        if (allowed.includes(revision)) {
          assert.deepEqual(readCreateMessage(params, revision).messages, [user(content)], name);
        } else {
          assert.match(refusal(params, revision), /messages\[0\]\.content/, `${name} ${revision}`);
        }
      }
    }
    assert.match(refusal(ofMessages({ role: 'system', content: text('a') })), /role/);
  });

  it('SAMP-12: tools and tool blocks are of 2025-11-25; earlier, the former mean nothing', () => {
    const tools = { tools: [add], toolChoice: { mode: 'required' } };
    assert.deepEqual(readCreateMessage({ ...plain, ...tools }, newest), { ...plain, ...tools });
    assert.deepEqual(readCreateMessage({ ...plain, ...tools }, '2025-06-18'), plain);
    refusal(ofMessages(user(text('a')), assistant(use('1')), user(result('1'))), '2025-06-18');
  });

  it('SAMP-15: a choice without a mode is auto; one that cannot be is refused', () => {
    const choice = (toolChoice: unknown, tools: unknown = [add]) => ({
      ...plain,
      tools,
      toolChoice,
    });
    assert.deepEqual(readCreateMessage(choice({}), newest).toolChoice, { mode: 'auto' });
    assert.match(refusal(choice({ mode: 'any' })), /toolChoice/);
    assert.match(refusal(choice('auto')), /toolChoice/);
    assert.match(refusal(choice({ mode: 'required' }, [])), /toolChoice/);
    assert.match(refusal({ ...plain, tools: [add, add] }), /same name/);
    assert.match(refusal({ ...plain, tools: [{ name: 'add' }] }), /inputSchema/);
  });

  it('SAMP-20: keeps _meta of tool uses and results', () => {
    const messages = [
      user(text('a')),
      assistant({ ...use('1'), _meta: { cache: 1 } }),
      user({ ...result('1'), _meta: { cache: 2 }, structuredContent: { n: 2 }, isError: true }),
    ];
    assert.deepEqual(readCreateMessage(ofMessages(...messages), newest).messages, messages);
  });

  it('SAMP-17, SAM-09: refuses tool results mixed with other content', () => {
    const mixed = [result('1'), text('and')];
    const params = ofMessages(user(text('a')), assistant(use('1')), user(mixed));
    assert.match(refusal(params), /messages\[2\] mixes tool results/);
  });

  it('SAMP-18, SAM-09: every tool use is followed at once by its result', () => {
    const ask = user(text('a'));
    const both = assistant([text('let me see'), use('1'), use('2')]);
    readCreateMessage(ofMessages(ask, both, user([result('2'), result('1')])), newest);
    for (const [messages, what] of [
      [[ask, both, user(result('1'))], /"2" has to be followed/],
      [[ask, both], /the end of the messages: the tool use "1"/],
      [
        [ask, both, user(text('later')), user([result('1'), result('2')])],
        /"1" has to be followed/,
      ],
      [[user(result('9'))], /"9" answers no tool use/],
      [[ask, assistant(use('1')), user([result('1'), result('1')])], /"1" answers no tool use/],
      [[ask, assistant([use('1'), use('1')])], /same id/],
      [[ask, user(use('1'))], /belongs to a message of the assistant/],
      [[ask, assistant(result('1'))], /belongs to a message of the user/],
    ] as const) {
      assert.match(refusal(ofMessages(...messages)), what);
    }
  });

  it('SAMP-09: preferences are advice: what makes no sense in them is left out', () => {
    const modelPreferences = {
      hints: [{ name: ' ' }, {}, 'gpt', { name: 'gpt' }],
      costPriority: 'high',
      speedPriority: 7,
    };
    assert.deepEqual(
      readCreateMessage({ ...plain, modelPreferences, includeContext: 'everything' }, newest),
      { ...plain, modelPreferences: { hints: [{ name: 'gpt' }], speedPriority: 1 } },
    );
  });
});
