/**
 * How a resource of a server becomes a URI of the editor and back:
 * `mcphost://<server id, hex>/<resource URI as one segment>/<file name>`.
 * The file name is for people and for the choice of language or viewer; the part before it decides.
 * The editor shows both in breadcrumbs and hovers, so the segment is the URI with other slashes.
 */
import * as vscode from 'vscode';
import { resourceScheme } from '../ids.ts';

export interface ResourceAddress {
  readonly serverId: string;
  readonly uri: string;
}

export function toEditorUri(address: ResourceAddress, fileName: string): vscode.Uri {
  return vscode.Uri.from({
    scheme: resourceScheme,
    // An authority is compared without case, so the id is written in hexadecimal.
    authority: Buffer.from(address.serverId).toString('hex'),
    path: `/${toSegment(address.uri)}/${fileName}`,
  });
}

/** U+2215, which looks like a slash and parts no segments. */
const slashInSegment = '\u2215';

function toSegment(uri: string): string {
  return uri
    .replaceAll(/[%\\\u2215\p{Cc}\p{Cf}]/gu, encodeURIComponent)
    .replaceAll('/', slashInSegment);
}

/** Undefined for a URI that {@link toEditorUri} did not make. */
export function fromEditorUri(uri: vscode.Uri): ResourceAddress | undefined {
  const [, encoded, fileName, ...rest] = uri.path.split('/');
  const isOurs =
    uri.scheme === resourceScheme &&
    /^(?:[0-9a-f]{2})+$/u.test(uri.authority) &&
    encoded !== undefined &&
    fileName !== undefined &&
    rest.length === 0;
  if (!isOurs) {
    return undefined;
  }
  try {
    return {
      serverId: Buffer.from(uri.authority, 'hex').toString(),
      uri: decodeURIComponent(encoded.replaceAll(slashInSegment, '/')),
    };
  } catch {
    return undefined; // "%" without two digits: typed by hand
  }
}
