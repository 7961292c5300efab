/** The editor's language models as the host's `Model`: translates parts, tools and errors, decides nothing. */
import * as vscode from 'vscode';
import { toError } from '../../base/async.ts';
import { isObject } from '../../base/json.ts';
import type { Model, ModelMessage, ModelPart, ModelRequest } from '../../host/models/model.ts';
import { abortedError, isCancelled, McpError } from '../../mcp/errors.ts';
import { optionalApi } from '../editor/optionalApi.ts';
import { section } from '../ids.ts';
import { toToken, withToken } from '../text/cancellation.ts';

/** The maximum of OpenAI and Copilot. */
const defaultMaxTools = 128;

/** Tools in one request to a model at most, from the settings. */
export function maxTools(): number {
  return vscode.workspace.getConfiguration(section).get<number>('chat.maxTools', defaultMaxTools);
}

export async function editorModels(): Promise<readonly Model[]> {
  return ((await optionalApi.lm?.selectChatModels?.()) ?? []).map(toModel);
}

export function toModel(chat: vscode.LanguageModelChat): Model {
  return {
    id: chat.id,
    name: chat.name,
    vendor: chat.vendor,
    family: chat.family,
    maxInputTokens: chat.maxInputTokens,
    send: (request, signal) => send(chat, request, signal),
    countTokens: (text, signal) => countTokens(chat, text, signal),
  };
}

async function* send(
  chat: vscode.LanguageModelChat,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  const ended = new AbortController();
  const { token, dispose } = toToken(AbortSignal.any([signal, ended.signal]));
  try {
    signal.throwIfAborted();
    const response = await chat.sendRequest(
      request.messages.map(toChatMessage),
      {
        justification: request.justification,
        modelOptions: { ...request.options },
        ...(request.tools.length > 0 && {
          tools: [...request.tools],
          ...(request.toolMode === 'required' && {
            toolMode: vscode.LanguageModelChatToolMode.Required,
          }),
        }),
      },
      token,
    );
    for await (const chunk of response.stream) {
      const part = toPart(chunk);
      if (part !== undefined) {
        yield part;
      }
    }
  } catch (error) {
    throw toModelError(error, chat.name, signal);
  } finally {
    // A consumer may leave the loop early: then the provider must stop.
    ended.abort();
    dispose();
  }
}

function toChatMessage({ role, parts }: ModelMessage): vscode.LanguageModelChatMessage {
  const { User, Assistant } = vscode.LanguageModelChatMessageRole;
  return new vscode.LanguageModelChatMessage(
    role === 'user' ? User : Assistant,
    parts.map(toEditorPart),
  );
}

export function toEditorPart(part: ModelPart): vscode.LanguageModelInputPart {
  switch (part.kind) {
    case 'text':
      return new vscode.LanguageModelTextPart(part.text);
    case 'data':
      return new vscode.LanguageModelDataPart(part.bytes, part.mimeType);
    case 'toolCall':
      return new vscode.LanguageModelToolCallPart(part.callId, part.tool, part.input);
    case 'toolResult':
      return new vscode.LanguageModelToolResultPart(part.callId, part.parts.map(toEditorPart));
  }
}

/** Undefined for what is no content: a model's private thoughts, and what its provider notes for itself. */
export function toPart(chunk: unknown): ModelPart | undefined {
  if (chunk instanceof vscode.LanguageModelTextPart) {
    return { kind: 'text', text: chunk.value };
  }
  if (chunk instanceof vscode.LanguageModelToolCallPart) {
    const input: unknown = chunk.input;
    return {
      kind: 'toolCall',
      callId: chunk.callId,
      tool: chunk.name,
      input: isObject(input) ? input : {},
    };
  }
  return chunk instanceof vscode.LanguageModelDataPart ? dataPart(chunk) : undefined;
}

function dataPart({ mimeType, data }: vscode.LanguageModelDataPart): ModelPart | undefined {
  if (/^image\//iu.test(mimeType)) {
    return { kind: 'data', mimeType, bytes: data };
  }
  return /^(?:text\/|application\/(?:.*\+)?json)/iu.test(mimeType)
    ? { kind: 'text', text: new TextDecoder().decode(data) }
    : undefined;
}

function toModelError(error: unknown, model: string, signal: AbortSignal): McpError {
  if (signal.aborted) {
    return abortedError(signal, `The request to ${model}`);
  }
  if (isCancelled(error) || error instanceof vscode.CancellationError) {
    return new McpError('cancelled', `The request to ${model} was cancelled`, { cause: error });
  }
  const words = toError(error).message;
  const isRefused =
    error instanceof vscode.LanguageModelError &&
    (error.code === vscode.LanguageModelError.NoPermissions.name ||
      error.code === vscode.LanguageModelError.Blocked.name);
  return new McpError(isRefused ? 'denied' : 'unsupported', `${model}: ${words}`, { cause: error });
}

async function countTokens(
  chat: vscode.LanguageModelChat,
  text: string,
  signal: AbortSignal,
): Promise<number> {
  try {
    return await withToken(signal, (token) => chat.countTokens(text, token));
  } catch (error) {
    throw toModelError(error, chat.name, signal);
  }
}
