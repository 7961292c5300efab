/** Reads the content blocks of sampling messages. Each revision has its own kinds of block (SAMP-12). */
import { type JsonObject, isObject, isString } from '../base/json.ts';
import { truncated } from '../base/text.ts';
import { RpcError, rpcCodes } from './errors.ts';
import { type Revision, revisions } from './revisions.ts';
import type { SamplingContent, SamplingMessage } from './types/clientFeatures.ts';
import type { ContentBlock } from './types/content.ts';

/** @throws RpcError -32602 naming the place `at` and what is wrong there */
export function readBlock(
  value: unknown,
  at: string,
  role: SamplingMessage['role'],
  revision: Revision,
): SamplingContent {
  if (!isObject(value)) {
    throw invalidSampling(`${at} must be a content block`);
  }
  const { type } = value;
  const block = knownBlock(value, revision);
  if (block === undefined) {
    throw invalidSampling(
      isString(type)
        ? `${at} is not valid content of type ${JSON.stringify(truncated(type, 40))} in revision ${revision}`
        : `${at}.type must be a string`,
    );
  }
  if (block.type === 'tool_use' && role !== 'assistant') {
    throw invalidSampling(`${at}: a tool_use belongs to a message of the assistant`);
  }
  if (block.type === 'tool_result' && role !== 'user') {
    throw invalidSampling(`${at}: a tool_result belongs to a message of the user`);
  }
  return block;
}

function knownBlock(value: JsonObject, revision: Revision): SamplingContent | undefined {
  const { samplesAudio, samplesTools } = revisions[revision];
  switch (value['type']) {
    case 'text':
      return isText(value) ? value : undefined;
    case 'image':
      return isMedia(value) ? value : undefined;
    case 'audio':
      return samplesAudio && isMedia(value) ? value : undefined;
    case 'tool_use':
      return samplesTools && isToolUse(value) ? value : undefined;
    case 'tool_result': {
      // Servers that validate with defaults omit an empty `content`.
      const result = { content: [], ...value };
      return samplesTools && isToolResult(result) ? result : undefined;
    }
    default:
      return undefined;
  }
}

function isText(
  value: JsonObject,
): value is JsonObject & Extract<SamplingContent, { type: 'text' }> {
  return isString(value['text']);
}

function isMedia(
  value: JsonObject,
): value is JsonObject & Extract<SamplingContent, { type: 'image' | 'audio' }> {
  const { type, data, mimeType } = value;
  return (
    isString(data) &&
    /^[\w+/=\s-]*$/u.test(data) &&
    isString(mimeType) &&
    mimeType.startsWith(`${String(type)}/`)
  );
}

function isToolUse(
  value: JsonObject,
): value is JsonObject & Extract<SamplingContent, { type: 'tool_use' }> {
  return isString(value['id']) && isString(value['name']) && isObject(value['input']);
}

function isToolResult(
  value: JsonObject,
): value is JsonObject & Extract<SamplingContent, { type: 'tool_result' }> {
  const { toolUseId, content } = value;
  return isString(toolUseId) && Array.isArray(content) && content.every(isContentBlock);
}

export function isContentBlock(value: unknown): value is ContentBlock {
  if (!isObject(value)) {
    return false;
  }
  switch (value['type']) {
    case 'text':
      return isText(value);
    case 'image':
    case 'audio':
      return isMedia(value);
    case 'resource_link':
      return isString(value['uri']) && isString(value['name']);
    case 'resource': {
      const { resource } = value;
      return (
        isObject(resource) &&
        isString(resource['uri']) &&
        (isString(resource['text']) || isString(resource['blob']))
      );
    }
    default:
      return false;
  }
}

/** The error for invalid params of a sampling request. */
export function invalidSampling(what: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, `Invalid params: ${what}`);
}
