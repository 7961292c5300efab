import assert from 'node:assert/strict';
import {
  fromPrompt,
  promptForModel,
  resourcesForModel,
} from '../../../../src/host/chat/attached.ts';
import { isFor, priorityOf } from '../../../../src/host/chat/toolResult.ts';
import type { ModelPart } from '../../../../src/host/models/model.ts';
import type { Annotations } from '../../../../src/mcp/types/content.ts';
import type { PromptMessage } from '../../../../src/mcp/types/methods.ts';

const limits = { maxChars: 100, maxImageBytes: 10, maxImages: 1 };

function said(role: PromptMessage['role'], text: string, annotations?: Annotations): PromptMessage {
  return {
    role,
    content: { type: 'text', text, ...(annotations === undefined ? {} : { annotations }) },
  };
}

function words(parts: readonly ModelPart[]): readonly string[] {
  return parts.map((part) => (part.kind === 'text' ? part.text : `<${part.kind}>`));
}

const resource = (uri: string, text: string, annotations?: Annotations) => ({
  server: 'files',
  uri,
  annotations,
  contents: [{ kind: 'text', uri, text } as const],
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
  it('RES-09: has no message that is for the user alone; roles and order stay', () => {
    const { messages, leftOut } = promptForModel(
      [
        said('user', 'one'),
        said('user', 'secret', { audience: ['user'] }),
        said('assistant', 'two', { audience: ['assistant'] }),
      ],
      limits,
    );
    assert.deepEqual(messages, [
      { role: 'user', parts: [{ kind: 'text', text: 'one' }] },
      { role: 'assistant', parts: [{ kind: 'text', text: 'two' }] },
    ]);
    assert.deepEqual(leftOut, [{ index: 1, why: 'audience' }]);
  });

  it('PROM-05: keeps kinds of content, and ends with the user, who may have added something', () => {
    const hello: PromptMessage = said('assistant', 'Hello');
    const picture: PromptMessage = {
      role: 'user',
      content: { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    };
    const ends = [fromPrompt([hello, picture]), fromPrompt([hello]), fromPrompt([hello], 'Please')];
    assert.deepEqual(
      ends.map((messages) => messages.map(({ role, parts }) => [role, ...words(parts)].join(' '))),
      [
        ['assistant Hello', 'user <data>'],
        ['assistant Hello', 'user Go on.'],
        ['assistant Hello', 'user Please'],
      ],
    );
    const mine = [said('user', 'Hello', { audience: ['user'] })];
    assert.deepEqual([fromPrompt(mine), fromPrompt(mine, 'Please').length], [[], 1]);
  });
});

describe('resources for a model', () => {
  it('RES-09: come under their addresses, without those that are for the user alone', () => {
    const { parts, leftOut } = resourcesForModel(
      [resource('a://1', 'one'), resource('a://2', 'mine', { audience: ['user'] })],
      limits,
    );
    assert.deepEqual(words(parts), [
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
      limits,
    );
    const [, first = '', , second = '', , third = ''] = words(parts);
    assert.match(first, /^\n\[90 more characters were left out\]$/u);
    assert.equal(second, 'y'.repeat(90));
    assert.equal(third, 'z'.repeat(10));
    assert.deepEqual(leftOut, [{ index: 0, why: 'room' }]);
  });
});
