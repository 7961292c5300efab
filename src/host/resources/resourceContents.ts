/** What servers say and send of contents: annotations, and texts and bytes. Pure. */
import { t } from '../../base/l10n.ts';
import { isObject, isString } from '../../base/json.ts';
import { McpError } from '../../mcp/errors.ts';

export type ResourceContent = {
  /** May be below the URI that was read (RES-03). */
  readonly uri: string;
  readonly mimeType?: string;
} & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array }
);

/** As the server sent them; texts as UTF-8. */
export function bytesOf(content: ResourceContent): Uint8Array {
  return content.kind === 'text' ? Buffer.from(content.text) : content.bytes;
}

/**
 * Items that are neither text nor base64 are an error only if there are no others.
 * @throws McpError `protocol`: no usable item.
 */
export function decodeContents(
  uri: string,
  contents: readonly unknown[],
): readonly ResourceContent[] {
  const decoded: ResourceContent[] = [];
  let problem = t('The server returned no contents');
  for (const item of contents) {
    const data = dataOf(item);
    if (data === undefined) {
      problem = t('The server returned contents with neither text nor base64 data');
      continue;
    }
    const { mimeType } = data;
    const head = { uri: data.uri ?? uri, ...(mimeType === undefined ? {} : { mimeType }) };
    if (data.kind === 'text') {
      decoded.push({ ...head, kind: 'text', text: data.encoded });
    } else if (isBase64(data.encoded)) {
      decoded.push({ ...head, kind: 'binary', bytes: Buffer.from(data.encoded, 'base64') });
    } else {
      problem = t('The server returned binary contents that are not base64');
    }
  }
  if (decoded.length === 0) {
    throw new McpError('protocol', problem);
  }
  return decoded;
}

interface Data {
  readonly kind: 'text' | 'blob';
  readonly encoded: string;
  readonly uri: string | undefined;
  readonly mimeType: string | undefined;
}

function dataOf(item: unknown): Data | undefined {
  if (!isObject(item)) {
    return undefined;
  }
  const { uri, mimeType, text, blob } = item;
  const head = {
    uri: isString(uri) ? uri : undefined,
    mimeType: isString(mimeType) && mimeType !== '' ? mimeType : undefined,
  };
  if (isString(text)) {
    return { ...head, kind: 'text', encoded: text };
  }
  return isString(blob) ? { ...head, kind: 'blob', encoded: blob } : undefined;
}

/** Node skips characters that are not base64, so this checks; line breaks and both alphabets are in use. */
function isBase64(text: string): boolean {
  // Trimmed first: an expression with blanks in two places would backtrack over every split of them.
  return /^[\w+/\-\s]*={0,2}$/u.test(text.trimEnd());
}

/** A server's annotations of a resource or of content: hints, on which only `host/chat/modelParts.ts` acts. */
export interface ReadAnnotations {
  /** Empty when the server does not say. */
  readonly audience: readonly ('user' | 'assistant')[];
  /** From 0, entirely optional, to 1, as good as required. */
  readonly priority?: number;
  /** ISO 8601, if the server follows the specification. */
  readonly lastModified?: string;
}

/** The members that are well-formed (schema of revision 2025-11-25, Annotations), for a value of any shape. */
export function readAnnotations(value: unknown): ReadAnnotations {
  const { audience, priority, lastModified } = isObject(value) ? value : {};
  const named = new Set<unknown>(Array.isArray(audience) ? audience : []);
  return {
    audience: (['user', 'assistant'] as const).filter((role) => named.has(role)),
    ...(typeof priority === 'number' && priority >= 0 && priority <= 1 && { priority }),
    ...(isString(lastModified) && lastModified.trim() !== '' && { lastModified }),
  };
}
