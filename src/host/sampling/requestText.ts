/**
 * Converts a request or an answer to text that a person reads and edits, and back. Images and audio stay unchanged: in
 * the text a word stands for their bytes.
 */
import { t } from '../../base/l10n.ts';
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
    throw new McpError('invalidInput', t('The text must be a JSON object'));
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
    throw new McpError('invalidInput', t('The text must be a JSON array of content blocks'));
  }
  return value.map((block: unknown, index) =>
    plainly(() => readBlock(block, `block ${index + 1}`, 'assistant', revision)),
  );
}

function toJson(value: unknown): string {
  return `${JSON.stringify(withWords(value).value, undefined, 2)}\n`;
}

function fromJson(text: string, original: unknown): unknown {
  const { bytes } = withWords(original);
  try {
    return mapBytes(JSON.parse(text), (word) => bytes.get(word) ?? word);
  } catch (error) {
    throw new McpError('invalidInput', t('Not valid JSON: {0}', toError(error).message), {
      cause: error,
    });
  }
}

/** Replaces bytes by words, always the same ones for the same value. */
function withWords(value: unknown): {
  readonly value: unknown;
  /** Base64, by the word that replaces it. */
  readonly bytes: ReadonlyMap<string, string>;
} {
  const bytes = new Map<string, string>();
  const toWord = (base64: string, type: string): string => {
    const size = Buffer.byteLength(base64, 'base64');
    const word = `<${bytes.size + 1}: ${type}, ${size} bytes, kept as it is>`;
    bytes.set(word, base64);
    return word;
  };
  return { value: mapBytes(value, toWord), bytes };
}

/** Members that lead to images, audio and resources. All else, such as the input of a tool, is text for the model. */
const containers: ReadonlySet<string> = new Set(['messages', 'content', 'resource']);

function mapBytes(value: unknown, change: (base64: string, type: string) => string): unknown {
  if (Array.isArray(value)) {
    return value.map((inner: unknown) => mapBytes(inner, change));
  }
  if (!isObject(value)) {
    return value;
  }
  const { type, mimeType } = value;
  const bytesIn = type === 'image' || type === 'audio' ? 'data' : 'blob';
  const members = Object.entries(value).map(([name, inner]) => {
    if (name === bytesIn && isString(inner)) {
      return [name, change(inner, isString(mimeType) ? mimeType : 'data')];
    }
    return [name, containers.has(name) ? mapBytes(inner, change) : inner];
  });
  return Object.fromEntries(members);
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
