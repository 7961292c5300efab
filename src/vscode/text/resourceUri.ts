/**
 * How a resource of a server becomes a URI of the editor and back: `mcphost://<server id, hex>/<resource URI as one
 * segment>/<file name>`, with `@<number>` before the file name for one of several parts of a read. The file name is for
 * people and for the choice of language or viewer; the rest identifies the resource. The editor shows both in
 * breadcrumbs and hovers, so the segment is the URI with other slashes.
 */
import * as vscode from 'vscode';
import { fileNameFor } from '../../host/resources/mediaTypes.ts';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import { resourceScheme } from '../ids.ts';

/** A whole resource, or one part of its read. */
export interface DocumentAddress extends ResourceAddress {
  /** The number of the part, from 1. */
  readonly part?: number | undefined;
}

export function toEditorUri(address: DocumentAddress, fileName: string): vscode.Uri {
  const part = address.part === undefined ? '' : `@${address.part}/`;
  return vscode.Uri.from({
    scheme: resourceScheme,
    // An authority is case-insensitive, so the id is written in hexadecimal.
    authority: Buffer.from(address.serverId).toString('hex'),
    path: `/${toSegment(address.uri)}/${part}${fileName}`,
  });
}

/** Of a whole resource, named after its URI and media type. */
export function resourceUri(
  serverId: string,
  { uri, mimeType }: { readonly uri: string; readonly mimeType?: string | undefined },
): vscode.Uri {
  return toEditorUri({ serverId, uri }, fileNameFor(uri, mimeType));
}

/** U+2215 looks like a slash and separates no segments. */
const slashInSegment = '\u2215';

function toSegment(uri: string): string {
  return uri
    .replaceAll(/[%\\\u2215\p{Cc}\p{Cf}]/gu, encodeURIComponent)
    .replaceAll('/', slashInSegment);
}

/** No file name has this form: see `fileNameFor`. */
const partSegment = /^@([1-9]\d{0,5})$/u;

/** Undefined for a URI that {@link toEditorUri} did not make. */
export function fromEditorUri(uri: vscode.Uri): DocumentAddress | undefined {
  const [, encoded, ...names] = uri.path.split('/');
  const part = names.length === 2 ? partSegment.exec(names[0] ?? '')?.[1] : undefined;
  const isOurs =
    uri.scheme === resourceScheme &&
    /^(?:[0-9a-f]{2})+$/u.test(uri.authority) &&
    encoded !== undefined &&
    (names.length === 1 || part !== undefined);
  if (!isOurs) {
    return undefined;
  }
  try {
    return {
      serverId: Buffer.from(uri.authority, 'hex').toString(),
      uri: decodeURIComponent(encoded.replaceAll(slashInSegment, '/')),
      part: part === undefined ? undefined : Number(part),
    };
  } catch {
    return undefined; // "%" without two digits: typed by hand
  }
}

/** The folders above a file, which the editor looks at for breadcrumbs. */
export function isFolder({ path }: vscode.Uri): boolean {
  const names = path.split('/').filter((name) => name !== '');
  return names.length < 2 || (names.length === 2 && partSegment.test(names[1] ?? ''));
}

/** The end of a document name that shows several parts. */
export const partsEnding = '.parts.md';
