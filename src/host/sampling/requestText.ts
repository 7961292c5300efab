/**
 * Converts a request or an answer to text that a person reads and edits, and back. Images and audio stay unchanged: in
 * the text a word stands for their bytes.
 */
import { toError } from '../../base/async.ts';
import { isObject, isString } from '../../base/json.ts';
import { McpError, isRpcError } from '../../mcp/errors.ts';
import type { Revision } from '../../mcp/revisions.ts';
import { readBlock, readCreateMessage } from '../../mcp/samplingParams.ts';
import type { CreateMessageRequest, SamplingContent } from '../../mcp/types/clientFeatures.ts';
import { toModelRequest } from './modelRequest.ts';

export interface EditableText {
  readonly text: string;
  readonly language: 'json' | 'plaintext';
}

export function requestText(request: CreateMessageRequest): EditableText {
  return { text: toJson(request), language: 'json' };
}

/**
 * @param original the request that the text was made from
 * @throws McpError `invalidInput` that names the mistake
 */
export function readRequestText(
  text: string,
  original: CreateMessageRequest,
  revision: Revision,
): CreateMessageRequest {
  const value = fromJson(text, original);
  if (!isObject(value)) {
    throw new McpError('invalidInput', 'The text must be a JSON object');
  }
  return plainly(() => {
    const request = readCreateMessage(value, revision);
    toModelRequest(request, '');
    return request;
  });
}

/** A single text is edited as plain text. */
export function answerText(content: readonly SamplingContent[]): EditableText {
  const [first, ...others] = content;
  return first?.type === 'text' && others.length === 0
    ? { text: first.text, language: 'plaintext' }
    : { text: toJson(content), language: 'json' };
}

/** @throws as {@link readRequestText} */
export function readAnswerText(
  text: string,
  original: readonly SamplingContent[],
  revision: Revision,
): readonly SamplingContent[] {
  if (answerText(original).language === 'plaintext') {
    return [{ type: 'text', text }];
  }
  const value = fromJson(text, original);
  if (!Array.isArray(value) || value.length === 0) {
    throw new McpError('invalidInput', 'The text must be a JSON array of content blocks');
  }
  return value.map((block: unknown, index) =>
    plainly(() => readBlock(block, `block ${index + 1}`, 'assistant', revision)),
  );
}

function toJson(value: unknown): string {
  const stand = new StandIns();
  return `${JSON.stringify(value, (_key, inner: unknown) => stand.inFor(inner), 2)}\n`;
}

function fromJson(text: string, original: unknown): unknown {
  const stand = new StandIns();
  JSON.stringify(original, (_key, inner: unknown) => stand.inFor(inner));
  try {
    return JSON.parse(text, (_key, inner: unknown) =>
      isString(inner) ? (stand.bytes.get(inner) ?? inner) : inner,
    );
  } catch (error) {
    throw new McpError('invalidInput', `Not valid JSON: ${toError(error).message}`, {
      cause: error,
    });
  }
}

/** Replaces Base64 by words, always the same ones for the same value. */
class StandIns {
  /** By the word that replaces them. */
  readonly bytes = new Map<string, string>();

  inFor(value: unknown): unknown {
    if (!isObject(value)) {
      return value;
    }
    const { data, blob, mimeType } = value;
    const type = isString(mimeType) ? mimeType : 'data';
    return {
      ...value,
      ...(isString(data) && isString(mimeType) && { data: this.#word(data, type) }),
      ...(isString(blob) && { blob: this.#word(blob, type) }),
    };
  }

  #word(base64: string, type: string): string {
    const bytes = Buffer.byteLength(base64, 'base64');
    const word = `<${this.bytes.size + 1}: ${type}, ${bytes} bytes, kept as it is>`;
    this.bytes.set(word, base64);
    return word;
  }
}

/** Rewords errors for a person, who does not know `params`. */
function plainly<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw isRpcError(error)
      ? new McpError('invalidInput', error.message.replace('Invalid params: ', ''), {
          cause: error,
        })
      : error;
  }
}
