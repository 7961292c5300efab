/** Watches resources for the user, and shows what changed in one. The host decides what counts as a change. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { pickOne } from '../editor/pickOne.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import { bytesOf } from '../../host/resources/resourceContents.ts';
import { McpError } from '../../mcp/errors.ts';
import { neverAborted } from '../text/cancellation.ts';
import { oneLine } from '../text/labelText.ts';
import { drawn } from './partsDocument.ts';
import {
  activeUri,
  documentOf,
  readSubject,
  type ResourceServices,
  type Subject,
  subjectAt,
  subjectOf,
} from './resourceSubject.ts';

/** @throws McpError `unsupported` if the server has no subscriptions; errors of subscribing */
export async function watch({ watched }: ResourceServices, subject: Subject): Promise<void> {
  const { connection, uri } = subject;
  const address = { serverId: connection.id, uri };
  await readSubject(subject);
  const { state } = connection;
  if (state.kind === 'ready' && state.server.capabilities.resources?.subscribe !== true) {
    throw new McpError(
      'unsupported',
      vscode.l10n.t(
        'MCP server "{0}" does not report changes of its resources, so "{1}" cannot be watched. Open it again to see its content.',
        oneLine(connection.config.name, 60),
        oneLine(uri, 200),
      ),
    );
  }
  await watched.start(address, neverAborted);
}

/** The one in front if it is watched, else the user's choice. */
export async function pickWatched({
  host,
  watched,
}: ResourceServices): Promise<Subject | undefined> {
  const items = watched.addresses.flatMap((address) => {
    const subject = subjectAt(host, address);
    return subject === undefined
      ? []
      : [
          {
            label: oneLine(labelOf(subject), 100),
            description: oneLine(subject.connection.config.name, 60),
            detail:
              watched.stateOf(address) === 'changed'
                ? `${vscode.l10n.t('changed')} · ${oneLine(address.uri, 200)}`
                : oneLine(address.uri, 200),
            subject,
          },
        ];
  });
  const front = subjectOf(host, activeUri());
  const isFront = ({ subject }: (typeof items)[number]): boolean =>
    subject.uri === front?.uri && subject.connection === front.connection;
  if (items.some(isFront)) {
    return front;
  }
  const picked = await pickOne(items, vscode.l10n.t('No resource is watched.'), {
    title: vscode.l10n.t('Watched resources'),
    placeHolder: vscode.l10n.t('Which watched resource?'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.subject;
}

function labelOf({ listed, uri }: Subject): string {
  return listed === undefined ? uri : displayLabel(listed);
}

/** Shows what the user saw before the last change beside the current resource, which updates. */
export async function compare(
  { watched, keepFile }: ResourceServices,
  subject: Subject,
): Promise<void> {
  const { connection, uri, listed } = subject;
  const address = { serverId: connection.id, uri };
  // The remembered version is the whole resource, even if the command was called on one part.
  const whole: Subject = { connection, uri, ...(listed && { listed }) };
  const label = oneLine(labelOf(whole), 80);
  if (watched.stateOf(address) === 'none') {
    throw new McpError(
      'invalidInput',
      vscode.l10n.t(
        '"{0}" is not watched, so its earlier content is unknown. Choose "Watch Resource" first.',
        label,
      ),
    );
  }
  await watched.whenRead(address);
  const previous = watched.previous(address);
  if (previous === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('{0} has not changed since you began to watch it.', label),
    );
    return;
  }
  if (previous.contents === undefined) {
    throw new McpError(
      'unsupported',
      vscode.l10n.t(
        'What "{0}" held before was too large to be kept. Open it to see what it holds now.',
        label,
      ),
    );
  }
  const now = documentOf(whole, await readSubject(whole));
  const [first] = previous.contents;
  const bytes =
    previous.contents.length > 1 || first === undefined
      ? drawn(address, previous.contents).bytes
      : bytesOf(first);
  const before = keepFile({ name: path.posix.basename(now.path), bytes });
  if (before !== undefined) {
    const title = vscode.l10n.t('{0}: before ↔ now', label);
    await vscode.commands.executeCommand('vscode.diff', before, now, title);
    watched.seen(address);
  }
}
