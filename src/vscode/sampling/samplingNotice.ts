/** Unprompted messages to the user about sampling. */
import * as vscode from 'vscode';
import type { SamplingNotice } from '../../host/sampling/samplingUi.ts';
import { oneLine } from '../text/text.ts';

/** @param asker the server, as dialogs name it */
export function noticeText(asker: string, notice: SamplingNotice): string {
  switch (notice.kind) {
    case 'withdrawn':
      return vscode.l10n.t(
        '{0} withdrew its request before you answered. Nothing was sent, and nothing is remembered.',
        asker,
      );
    case 'tooMany':
      return vscode.l10n.t(
        '{0} wants to use language models more than {1} times a minute. Further requests are refused for now. In its entry, "limits": {"samplingPerMinute": …} allows more, and "sampling": false refuses all.',
        asker,
        notice.perMinute,
      );
    case 'tooManyAtOnce':
      return vscode.l10n.t(
        '{0} already has {1} open requests to language models, so another one was refused. Answer its questions, or wait for the model. In its entry, "sampling": false refuses all.',
        asker,
        notice.atOnce,
      );
    case 'noModel':
      return vscode.l10n.t(
        '{0} wants to use a language model, but the editor has none. An extension such as GitHub Copilot provides some.',
        asker,
      );
    case 'failed':
      return vscode.l10n.t(
        'The language model failed for {0}: {1}',
        asker,
        oneLine(notice.reason, 300),
      );
  }
}
