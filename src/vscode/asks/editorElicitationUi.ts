/** What elicitation needs from an editor, in VS Code. */
import * as vscode from 'vscode';
import type {
  Answer,
  Asker,
  ElicitationUi,
  FormQuestion,
  LinkQuestion,
  Notice,
} from '../../host/asks/elicitationUi.ts';
import type { Turn } from '../../host/asks/questionQueue.ts';
import { openExternal } from '../openExternal.ts';
import { isCutOnOneLine } from '../text.ts';
import { type KeepFile, openFile, textFile } from '../wholeText.ts';
import { askerText } from './askerText.ts';
import { runForm } from './formWizard.ts';
import { awaitReturn, confirmLink, hostText } from './linkDialog.ts';
import { isFieldCut, wholeField } from './fieldText.ts';
import { type Frame, maxMessage } from './step.ts';

interface Said {
  readonly asker: Asker;
  readonly message: string;
  /** Lines of the whole that are not the message. */
  readonly more: readonly string[];
  /** Some of them have no room in their step. */
  readonly isCut: boolean;
}

export class EditorElicitationUi implements ElicitationUi {
  readonly #keep: KeepFile;

  constructor(keep: KeepFile) {
    this.#keep = keep;
  }

  fillForm({ asker, message, draft }: FormQuestion, turn: Turn): Promise<Answer> {
    const { fields } = draft.form;
    const more = fields.flatMap((field) => ['', ...wholeField(field)]);
    const said = { asker, message, more, isCut: fields.some(isFieldCut) };
    return this.#during(said, turn, (frame) => runForm(frame, draft));
  }

  confirmLink(question: LinkQuestion, turn: Turn): Promise<Answer> {
    return confirmLink(question, this.#keep, turn);
  }

  awaitReturn(question: LinkQuestion, turn: Turn): Promise<Answer> {
    const { asker, message, link } = question;
    const said = { asker, message, more: ['', link.href], isCut: false };
    return this.#during(said, turn, (frame) =>
      awaitReturn(frame, question, () => this.openLink(link.href)),
    );
  }

  openLink(href: string): Promise<boolean> {
    return openExternal(href);
  }

  tell(notice: Notice): void {
    // With a button: the editor cuts a message without one at the end of its line.
    void vscode.window.showInformationMessage(noticeText(notice), vscode.l10n.t('OK'));
  }

  /** All that is said, once it was opened, stays as long as the steps do. */
  #during(
    { asker, message, more, isCut }: Said,
    { signal, postponable }: Turn,
    show: (frame: Frame) => Promise<Answer>,
  ): Promise<Answer> {
    return postponable(async (postponed) => {
      let document: Promise<() => Promise<void>> | undefined;
      const open = (): void => {
        const text = [vscode.l10n.t('{0} says:', askerText(asker)), '', message, ...more].join(
          '\n',
        );
        document ??= openFile(this.#keep, textFile(`message-of-${asker.name}`, text));
      };
      try {
        const isAnyCut = isCut || isCutOnOneLine(message, maxMessage);
        const showWhole = isAnyCut ? open : undefined;
        return await show({ asker, message, signal, postponed, showWhole });
      } finally {
        await (
          await document
        )?.();
      }
    });
  }
}

function noticeText(notice: Notice): string {
  const asker = askerText(notice.asker);
  switch (notice.kind) {
    case 'withdrawn':
      return vscode.l10n.t('{0} withdrew its question. Nothing was sent.', asker);
    case 'tooMany':
      return vscode.l10n.t(
        '{0} asks too often. Its questions are refused for a while; "elicitation": false in its entry refuses them for good.',
        asker,
      );
    case 'completed':
      return vscode.l10n.t('{0} says that all is done on {1}.', asker, hostText(notice.host));
    case 'gone':
      return vscode.l10n.t(
        'The connection to the {0} has ended: it does not wait for the page on {1} any more.',
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
