/** The user interface of elicitation in VS Code. */
import type { Asker } from '../../host/questions/asker.ts';
import * as vscode from 'vscode';
import type { Answer, ElicitationUi, Notice } from '../../host/elicitation/elicitationUi.ts';
import type { Turn } from '../../host/questions/questionQueue.ts';
import { openExternal } from '../editor/uris.ts';
import { isCutOnOneLine } from '../text/labelText.ts';
import type { ResultFile } from '../text/resultFiles.ts';
import { type KeepFile, textFile, withFile } from '../text/wholeText.ts';
import { askerText } from '../questions/modal.ts';
import { runForm } from '../forms/formWizard.ts';
import { awaitReturn, confirmLink, hostText } from './linkDialog.ts';
import { isFieldCut, wholeField } from '../forms/fieldText.ts';
import { type Frame, maxMessage, type StepButton, stepButton } from '../forms/step.ts';
import { Elicitation, type ElicitationServices } from '../../host/elicitation/elicitation.ts';
import type { McpHost } from '../../host/servers/host.ts';

/** It lasts as long as `host`. */
export function createElicitation({
  host,
  keepFile,
  ...services
}: Omit<ElicitationServices, 'ui'> & {
  readonly host: Pick<McpHost, 'servers' | 'onDidChangeServers' | 'onDidChangeServer'>;
  readonly keepFile: KeepFile;
}): Elicitation {
  const elicitation = new Elicitation({ ...services, ui: editorElicitationUi(keepFile) });
  const endVisits = (): void =>
    elicitation.endVisits((id) => host.servers.get(id)?.state.kind !== 'ready');
  host.onDidChangeServers(endVisits);
  host.onDidChangeServer(endVisits);
  return elicitation;
}

function editorElicitationUi(keep: KeepFile): ElicitationUi {
  return {
    fillForm: ({ asker, message, draft }, turn) => {
      const { fields } = draft.form;
      const more = fields.flatMap((field) => ['', ...wholeField(field)]);
      const said = { asker, message, more, isCut: fields.some(isFieldCut) };
      return during(keep, said, turn, (frame) => runForm(frame, draft));
    },
    confirmLink: (question, turn) => confirmLink(question, keep, turn),
    awaitReturn: (question, turn) => {
      const { asker, message, link } = question;
      const said = { asker, message, more: ['', link.href], isCut: false };
      return during(keep, said, turn, (frame) =>
        awaitReturn(frame, question, () => openExternal(link.href)),
      );
    },
    openLink: openExternal,
    // With a button: the editor cuts a message without one to a line.
    tell: (notice) =>
      void vscode.window.showInformationMessage(noticeText(notice), vscode.l10n.t('OK')),
  };
}

interface Said {
  readonly asker: Asker;
  readonly message: string;
  /** Lines of the whole text besides the message. */
  readonly more: readonly string[];
  /** Some of the lines do not fit in their step. */
  readonly isCut: boolean;
}

/** The document with the whole text, once opened, stays open as long as the steps. */
function during(
  keep: KeepFile,
  { asker, message, more, isCut }: Said,
  { signal, postponable }: Turn,
  show: (frame: Frame) => Promise<Answer>,
): Promise<Answer> {
  const title = askerText(asker);
  const text = [vscode.l10n.t('{0} says:', title), '', message, ...more].join('\n');
  const whole = (): ResultFile => textFile(`message-of-${asker.name}`, text);
  return postponable((postponed) =>
    withFile(keep, whole, (open) => {
      const buttons = stepButtons(isCut || isCutOnOneLine(message, maxMessage) ? open : undefined);
      return show({ title, message, signal, postponed, buttons, wants: 'answer' });
    }),
  );
}

/** @param showWhole opens the server's whole text; absent when no step cuts it */
function stepButtons(showWhole: (() => void) | undefined): readonly StepButton[] {
  const whole = vscode.l10n.t('Show the whole message of the server');
  const later = vscode.l10n.t('Later: keep the answers, and come back through the status bar');
  return [
    ...(showWhole === undefined ? [] : [stepButton('note', whole, showWhole)]),
    stepButton('watch', later, 'later'),
    stepButton('circle-slash', vscode.l10n.t('Decline: tell the server no'), 'decline'),
  ];
}

function noticeText(notice: Notice): string {
  const asker = askerText(notice.asker);
  switch (notice.kind) {
    case 'withdrawn':
      return vscode.l10n.t('{0} withdrew its question. Nothing was sent.', asker);
    case 'tooMany':
      return vscode.l10n.t(
        '{0} asks more than {1} times a minute. Its questions are refused for a while. In its entry, "limits": {"elicitationsPerMinute": …} allows more, and "elicitation": false refuses all.',
        asker,
        notice.perMinute,
      );
    case 'tooManyOpen':
      return vscode.l10n.t(
        '{0} already has {1} open questions, so another one was refused. “Show Waiting Questions…” lists them. In its entry, "elicitation": false refuses all.',
        asker,
        notice.open,
      );
    case 'completed':
      return vscode.l10n.t('{0} says that you are finished on {1}.', asker, hostText(notice.host));
    case 'gone':
      return vscode.l10n.t(
        'The connection to the {0} has ended. It no longer waits for the page on {1}.',
        asker,
        hostText(notice.host),
      );
    case 'notOpened':
      return vscode.l10n.t(
        'The page on {0} for {1} could not be opened.',
        hostText(notice.host),
        asker,
      );
  }
}
