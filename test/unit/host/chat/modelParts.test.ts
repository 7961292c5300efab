import assert from 'node:assert/strict';
import {
  type FedResult,
  fromPrompt,
  isFor,
  keptBlocks,
  linkedUris,
  priorityOf,
  promptForModel,
  resourcesForModel,
  toModelParts,
} from '../../../../src/host/chat/modelParts.ts';
import type { ModelPart } from '../../../../src/host/models/model.ts';
import type { Annotations, ContentBlock } from '../../../../src/mcp/types/content.ts';
import type { Tool } from '../../../../src/mcp/types/lists.ts';
import type { CallToolResult, PromptMessage } from '../../../../src/mcp/types/methods.ts';

const limits = { maxChars: 1_000, maxImageBytes: 100, maxImages: 2 };

const plainTool: Tool = { name: 'plain', inputSchema: { type: 'object' } };

function feed(
  result: CallToolResult,
  outputProblems: readonly string[] = [],
  tool = plainTool,
): FedResult {
  return toModelParts(tool, { kind: 'result', result, outputProblems, unchecked: [] }, limits);
}

function words({ parts }: { readonly parts: readonly ModelPart[] }): readonly string[] {
  return parts.map((part) => (part.kind === 'text' ? part.text : `<${part.kind}>`));
}

function text(said: string, annotations: Annotations = {}): ContentBlock {
  return { type: 'text', text: said, annotations };
}

function image(bytes: number, mimeType = 'image/png'): ContentBlock {
  return { type: 'image', data: Buffer.alloc(bytes).toString('base64'), mimeType };
}

function resource(uri: string, said: string, annotations: Annotations = {}) {
  const contents = [{ kind: 'text', uri, text: said } as const];
  return { server: 'files', uri, annotations, contents };
}

describe('toModelParts', () => {
  it('TOOL-08: every kind of content reaches the model as far as it can take it', () => {
    const fed = words(
      feed({
        content: [
          text('hello'),
          image(10),
          { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
          { type: 'resource_link', uri: 'a://1', name: 'one', size: 5 },
          { type: 'resource', resource: { uri: 'a://2', text: 'two' } },
          { type: 'resource', resource: { uri: 'a://3', blob: 'AAAA', mimeType: 'image/png' } },
          {
            type: 'resource',
            resource: { uri: 'a://4', blob: 'AAAA', mimeType: 'application/zip' },
          },
        ],
      }),
    );
    assert.deepEqual(fed, [
      'hello',
      '<data>',
      '[A sound of type audio/wav, 3 bytes, which only the user can open]',
      'Resource link a://1 (one, 5 bytes)',
      'Resource a://2:\ntwo',
      '<data>',
      '[the resource a://4 of type application/zip, 3 bytes, which only the user can open]',
    ]);
  });

  it('TOOL-09: what is for the user alone does not reach the model, and the other way round', () => {
    const result: CallToolResult = {
      content: [
        text('both'),
        text('user', { audience: ['user'] }),
        text('model', { audience: ['assistant'] }),
        text('all', { audience: ['user', 'assistant'] }),
        { ...image(1), annotations: { audience: ['user'] } },
        { ...image(1), annotations: { audience: ['assistant'] } },
        { type: 'resource_link', uri: 'a:b', name: 'b', annotations: { audience: ['user'] } },
      ],
    };
    assert.deepEqual(words(feed(result)), ['both', 'model', 'all', '<data>']);
    assert.deepEqual(
      keptBlocks(result).map((block) => (block.type === 'text' ? block.text : block.type)),
      ['user', 'image', 'resource_link'],
    );
  });

  it('says so when nothing is left for the model', () => {
    assert.deepEqual(words(feed({ content: [text('user', { audience: ['user'] })] })), [
      'The result was shown to the user and is not meant for you.',
    ]);
    assert.deepEqual(words(feed({ content: [] })), ['The tool returned no content.']);
  });

  it('TOOL-12: structured content that is repeated as text is fed once', () => {
    const structuredContent = { a: 1, b: [2] };
    assert.deepEqual(words(feed({ content: [text('{ "b": [2], "a": 1 }')], structuredContent })), [
      '{ "b": [2], "a": 1 }',
    ]);
    assert.deepEqual(words(feed({ content: [text('It is 1')], structuredContent })), [
      'It is 1',
      '{"a":1,"b":[2]}',
    ]);
    assert.deepEqual(words(feed({ content: [], structuredContent })), ['{"a":1,"b":[2]}']);
  });

  it('APP-60: structured content for an app is not fed where there is content', () => {
    const tool = { ...plainTool, _meta: { ui: { resourceUri: 'ui://chart' } } };
    const structuredContent = { points: [1, 2] };
    const said = feed({ content: [text('It rises')], structuredContent }, [], tool);
    assert.deepEqual(words(said), ['It rises']);
    const unsaid = feed({ content: [], structuredContent }, [], tool);
    assert.deepEqual(words(unsaid), ['{"points":[1,2]}']);
  });

  it('TOOL-12, TOOL-15: structured content that breaks its schema is not fed, and that is said', () => {
    const fed = feed({ content: [text('warm')], structuredContent: { c: 'warm' } }, [
      '"c" must be number',
    ]);
    assert.deepEqual(words(fed), [
      'The server\'s structured output is wrong: "c" must be number.',
      'warm',
    ]);
  });

  it('TOOL-09: what matters most gets the room first; the order stays', () => {
    const fed = feed({
      content: [
        text('x'.repeat(900), { priority: 0.1 }),
        text('y'.repeat(800)),
        text('z'.repeat(150), { priority: 1 }),
      ],
    });
    assert.deepEqual(
      words(fed).map((one) => one.replaceAll(/(.)\1{9,}/gu, (run) => `${run[0]}*${run.length}`)),
      ['x*50\n[850 more characters were left out]', 'y*800', 'z*150'],
    );
    assert.equal(fed.cutChars, 850);
  });

  it('counts what is said in place of pieces, so that very many of them do not fill the model', () => {
    for (const block of [text('ab'), image(200)]) {
      const fed = feed({ content: Array.from({ length: 10_000 }, () => block) });
      const all = words(fed);
      assert.match(all.at(-1) ?? '', /^\[parts left out for want of room: \d+\]$/u);
      assert.ok(all.join('').length < 1_200);
    }
  });

  it('keeps images within limits, and kinds of images that models do not know away', () => {
    const fed = feed({
      content: [image(200), image(1), image(1), image(1), image(1, 'image/svg+xml')],
    });
    assert.deepEqual(
      words(fed).map((one) => one.slice(0, 8)),
      ['[An imag', '<data>', '<data>', '[An imag', '[an imag'],
    );
  });

  it('finds the links of a result', () => {
    assert.deepEqual(
      linkedUris({
        content: [
          text('a://0'),
          { type: 'resource_link', uri: 'a://1', name: 'one' },
          { type: 'resource', resource: { uri: 'a://2', text: '' } },
          {
            type: 'resource_link',
            uri: 'a://3',
            name: 'of the user',
            annotations: { audience: ['user'] },
          },
        ],
      }),
      ['a://1', 'a://2'],
    );
  });
});

describe('annotations', () => {
  it('RES-09: no audience, or one that makes no sense, means everybody', () => {
    assert.equal(isFor('assistant', undefined), true);
    assert.equal(isFor('assistant', { audience: [] }), true);
    assert.equal(isFor('assistant', JSON.parse('{"audience": "user"}')), true);
    assert.equal(isFor('assistant', { audience: ['user'] }), false);
    assert.equal(isFor('user', { audience: ['user', 'assistant'] }), true);
  });

  it('RES-09: a priority is a number from 0 to 1, and in the middle where none is given', () => {
    const priorities = [undefined, { priority: 0.9 }, { priority: 0 }, { priority: 7 }];
    assert.deepEqual(priorities.map(priorityOf), [0.5, 0.9, 0, 0.5]);
    assert.equal(priorityOf(JSON.parse('{"priority": "high"}')), 0.5);
    assert.equal(priorityOf({ priority: Number.NaN }), 0.5);
  });
});

describe('a prompt for a model', () => {
  const one: PromptMessage = { role: 'user', content: text('one') };
  const two: PromptMessage = { role: 'assistant', content: text('two') };
  const mine: PromptMessage = { role: 'user', content: text('mine', { audience: ['user'] }) };
  const picture: PromptMessage = { role: 'user', content: image(3) };

  it('RES-09: has no message that is for the user alone; roles and order stay', () => {
    const { messages, leftOut } = promptForModel([one, mine, two]);
    assert.deepEqual(
      messages.map(({ role, parts }) => [role, ...words({ parts })]),
      [
        ['user', 'one'],
        ['assistant', 'two'],
      ],
    );
    assert.deepEqual(leftOut, [{ index: 1, why: 'audience' }]);
    assert.deepEqual([fromPrompt([mine]), fromPrompt([mine], 'Please').length], [[], 1]);
  });

  it('PROM-05: keeps kinds of content, and ends with the user, who may have added something', () => {
    const ends = [fromPrompt([two, picture]), fromPrompt([two]), fromPrompt([two], 'Please')];
    assert.deepEqual(
      ends.map((messages) => messages.map(({ role, parts }) => [role, ...words({ parts })])),
      ['<data>', 'Go on.', 'Please'].map((last) => [
        ['assistant', 'two'],
        ['user', last],
      ]),
    );
  });
});

describe('resources for a model', () => {
  it('RES-09: come under their addresses, without those that are for the user alone', () => {
    const mine = resource('a://2', 'mine', { audience: ['user'] });
    const { parts, leftOut } = resourcesForModel([resource('a://1', 'one'), mine]);
    assert.deepEqual(words({ parts }), [
      'Resource of an MCP server {"server":"files","uri":"a://1"}:',
      'one',
    ]);
    assert.deepEqual(leftOut, [{ index: 1, why: 'audience' }]);
  });

  it('RES-09: share the room, the most important first', () => {
    const { parts, leftOut } = resourcesForModel(
      [
        resource('a://1', 'x'.repeat(90), { priority: 0 }),
        resource('a://2', 'y'.repeat(90), { priority: 0.8 }),
        resource('a://3', 'z'.repeat(10)),
      ],
      { ...limits, maxChars: 100 },
    );
    const [, first = '', , second = '', , third = ''] = words({ parts });
    assert.equal(first, '[parts left out for want of room: 1]');
    assert.deepEqual([second, third], ['y'.repeat(90), 'z'.repeat(10)]);
    assert.deepEqual(leftOut, [{ index: 0, why: 'room' }]);
  });
});
