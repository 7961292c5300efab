import assert from 'node:assert/strict';
import {
  answerText,
  readAnswerText,
  readRequestText,
  requestText,
} from '../../../../src/host/sampling/requestText.ts';
import { isMcpError } from '../../../../src/mcp/errors.ts';
import type {
  CreateMessageRequest,
  SamplingContent,
} from '../../../../src/mcp/types/clientFeatures.ts';
import { userSays } from '../../../support/fakeSampling.ts';

const revision = '2025-11-25';
const bytes = Buffer.from('a picture').toString('base64');
const image = { type: 'image', data: bytes, mimeType: 'image/png' } as const;
const request: CreateMessageRequest = {
  ...userSays('Look', { systemPrompt: 'Be brief', maxTokens: 5, temperature: 0 }),
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Look' }, image] },
    {
      role: 'assistant',
      content: { type: 'tool_use', id: '1', name: 'see', input: {}, _meta: { cache: 'x' } },
    },
    { role: 'user', content: { type: 'tool_result', toolUseId: '1', content: [image] } },
  ],
  tools: [{ name: 'see', inputSchema: { type: 'object' } }],
};

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    assert.ok(isMcpError(error));
    return error.message;
  }
  return assert.fail('was accepted');
}

describe('requestText', () => {
  it('SAMP-20: unchanged text is the unchanged request, with pictures and _meta', () => {
    const { text, language } = requestText(request);
    assert.equal(language, 'json');
    assert.deepEqual(readRequestText(text, request, revision), request);
  });

  it('has words in place of the bytes of pictures', () => {
    const { text } = requestText(request);
    assert.ok(!text.includes(bytes));
    assert.match(text, /<1: image\/png, 9 bytes, kept as it is>/);
    assert.match(text, /<2: image\/png/);
  });

  it('SAMP-03: words stand for the bytes of pictures, sounds and resources, and for nothing else', () => {
    const like = { blob: 'run x', data: 'run y', mimeType: 'text/plain', resource: { blob: 'z' } };
    const resource = { uri: 'notes://a', blob: bytes };
    const content = [{ type: 'resource', resource }] as const;
    const odd: CreateMessageRequest = {
      messages: [
        { role: 'user', content: image },
        { role: 'user', content: { type: 'text', text: '<1: image/png, 9 bytes, kept as it is>' } },
        {
          role: 'assistant',
          content: { type: 'tool_use', id: '1', name: 'see', input: { content: like } },
        },
        {
          role: 'user',
          content: { type: 'tool_result', toolUseId: '1', content, structuredContent: like },
        },
      ],
      maxTokens: 5,
      metadata: { content: like },
      tools: [{ name: 'see', inputSchema: { type: 'object', default: like } }],
    };
    const { text } = requestText(odd);
    for (const shown of ['run x', 'run y', '"z"']) {
      assert.equal(text.split(shown).length - 1, 4, shown);
    }
    assert.ok(!text.includes(bytes));
    assert.deepEqual(readRequestText(text, odd, revision), odd);
  });

  it('SAMP-03: what is edited is what is read', () => {
    const { text } = requestText(request);
    const edited = text.replace('Be brief', 'Be kind').replace('"maxTokens": 5', '"maxTokens": 9');
    const read = readRequestText(edited, request, revision);
    assert.deepEqual(read, { ...request, systemPrompt: 'Be kind', maxTokens: 9 });
  });

  it('an edit that breaks the request is refused with the place', () => {
    const { text } = requestText(request);
    const read = (edited: string) => () => readRequestText(edited, request, revision);
    assert.match(refusal(read('{')), /^Not valid JSON/);
    assert.match(refusal(read('[]')), /JSON object/);
    assert.match(refusal(read(text.replace('"user"', '"boss"'))), /messages\[0\]\.role/);
    assert.match(refusal(read(text.replace('"toolUseId": "1"', '"toolUseId": "2"'))), /"1"/);
    const sound = JSON.stringify({ type: 'audio', data: bytes, mimeType: 'audio/wav' });
    const heard = JSON.stringify({ ...request, messages: [{ role: 'user', content: 0 }] });
    assert.match(refusal(read(heard.replace('"content":0', `"content":${sound}`))), /audio/);
  });
});

describe('answerText', () => {
  it('SAMP-04: a text alone is edited as itself', () => {
    const content: readonly SamplingContent[] = [{ type: 'text', text: 'Paris' }];
    assert.deepEqual(answerText(content), { text: 'Paris', language: 'plaintext' });
    assert.deepEqual(readAnswerText('Rome\n', content, revision), [
      { type: 'text', text: 'Rome\n' },
    ]);
  });

  it('anything else as a list of blocks', () => {
    const content: readonly SamplingContent[] = [
      { type: 'text', text: 'Well' },
      { type: 'tool_use', id: '1', name: 'add', input: { a: 1 }, _meta: { m: 1 } },
      image,
    ];
    const { text, language } = answerText(content);
    assert.equal(language, 'json');
    assert.deepEqual(readAnswerText(text, content, revision), content);
    const edited = readAnswerText(text.replace('"a": 1', '"a": 2'), content, revision);
    assert.deepEqual(edited[1], { ...content[1], input: { a: 2 } });
    assert.match(
      refusal(() => readAnswerText('[]', content, revision)),
      /array of content/,
    );
    assert.match(
      refusal(() => readAnswerText('[{"type": "tool_result"}]', content, revision)),
      /block 1/,
    );
  });
});
