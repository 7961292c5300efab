/**
 * Media types and file name extensions: a resource's name as a document, by which an editor finds its language or
 * viewer. Knows no editor and reads no content.
 */
import { percentDecoded } from '../../base/percentEncoding.ts';
import { beginningOf, trimmedOf } from '../../base/text.ts';

/** Subtypes, without `x-`, that are an extension themselves. */
const sameName =
  /^(?:html|css|csv|jsx|tsx|json|jsonl|xml|yaml|toml|sql|graphql|sh|java|c|go|php|swift|log|diff|ini|png|gif|webp|bmp|avif|tiff|wav|ogg|flac|aac|mp4|webm|pdf|zip|tar|wasm)$/u;

/** Other subtypes. */
const extensions: ReadonlyMap<string, string> = new Map([
  ['plain', 'txt'],
  ['markdown', 'md'],
  ['xhtml+xml', 'xhtml'],
  ['tab-separated-values', 'tsv'],
  ['javascript', 'js'],
  ['typescript', 'ts'],
  ['ndjson', 'jsonl'],
  ['shellscript', 'sh'],
  ['python', 'py'],
  ['java-source', 'java'],
  ['c++', 'cpp'],
  ['csharp', 'cs'],
  ['rust', 'rs'],
  ['ruby', 'rb'],
  ['kotlin', 'kt'],
  ['calendar', 'ics'],
  ['jpeg', 'jpg'],
  ['svg+xml', 'svg'],
  ['icon', 'ico'],
  ['vnd.microsoft.icon', 'ico'],
  ['audio/mpeg', 'mp3'],
  ['gzip', 'gz'],
  ['octet-stream', 'bin'],
]);

/** Without a dot; undefined for an unknown type. `application/ld+json` has the extension of JSON (RFC 6839). */
export function extensionOf(mediaType: string): string | undefined {
  const essence = (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
  const subtype =
    /^(?:text|image|audio|video|application)\/(?:x-)?(.*)$/su.exec(essence)?.[1] ?? '';
  const suffix = /\+(json|xml|yaml|zip)$/u.exec(essence)?.[1];
  return (
    extensions.get(essence) ??
    extensions.get(subtype) ??
    (sameName.test(subtype) ? subtype : suffix)
  );
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
