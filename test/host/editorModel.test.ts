// The editor's models as the host's: parts, tools, options, errors and cancellation, with the editor's own classes.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ModelPart, ModelRequest } from '../../src/host/models/model.ts';
import { isMcpError } from '../../src/mcp/errors.ts';
import { toModel } from '../../src/vscode/models/editorModel.ts';
import { until } from './support/host.ts';

const never = new AbortController().signal;
const request: ModelRequest = {
  messages: [
    {
      role: 'user',
      parts: [
        { kind: 'text', text: 'Hi' },
        { kind: 'data', mimeType: 'image/png', bytes: new Uint8Array([1, 2]) },
      ],
    },
    {
      role: 'assistant',
      parts: [
        { kind: 'text', text: 'Wait' },
        { kind: 'toolCall', callId: '1', tool: 'add', input: { a: 1 } },
      ],
    },
    {
      role: 'user',
      parts: [{ kind: 'toolResult', callId: '1', parts: [{ kind: 'text', text: '2' }] }],
    },
  ],
  tools: [{ name: 'add', description: 'Adds', inputSchema: { type: 'object' } }],
  toolMode: 'required',
  justification: 'because',
  options: { max_tokens: 5 },
};

interface Sent {
  readonly messages: readonly vscode.LanguageModelChatMessage[];
  readonly options: vscode.LanguageModelChatRequestOptions | undefined;
  readonly token: vscode.CancellationToken | undefined;
}

/** A model of the editor whose answer the test gives. */
class Chat implements vscode.LanguageModelChat {
  readonly id = 'demo-1';
  readonly name = 'Demo';
  readonly vendor = 'tests';
  readonly family = 'demo';
  readonly version = '1';
  readonly maxInputTokens = 100;
  readonly sent: Sent[] = [];
  readonly #answer: () => AsyncIterable<unknown>;

  constructor(answer: () => AsyncIterable<unknown>) {
    this.#answer = answer;
  }

  async sendRequest(
    messages: vscode.LanguageModelChatMessage[],
    options?: vscode.LanguageModelChatRequestOptions,
    token?: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelChatResponse> {
    this.sent.push({ messages, options, token });
    const stream = this.#answer();
    return { stream, text: texts() };
  }

  async countTokens(text: string | vscode.LanguageModelChatMessage): Promise<number> {
    return typeof text === 'string' ? text.length : 0;
  }
}

async function* texts(): AsyncIterable<string> {
  // nothing: the extension reads the stream
}

async function* of(...parts: readonly unknown[]): AsyncIterable<unknown> {
  yield* parts;
}

async function answerOf(
  chat: Chat,
  signal = never,
  asked = request,
): Promise<readonly ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of toModel(chat).send(asked, signal)) parts.push(part);
  return parts;
}

async function failureOf(answer: () => AsyncIterable<unknown>, signal = never): Promise<string> {
  try {
    await answerOf(new Chat(answer), signal);
  } catch (error) {
    assert.ok(isMcpError(error), String(error));
    return error.code;
  }
  return assert.fail('it did not fail');
}

async function* endless(): AsyncIterable<unknown> {
  for (;;) yield new vscode.LanguageModelTextPart('a');
}

async function* failing(error: Error): AsyncIterable<unknown> {
  yield new vscode.LanguageModelTextPart('a');
  throw error;
}

describe('A model of the editor', () => {
  it('gets messages, tools and options in the editor’s own classes', async () => {
    const chat = new Chat(() => of());
    await answerOf(chat);
    const [sent] = chat.sent;
    assert.ok(sent);
    const roles = sent.messages.map(({ role }) => role);
    const { User, Assistant } = vscode.LanguageModelChatMessageRole;
    assert.deepEqual(roles, [User, Assistant, User]);
    const [text, image] = sent.messages[0]?.content ?? [];
    assert.ok(text instanceof vscode.LanguageModelTextPart);
    assert.equal(text.value, 'Hi');
    assert.ok(image instanceof vscode.LanguageModelDataPart);
    assert.deepEqual([image.mimeType, [...image.data]], ['image/png', [1, 2]]);
    const [, call] = sent.messages[1]?.content ?? [];
    assert.ok(call instanceof vscode.LanguageModelToolCallPart);
    assert.deepEqual([call.callId, call.name, call.input], ['1', 'add', { a: 1 }]);
    const [result] = sent.messages[2]?.content ?? [];
    assert.ok(result instanceof vscode.LanguageModelToolResultPart);
    const [first] = result.content;
    assert.ok(first instanceof vscode.LanguageModelTextPart);
    assert.deepEqual([result.callId, first.value], ['1', '2']);
    assert.deepEqual(sent.options, {
      justification: 'because',
      modelOptions: { max_tokens: 5 },
      tools: [{ name: 'add', description: 'Adds', inputSchema: { type: 'object' } }],
      toolMode: vscode.LanguageModelChatToolMode.Required,
    });
  });

  it('gets no tool mode without tools', async () => {
    const chat = new Chat(() => of());
    await answerOf(chat, never, { ...request, tools: [] });
    assert.equal('toolMode' in (chat.sent[0]?.options ?? {}), false);
  });

  it('answers in parts; what is unknown is left out', async () => {
    const chat = new Chat(() =>
      of(
        new vscode.LanguageModelTextPart('a'),
        { thought: 'private' },
        new vscode.LanguageModelToolCallPart('1', 'add', { a: 1 }),
        new vscode.LanguageModelDataPart(new Uint8Array([7]), 'image/png'),
        new vscode.LanguageModelDataPart(new Uint8Array([8]), 'stateful_marker'),
        vscode.LanguageModelDataPart.text('more', 'text/plain'),
      ),
    );
    assert.deepEqual(await answerOf(chat), [
      { kind: 'text', text: 'a' },
      { kind: 'toolCall', callId: '1', tool: 'add', input: { a: 1 } },
      { kind: 'data', mimeType: 'image/png', bytes: new Uint8Array([7]) },
      { kind: 'text', text: 'more' },
    ]);
    assert.equal(await toModel(chat).countTokens('four', never), 4);
  });

  it('tells refused access, failures and cancellation apart', async () => {
    const { LanguageModelError } = vscode;
    assert.equal(await failureOf(() => failing(LanguageModelError.NoPermissions('no'))), 'denied');
    assert.equal(await failureOf(() => failing(LanguageModelError.Blocked('no'))), 'denied');
    assert.equal(await failureOf(() => failing(LanguageModelError.NotFound('no'))), 'unsupported');
    assert.equal(await failureOf(() => failing(new Error('quota'))), 'unsupported');
    assert.equal(await failureOf(() => failing(new vscode.CancellationError())), 'cancelled');
    const aborted = AbortSignal.abort();
    const chat = new Chat(() => of());
    await assert.rejects(
      answerOf(chat, aborted),
      (error) => isMcpError(error) && error.code === 'cancelled',
    );
    assert.deepEqual(chat.sent, []);
  });

  it('is cancelled by the signal, and when nobody reads on', async () => {
    const left = new Chat(endless);
    for await (const part of toModel(left).send(request, never)) {
      assert.equal(part.kind, 'text');
      break;
    }
    await until('the cancellation', () => left.sent[0]?.token?.isCancellationRequested);
    const controller = new AbortController();
    const stopped = new Chat(endless);
    for await (const part of toModel(stopped).send(request, controller.signal)) {
      assert.equal(part.kind, 'text');
      controller.abort();
      assert.equal(stopped.sent[0]?.token?.isCancellationRequested, true);
      break;
    }
  });
});
