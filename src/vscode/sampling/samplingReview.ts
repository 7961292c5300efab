/** The whole text for a model or for a server, as a document, with the next actions beside it. */
import * as vscode from 'vscode';
import type { Turn } from '../../host/questions/questionQueue.ts';
import type { ResultFile } from '../text/resultFiles.ts';
import { type KeepFile, readWhole } from '../text/wholeText.ts';

/** Closes when the request is withdrawn. */
export function reviewSampling(
  title: string,
  file: ResultFile,
  keep: KeepFile,
  turn: Turn,
): Promise<'edit' | 'back' | 'later'> {
  return readWhole(
    {
      title,
      placeHolder: vscode.l10n.t('Nothing has been sent yet'),
      file,
      more: [
        {
          label: `$(edit) ${vscode.l10n.t('Edit…')}`,
          description: vscode.l10n.t('change what is sent'),
          end: 'edit',
        },
      ],
    },
    keep,
    turn,
  );
}
