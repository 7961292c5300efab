/**
 * The resource of a command: from the tree's row, the document or the part that it was called on, else the one that the
 * user picks.
 */
import * as vscode from 'vscode';
import { onAbort, settlesWithin } from '../../base/async.ts';
import { isObject, isString } from '../../base/json.ts';
import { fileNameFor } from '../../host/resources/mediaTypes.ts';
import type { RecentUris } from '../../host/resources/resourceAddress.ts';
import type { ResourceContent } from '../../host/resources/resourceContents.ts';
import type { WatchedResources } from '../../host/resources/watchedResources.ts';
import { fromUser } from '../../host/requestOrigin.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { McpError } from '../../mcp/errors.ts';
import type { Resource } from '../../mcp/types/lists.ts';
import type { EditText } from '../text/textEditing.ts';
import { cancellable } from '../text/cancellation.ts';
import { oneLine } from '../text/labelText.ts';
import type { KeepFile } from '../text/wholeText.ts';
import {
  type DocumentAddress,
  fromEditorUri,
  partsEnding,
  toEditorUri,
} from '../text/resourceUri.ts';

export interface ResourceServices {
  readonly host: McpHost;
  readonly recents: RecentUris;
  readonly watched: WatchedResources;
  readonly keepFile: KeepFile;
  readonly editText: EditText;
}

export interface Subject {
  readonly connection: ServerConnection;
  readonly uri: string;
  /** The number of one of several parts, from 1. */
  readonly part?: number | undefined;
  /** The server's list entry; absent for an unlisted resource. */
  readonly listed?: Resource | undefined;
  /** The template that the URI was made from. */
  readonly template?: string;
}

/**
 * Undefined if the argument names no resource.
 * @throws McpError `closed` if the server is gone: a resource of another server would be the wrong one
 */
export function subjectOf(host: McpHost, argument: unknown): Subject | undefined {
  const address = argumentAddress(argument);
  if (address === undefined) {
    return undefined;
  }
  const subject = subjectAt(host, address);
  if (subject === undefined) {
    throw new McpError(
      'closed',
      vscode.l10n.t('The MCP server of this resource is no longer configured.'),
    );
  }
  return subject;
}

/** Of the tab in front: a text, a picture. */
export function activeUri(): vscode.Uri | undefined {
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom
    ? input.uri
    : undefined;
}

/** The address of a document, or of an argument that stands for a row of the tree. */
function argumentAddress(argument: unknown): DocumentAddress | undefined {
  if (argument instanceof vscode.Uri) {
    return fromEditorUri(argument);
  }
  if (!isObject(argument) || argument['kind'] !== 'resource') {
    return undefined;
  }
  const { serverId, resource } = argument;
  return isString(serverId) && isObject(resource) && isString(resource['uri'])
    ? { serverId, uri: resource['uri'] }
    : undefined;
}

/** Undefined if the server is gone. */
export function subjectAt(
  host: McpHost,
  { serverId, uri, part }: DocumentAddress,
): Subject | undefined {
  const connection = host.servers.get(serverId);
  if (connection === undefined) {
    return undefined;
  }
  const listed = connection.catalog.items('resources').find((resource) => resource.uri === uri);
  return { connection, uri, part, listed };
}

export function addressOf({ connection, uri, part }: Subject): DocumentAddress {
  return { serverId: connection.id, uri, part };
}

/** Milliseconds before a read is shown with its Cancel: most end before anybody could read that. */
const shownAfterMs = 700;

/**
 * Reads; the user can cancel a long read. The result is fresh for some seconds, so the server is not asked again when
 * the editor opens the document.
 */
export async function readSubject({
  connection,
  uri,
}: Subject): Promise<readonly ResourceContent[]> {
  const controller = new AbortController();
  const reading = connection.resources.read(uri, controller.signal, fromUser);
  if (await settlesWithin(reading, shownAfterMs)) {
    return reading;
  }
  return cancellable(
    vscode.l10n.t('{0}: reading {1}', oneLine(connection.config.name, 60), oneLine(uri, 120)),
    (signal) => {
      onAbort(signal, () => controller.abort(signal.reason));
      return reading;
    },
  );
}

/** The document of a read: the file name decides how the editor shows it. */
export function documentOf(subject: Subject, contents: readonly ResourceContent[]): vscode.Uri {
  const { uri, part, listed } = subject;
  if (part === undefined && contents.length > 1) {
    return toEditorUri(addressOf(subject), `${fileNameFor(uri)}${partsEnding}`);
  }
  const content = contentOf(subject, contents);
  const name =
    part === undefined
      ? fileNameFor(uri, content.mimeType ?? listed?.mimeType)
      : fileNameFor(content.uri, content.mimeType);
  return toEditorUri(addressOf(subject), name);
}

/** The part of the subject, or the only one. @throws McpError `protocol` */
export function contentOf(
  { uri, part = 1 }: Subject,
  contents: readonly ResourceContent[],
): ResourceContent {
  const content = contents[part - 1];
  if (content === undefined) {
    const text = vscode.l10n.t(
      'The MCP server no longer gives part {0} of "{1}".',
      part,
      oneLine(uri, 200),
    );
    throw new McpError('protocol', text);
  }
  return content;
}
