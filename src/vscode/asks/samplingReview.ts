/** The whole request as a document, with what can be done next beside it. Goes when the request is withdrawn. */
import * as vscode from 'vscode';
import type { CreateMessageRequest } from '../../mcp/types/asks.ts';
import { toToken } from '../cancellation.ts';
import { inert, oneLine } from '../text.ts';
import { type ResultFile, safeFileName } from '../tools/resultFiles.ts';
import { requestMarkdown } from './samplingText.ts';

/** Keeps a file and gives its URI. */
export type OpenDocument = (file: ResultFile) => vscode.Uri | undefined;

export async function reviewRequest(
  {
    server,
    model,
    request,
  }: { readonly server: string; readonly model: string; readonly request: CreateMessageRequest },
  open: OpenDocument,
  signal: AbortSignal,
): Promise<'edit' | 'back'> {
  const uri = open({
    name: `sampling-request-${safeFileName(server)}.md`,
    bytes: Buffer.from(requestMarkdown(request, server, model)),
  });
  if (uri !== undefined) {
    await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
  }
  const { token, dispose } = toToken(signal);
  try {
    const picked = await vscode.window.showQuickPick(
      [
        {
          label: `$(arrow-left) ${vscode.l10n.t('Back to the Question')}`,
          description: vscode.l10n.t('allow or deny it there'),
          end: 'back' as const,
        },
        {
          label: `$(edit) ${vscode.l10n.t('Edit…')}`,
          description: vscode.l10n.t('change what the model gets'),
          end: 'edit' as const,
        },
      ],
      {
        title: vscode.l10n.t(
          'Sampling request of the MCP server "{0}"',
          inert(oneLine(server, 60)),
        ),
        placeHolder: vscode.l10n.t('Nothing has been sent yet'),
        ignoreFocusOut: true,
      },
      token,
    );
    return picked?.end ?? 'back';
  } finally {
    dispose();
    if (uri !== undefined) {
      await closeTab(uri);
    }
  }
}

async function closeTab(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const own = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
  );
  if (own.length > 0) {
    await vscode.window.tabGroups.close(own);
  }
}
