/**
 * Attaches a resource to the editor's chat, as a file that the chat's participant or agent reads. A resource that is
 * meant for people alone is not attached without a question.
 */
import * as vscode from 'vscode';
import { displayLabel } from '../../host/catalog/labels.ts';
import { isFor } from '../../host/chat/toolResult.ts';
import { confirmChoice } from '../questions/modal.ts';
import { oneLine } from '../text/text.ts';
import {
  addressOf,
  documentOf,
  readSubject,
  type ResourceServices,
  type Subject,
} from './resourceSubject.ts';

export async function addToChat(
  { recents }: Pick<ResourceServices, 'recents'>,
  subject: Subject,
): Promise<void> {
  const contents = await readSubject(subject);
  if (!(await isMeant(subject))) {
    return;
  }
  const document = documentOf(subject, contents);
  try {
    // Neither the command nor its options are part of the API.
    await vscode.commands.executeCommand('workbench.action.chat.open', {
      attachFiles: [document],
      isPartialQuery: true,
    });
  } catch {
    const query = `@mcp /resource ${subject.uri} `;
    await vscode.env.clipboard.writeText(query);
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'The chat could not be opened. A message with the resource is on the clipboard.',
      ),
    );
  }
  await recents.add(addressOf(subject));
}

async function isMeant({ listed, connection }: Subject): Promise<boolean> {
  if (listed === undefined || isFor('assistant', listed.annotations)) {
    return true;
  }
  return confirmChoice(
    vscode.l10n.t(
      'The MCP server "{0}" says that this resource is for you, not for a model.',
      oneLine(connection.config.name, 60),
    ),
    oneLine(displayLabel(listed), 200),
    vscode.l10n.t('Attach Anyway'),
  );
}
