/** Opens a resource as a document and remembers it: a known one, or one made from a template. */
import * as vscode from 'vscode';
import {
  addressOf,
  documentOf,
  readSubject,
  type ResourceServices,
  type Subject,
} from './resourceSubject.ts';

/**
 * Reads before it opens: for an unreadable file the editor only says "unexpected error".
 * @param template that the URI was made from
 */
export async function openResource(
  { recents }: ResourceServices,
  subject: Subject,
  template?: string,
): Promise<void> {
  const contents = await readSubject(subject);
  await vscode.commands.executeCommand('vscode.open', documentOf(subject, contents));
  await recents.add({ ...addressOf(subject), ...(template === undefined ? {} : { template }) });
}
