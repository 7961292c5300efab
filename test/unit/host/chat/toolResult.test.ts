import assert from 'node:assert/strict';
import {
  type FedResult,
  linkedUris,
  keptBlocks,
  toModelParts,
} from '../../../../src/host/chat/toolResult.ts';
import type { ContentBlock } from '../../../../src/mcp/types/content.ts';
import type { Tool } from '../../../../src/mcp/types/lists.ts';
import type { CallToolResult } from '../../../../src/mcp/types/methods.ts';

const limits = { maxChars: 1_000, maxImageBytes: 100, maxImages: 2 };

const plainTool: Tool = { name: 'plain', inputSchema: { type: 'object' } };

function feed(
  result: CallToolResult,
  outputProblems: readonly string[] = [],
  tool = plainTool,
): FedResult {
  return toModelParts(tool, { kind: 'result', result, outputProblems, unchecked: [] }, limits);
}

function texts({ parts }: FedResult): readonly string[] {
  return parts.map((part) => (part.kind === 'text' ? part.text : `<${part.kind}>`));
}

function text(words: string, annotations: ContentBlock['annotations'] = {}): ContentBlock {
  return { type: 'text', text: words, annotations };
}

function image(bytes: number, mimeType = 'image/png'): ContentBlock {
  return { type: 'image', data: Buffer.alloc(bytes).toString('base64'), mimeType };
}

describe('toModelParts', () => {
  it('TOOL-08: every kind of content reaches the model as far as it can take it', () => {
    const fed = texts(
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
    assert.deepEqual(texts(feed(result)), ['both', 'model', 'all', '<data>']);
    assert.deepEqual(
      keptBlocks(result).map((block) => (block.type === 'text' ? block.text : block.type)),
      ['user', 'image', 'resource_link'],
    );
  });

  it('says so when nothing is left for the model', () => {
    assert.deepEqual(texts(feed({ content: [text('user', { audience: ['user'] })] })), [
      'The result was shown to the user and is not meant for you.',
    ]);
    assert.deepEqual(texts(feed({ content: [] })), ['The tool returned no content.']);
  });

  it('TOOL-12: structured content that is repeated as text is fed once', () => {
    const structuredContent = { a: 1, b: [2] };
    assert.deepEqual(texts(feed({ content: [text('{ "b": [2], "a": 1 }')], structuredContent })), [
      '{ "b": [2], "a": 1 }',
    ]);
    assert.deepEqual(texts(feed({ content: [text('It is 1')], structuredContent })), [
      'It is 1',
      '{"a":1,"b":[2]}',
    ]);
    assert.deepEqual(texts(feed({ content: [], structuredContent })), ['{"a":1,"b":[2]}']);
  });

  it('APP-60: structured content for an app is not fed where there is content', () => {
    const tool = { ...plainTool, _meta: { ui: { resourceUri: 'ui://chart' } } };
    const structuredContent = { points: [1, 2] };
    const said = feed({ content: [text('It rises')], structuredContent }, [], tool);
    assert.deepEqual(texts(said), ['It rises']);
    const unsaid = feed({ content: [], structuredContent }, [], tool);
    assert.deepEqual(texts(unsaid), ['{"points":[1,2]}']);
  });

  it('TOOL-12, TOOL-15: structured content that breaks its schema is not fed, and that is said', () => {
    const fed = feed({ content: [text('warm')], structuredContent: { c: 'warm' } }, [
      '"c" must be number',
    ]);
    assert.deepEqual(texts(fed), [
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
      texts(fed).map((one) => one.replaceAll(/(.)\1{9,}/gu, (run) => `${run[0]}*${run.length}`)),
      ['x*50\n[850 more characters were left out]', 'y*800', 'z*150'],
    );
    assert.equal(fed.cutChars, 850);
  });

  it('keeps images within limits, and kinds of images that models do not know away', () => {
    const fed = feed({
      content: [image(200), image(1), image(1), image(1), image(1, 'image/svg+xml')],
    });
    assert.deepEqual(
      texts(fed).map((one) => one.slice(0, 8)),
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
        ],
      }),
      ['a://1', 'a://2'],
    );
  });
});
