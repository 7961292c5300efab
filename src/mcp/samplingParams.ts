/**
 * Reads and checks the params of `sampling/createMessage`: the members of the agreed revision, and the
 * rules for a history with tools. Whoever calls the model decides whether the model can use them.
 */
import { type JsonObject, isObject, isString, isStringArray } from '../base/json.ts';
import { truncated } from '../base/text.ts';
import { invalidParams } from './errors.ts';
import { type Revision, revisions } from './revisions.ts';
import type {
  CreateMessageRequest,
  ModelPreferences,
  SamplingContent,
  SamplingMessage,
} from './types/clientFeatures.ts';
import type { ContentBlock } from './types/content.ts';
import type { Tool } from './types/lists.ts';

/**
 * https://modelcontextprotocol.io/specification/2025-11-25/client/sampling
 * Members that the revision does not know are left out; `_meta` of blocks is kept (SAMP-20).
 * @throws RpcError -32602 naming what is wrong
 */
export function readCreateMessage(params: JsonObject, revision: Revision): CreateMessageRequest {
  const { systemPrompt, includeContext, temperature, stopSequences, metadata } = params;
  const messages = readMessages(params['messages'], revision);
  checkHistory(messages);
  if (systemPrompt !== undefined && !isString(systemPrompt)) {
    throw invalidParams('"systemPrompt" must be a string');
  }
  if (temperature !== undefined && !isFiniteNumber(temperature)) {
    throw invalidParams('"temperature" must be a number');
  }
  if (stopSequences !== undefined && !isStringArray(stopSequences)) {
    throw invalidParams('"stopSequences" must be a list of strings');
  }
  const preferences = readPreferences(params['modelPreferences']);
  const context = readContext(includeContext);
  return {
    messages,
    maxTokens: readMaxTokens(params['maxTokens']),
    ...(preferences && { modelPreferences: preferences }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(context && { includeContext: context }),
    ...(temperature !== undefined && { temperature }),
    ...(stopSequences !== undefined && { stopSequences }),
    ...(isObject(metadata) && { metadata }),
    ...(revisions[revision].samplesTools && readToolParams(params)),
  };
}

function readMaxTokens(value: unknown): number {
  if (!isFiniteNumber(value) || value < 1) {
    throw invalidParams('"maxTokens" is required and must be a number of at least 1');
  }
  return Math.floor(value);
}

function readMessages(value: unknown, revision: Revision): readonly SamplingMessage[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw invalidParams('"messages" must be a list with at least one message');
  }
  return value.map((message: unknown, index) =>
    readMessage(message, `messages[${index}]`, revision),
  );
}

function readMessage(value: unknown, at: string, revision: Revision): SamplingMessage {
  if (!isObject(value)) {
    throw invalidParams(`${at} must be an object`);
  }
  const { role, content } = value;
  if (role !== 'user' && role !== 'assistant') {
    throw invalidParams(`${at}.role must be "user" or "assistant"`);
  }
  if (!Array.isArray(content)) {
    return { role, content: readBlock(content, `${at}.content`, role, revision) };
  }
  if (!revisions[revision].samplesTools) {
    throw invalidParams(`${at}.content must be one block in revision ${revision}, not a list`);
  }
  if (content.length === 0) {
    throw invalidParams(`${at}.content must not be empty`);
  }
  const blocks = content.map((block: unknown, index) =>
    readBlock(block, `${at}.content[${index}]`, role, revision),
  );
  return { role, content: blocks };
}

/**
 * Tool results stand alone in a user message (SAMP-17), and every tool use is followed at once by the
 * results for all its ids (SAMP-18).
 */
function checkHistory(messages: readonly SamplingMessage[]): void {
  let open: ReadonlySet<string> = new Set();
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    const blocks = blocksOf(message);
    const results = blocks.filter((block) => block.type === 'tool_result');
    if (results.length > 0 && results.length < blocks.length) {
      throw invalidParams(`${at} mixes tool results with other content`);
    }
    checkResults(
      open,
      results.map(({ toolUseId }) => toolUseId),
      at,
    );
    const ids = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    open = new Set(ids);
    if (open.size < ids.length) {
      throw invalidParams(`${at} uses the same id for two tool uses`);
    }
  }
  checkResults(open, [], 'the end of the messages');
}

function checkResults(open: ReadonlySet<string>, given: readonly string[], at: string): void {
  const missing = [...open].find((id) => !given.includes(id));
  if (missing !== undefined) {
    throw invalidParams(
      `${at}: the tool use ${shown(missing)} has to be followed at once by its result`,
    );
  }
  const stray = given.find((id, index) => !open.has(id) || given.indexOf(id) !== index);
  if (stray !== undefined) {
    throw invalidParams(
      `${at}: the tool result ${shown(stray)} answers no tool use of the message before`,
    );
  }
}

/** The blocks of a message, as an array even if it has only one. */
export function blocksOf({
  content,
}: {
  readonly content: SamplingContent | readonly SamplingContent[];
}): readonly SamplingContent[] {
  return isList(content) ? content : [content];
}

function isList(
  content: SamplingContent | readonly SamplingContent[],
): content is readonly SamplingContent[] {
  return Array.isArray(content);
}

function readToolParams({ tools, toolChoice }: JsonObject): Partial<CreateMessageRequest> {
  if (tools !== undefined && !(Array.isArray(tools) && tools.every(isTool))) {
    throw invalidParams('"tools" must be a list of tools, each with a name and an inputSchema');
  }
  const names = (tools ?? []).map(({ name }) => name);
  if (new Set(names).size < names.length) {
    throw invalidParams('"tools" has two tools of the same name');
  }
  const mode = readToolMode(toolChoice);
  if (mode === 'required' && names.length === 0) {
    throw invalidParams('"toolChoice" requires a tool, and "tools" has none');
  }
  return { ...(tools !== undefined && { tools }), ...(mode && { toolChoice: { mode } }) };
}

function readToolMode(choice: unknown): 'auto' | 'required' | 'none' | undefined {
  if (choice === undefined) {
    return undefined;
  }
  const mode = isObject(choice) ? (choice['mode'] ?? 'auto') : undefined;
  if (mode !== 'auto' && mode !== 'required' && mode !== 'none') {
    throw invalidParams('"toolChoice.mode" must be "auto", "required" or "none"');
  }
  return mode;
}

/** Malformed hints are dropped without an error: they are only advice (SAMP-09). */
function readPreferences(value: unknown): ModelPreferences | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { hints } = value;
  const names = (Array.isArray(hints) ? hints : []).flatMap((hint: unknown) =>
    isObject(hint) && isString(hint['name']) && hint['name'].trim() !== ''
      ? [{ name: hint['name'] }]
      : [],
  );
  const priority = (name: string): Readonly<Record<string, number>> => {
    const given = value[name];
    return isFiniteNumber(given) ? { [name]: Math.min(1, Math.max(0, given)) } : {};
  };
  return {
    ...(names.length > 0 && { hints: names }),
    ...priority('costPriority'),
    ...priority('speedPriority'),
    ...priority('intelligencePriority'),
  };
}

function readContext(value: unknown): CreateMessageRequest['includeContext'] {
  return value === 'none' || value === 'thisServer' || value === 'allServers' ? value : undefined;
}

function isTool(value: unknown): value is Tool {
  return (
    isObject(value) &&
    isString(value['name']) &&
    value['name'] !== '' &&
    isObject(value['inputSchema']) &&
    (value['description'] === undefined || isString(value['description']))
  );
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function shown(id: string): string {
  return JSON.stringify(truncated(id, 100));
}

/** @throws RpcError -32602 naming the place `at` and what is wrong there */
export function readBlock(
  value: unknown,
  at: string,
  role: SamplingMessage['role'],
  revision: Revision,
): SamplingContent {
  if (!isObject(value)) {
    throw invalidParams(`${at} must be a content block`);
  }
  const { type } = value;
  const block = knownBlock(value, revision);
  if (block === undefined) {
    throw invalidParams(
      isString(type)
        ? `${at} is not valid content of type ${JSON.stringify(truncated(type, 40))} in revision ${revision}`
        : `${at}.type must be a string`,
    );
  }
  if (block.type === 'tool_use' && role !== 'assistant') {
    throw invalidParams(`${at}: a tool_use belongs to a message of the assistant`);
  }
  if (block.type === 'tool_result' && role !== 'user') {
    throw invalidParams(`${at}: a tool_result belongs to a message of the user`);
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
