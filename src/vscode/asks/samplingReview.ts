/** The whole request as a document, with what can be done next beside it. Goes when the request is withdrawn. */
import * as vscode from 'vscode';
import type { Turn } from '../../host/asks/questionQueue.ts';
import type { CreateMessageRequest } from '../../mcp/types/asks.ts';
import { oneLine } from '../text.ts';
import { safeFileName } from '../tools/resultFiles.ts';
import { type KeepFile, readWhole } from '../wholeText.ts';
import { requestMarkdown } from './samplingText.ts';

export function reviewRequest(
  {
    server,
    model,
    request,
  }: { readonly server: string; readonly model: string; readonly request: CreateMessageRequest },
  keep: KeepFile,
  turn: Turn,
): Promise<'edit' | 'back' | 'later'> {
  return readWhole(
    {
      title: vscode.l10n.t('Sampling request of the MCP server "{0}"', oneLine(server, 60)),
      placeHolder: vscode.l10n.t('Nothing has been sent yet'),
      file: {
        name: `sampling-request-${safeFileName(server)}.md`,
        bytes: Buffer.from(requestMarkdown(request, server, model)),
      },
      more: [
        {
          label: `$(edit) ${vscode.l10n.t('Edit…')}`,
          description: vscode.l10n.t('change what the model gets'),
          end: 'edit',
        },
      ],
    },
    keep,
    turn,
  );
}
