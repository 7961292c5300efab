/**
 * Shows a text that a dialog cut, whole in a read-only document: as plain text with wrapped lines and without links
 * (language `mcp-text` in package.json); or what has pictures as a page.
 */
import * as vscode from 'vscode';
import type { Turn } from '../../host/questions/questionQueue.ts';
import { withToken } from './cancellation.ts';
import { showPage } from './contentPage.ts';
import type { Html } from './html.ts';
import { type ResultFile, safeFileName } from './resultFiles.ts';

/** Keeps a file and returns its URI. */
export type KeepFile = (file: ResultFile) => vscode.Uri | undefined;

/** Plain text. @param about for the document's name, such as the server's name */
export function textFile(about: string, text: string): ResultFile {
  return { name: `${safeFileName(about)}.mcp.txt`, bytes: Buffer.from(text) };
}

/** Empty lines, since the open step or pick covers the top of the editor, and the user cannot scroll above the text. */
const covered = Buffer.from('\n'.repeat(9));

/** Does not move the focus. @returns a function that closes the document */
export async function openFile(keep: KeepFile, file: ResultFile): Promise<() => Promise<void>> {
  const uri = keep({ ...file, bytes: Buffer.concat([covered, file.bytes]) });
  if (uri === undefined) {
    return async () => undefined;
  }
  await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
  return () => closeTab(uri);
}

/** Lets `show` open a file, once, which closes when `show` is over. */
export async function withFile<T>(
  keep: KeepFile,
  file: () => ResultFile,
  show: (open: () => void) => Promise<T>,
): Promise<T> {
  let opened: ReturnType<typeof openFile> | undefined;
  try {
    return await show(() => void (opened ??= openFile(keep, file())));
  } finally {
    const close = await opened;
    await close?.();
  }
}

async function openPage(title: string, body: Html): Promise<() => Promise<void>> {
  const page = showPage({ viewType: 'mcpHost.whole', title, body, isBelowPick: true });
  return async () => void page.dispose();
}

interface Whole<E extends string> {
  readonly title: string;
  readonly placeHolder: string;
  /** A document, or the body of a page. */
  readonly whole: ResultFile | Html;
  /** Actions besides going back. */
  readonly more?: readonly (vscode.QuickPickItem & { readonly end: E })[];
}

/**
 * Replaces a modal by the document and a pick to go back to the modal, which is closed meanwhile. The document closes
 * with the pick.
 */
export async function readWhole<E extends string = never>(
  { title, placeHolder, whole, more = [] }: Whole<E>,
  keep: KeepFile,
  { signal, postponable }: Turn,
): Promise<E | 'back' | 'later'> {
  const close = await ('markup' in whole ? openPage(title, whole) : openFile(keep, whole));
  try {
    return await postponable(async (postponed) => {
      const items: readonly (vscode.QuickPickItem & { readonly end: E | 'back' })[] = [
        {
          label: `$(arrow-left) ${vscode.l10n.t('Back to the Question')}`,
          description: vscode.l10n.t('allow or deny it there'),
          end: 'back',
        },
        ...more,
      ];
      const picked = await withToken(AbortSignal.any([signal, postponed]), (token) =>
        vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }, token),
      );
      return postponed.aborted ? 'later' : (picked?.end ?? 'back');
    });
  } finally {
    await close();
  }
}

/** Closes the document wherever it is open. */
export async function closeTab(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const own = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
  );
  if (own.length > 0) {
    await vscode.window.tabGroups.close(own);
  }
}
