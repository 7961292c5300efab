/** Saves a resource, or one part of it, as a file. */
import * as vscode from 'vscode';
import { fileNameFor } from '../../host/resources/mediaTypes.ts';
import { bytesOf, type ResourceContent } from '../../host/resources/resourceContents.ts';
import { saveFile } from '../editor/saveFile.ts';
import { oneLine } from '../text/text.ts';
import { contentOf, readSubject, type Subject } from './resourceSubject.ts';

/** The bytes as received. The user chooses one of several parts. */
export async function saveAs(subject: Subject): Promise<void> {
  const contents = await readSubject(subject);
  const content =
    subject.part === undefined && contents.length > 1
      ? await pickPart(contents)
      : contentOf(subject, contents);
  if (content === undefined) {
    return;
  }
  const name = fileNameFor(content.uri, content.mimeType ?? subject.listed?.mimeType);
  const title = vscode.l10n.t('Save {0}', oneLine(content.uri, 120));
  await saveFile({ title, name }, () => bytesOf(content));
}

async function pickPart(
  contents: readonly ResourceContent[],
): Promise<ResourceContent | undefined> {
  const items = contents.map((content) => ({
    label: fileNameFor(content.uri, content.mimeType),
    description: oneLine(content.mimeType ?? '', 60),
    detail: oneLine(content.uri, 200),
    content,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Parts of the resource'),
    placeHolder: vscode.l10n.t('Which part of the resource should be saved?'),
  });
  return picked?.content;
}
