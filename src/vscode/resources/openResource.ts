/** Opens resources as documents, and remembers which: one that is known, or one made from a template. */
import * as vscode from 'vscode';
import {
  addressOf,
  documentOf,
  readSubject,
  type ResourceServices,
  type Subject,
} from './resourceSubject.ts';

/**
 * Reads before it opens: of a file that cannot be read the editor says no more than "unexpected error".
 * @param template from which the URI was made
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
