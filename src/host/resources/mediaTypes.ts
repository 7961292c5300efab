/**
 * Media types and file name extensions: a resource's name as a document, by which an editor finds its language or
 * viewer. Knows no editor and reads no content.
 */
import { percentDecoded } from '../../base/percentEncoding.ts';
import { beginningOf, trimmedOf } from '../../base/text.ts';

/** Media type without parameters → extension. The first media type of an extension is its usual one. */
const extensions: ReadonlyMap<string, string> = new Map([
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
  ['text/x-markdown', 'md'],
  ['text/html', 'html'],
  ['application/xhtml+xml', 'xhtml'],
  ['text/css', 'css'],
  ['text/csv', 'csv'],
  ['text/tab-separated-values', 'tsv'],
  ['text/javascript', 'js'],
  ['application/javascript', 'js'],
  ['application/x-javascript', 'js'],
  ['text/typescript', 'ts'],
  ['application/typescript', 'ts'],
  ['text/jsx', 'jsx'],
  ['text/tsx', 'tsx'],
  ['application/json', 'json'],
  ['text/json', 'json'],
  ['application/jsonl', 'jsonl'],
  ['application/x-ndjson', 'jsonl'],
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
  ['application/yaml', 'yaml'],
  ['application/x-yaml', 'yaml'],
  ['text/yaml', 'yaml'],
  ['text/x-yaml', 'yaml'],
  ['application/toml', 'toml'],
  ['application/sql', 'sql'],
  ['text/x-sql', 'sql'],
  ['application/graphql', 'graphql'],
  ['application/x-sh', 'sh'],
  ['text/x-shellscript', 'sh'],
  ['text/x-python', 'py'],
  ['application/x-python', 'py'],
  ['text/x-java', 'java'],
  ['text/x-java-source', 'java'],
  ['text/x-c', 'c'],
  ['text/x-c++', 'cpp'],
  ['text/x-csharp', 'cs'],
  ['text/x-go', 'go'],
  ['text/x-rust', 'rs'],
  ['text/rust', 'rs'],
  ['text/x-ruby', 'rb'],
  ['text/x-php', 'php'],
  ['text/x-swift', 'swift'],
  ['text/x-kotlin', 'kt'],
  ['text/x-log', 'log'],
  ['text/x-diff', 'diff'],
  ['text/x-ini', 'ini'],
  ['text/calendar', 'ics'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/svg+xml', 'svg'],
  ['image/bmp', 'bmp'],
  ['image/x-icon', 'ico'],
  ['image/vnd.microsoft.icon', 'ico'],
  ['image/avif', 'avif'],
  ['image/tiff', 'tiff'],
  ['audio/mpeg', 'mp3'],
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/ogg', 'ogg'],
  ['audio/flac', 'flac'],
  ['audio/aac', 'aac'],
  ['video/mp4', 'mp4'],
  ['video/webm', 'webm'],
  ['application/pdf', 'pdf'],
  ['application/zip', 'zip'],
  ['application/gzip', 'gz'],
  ['application/x-tar', 'tar'],
  ['application/wasm', 'wasm'],
  ['application/octet-stream', 'bin'],
]);

/** Without a dot; undefined for an unknown type. `application/ld+json` has the extension of JSON (RFC 6839). */
export function extensionOf(mediaType: string): string | undefined {
  const essence = (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
  const suffix = /\+(json|xml|yaml|zip)$/u.exec(essence)?.[1];
  return extensions.get(essence) ?? suffix;
}

/** The usual media type for a file name's extension; undefined for an unknown one. */
export function mediaTypeOf(fileName: string): string | undefined {
  const extension = /\.([^.]+)$/u.exec(fileName)?.[1]?.toLowerCase();
  for (const [mediaType, candidate] of extensions) {
    if (candidate === extension) {
      return mediaType;
    }
  }
  return undefined;
}

/** Longer names cause problems in tabs and file systems. */
const maxNameLength = 100;

/**
 * A file name for a resource: the last segment of its URI's path, with the extension of its media
 * type when it has none. Only letters, digits, `.`, `_`, `-` and blanks survive, so that no server
 * can put a path, a control character or a reversed text direction into a document's name.
 */
export function fileNameFor(uri: string, mediaType?: string): string {
  const name = safeName(lastSegment(uri));
  const extension = mediaType === undefined ? undefined : extensionOf(mediaType);
  // "v1.2.3" has none; "archive.7z" has one.
  const hasExtension = /[^.]\.(?!\d+$)[\p{L}\p{N}]{1,10}$/u.test(name);
  return hasExtension || extension === undefined ? name : `${name}.${extension}`;
}

function lastSegment(uri: string): string {
  const path = uri.replace(/[?#].*$/su, '').replace(/^[^:/]*:/u, '');
  const segment = path.split('/').findLast((part) => part !== '') ?? '';
  return percentDecoded(segment);
}

function safeName(text: string): string {
  // Leading and trailing dots are removed: they make hidden files, and "." and "..".
  const name = trimmedOf(text.replaceAll(/[^\p{L}\p{M}\p{N}._\- ]+/gu, '_'), '. ');
  const short = name.length <= maxNameLength ? name : shorten(name);
  return short === '' ? 'resource' : short;
}

function shorten(name: string): string {
  const extension = /\.[^.]{1,10}$/u.exec(name)?.[0] ?? '';
  return beginningOf(name, maxNameLength - extension.length).trimEnd() + extension;
}
