/** What elicitation needs from an editor, in VS Code. */
import * as vscode from 'vscode';
import type {
  Answer,
  ElicitationUi,
  FormQuestion,
  LinkQuestion,
  Notice,
} from '../../host/asks/elicitationUi.ts';
import { askerText } from './askerText.ts';
import { runForm } from './formWizard.ts';
import { awaitReturn, confirmLink } from './linkDialog.ts';
import type { Frame } from './step.ts';

export class EditorElicitationUi implements ElicitationUi {
  #postponing: AbortController | undefined;

  fillForm({ asker, message, draft }: FormQuestion, signal: AbortSignal): Promise<Answer> {
    return this.#during({ asker, message, signal }, (frame) => runForm(frame, draft));
  }

  confirmLink(question: LinkQuestion): Promise<Answer> {
    return confirmLink(question);
  }

  awaitReturn(question: LinkQuestion, signal: AbortSignal): Promise<Answer> {
    const { asker, message, link } = question;
    return this.#during({ asker, message, signal }, (frame) =>
      awaitReturn(frame, question, () => this.openLink(link.href)),
    );
  }

  async openLink(href: string): Promise<boolean> {
    // As text: a Uri is decoded and written anew on its way, which turns `%26` in a query into `&`.
    const browser: { openExternal(target: string | vscode.Uri): Thenable<boolean> } = vscode.env;
    return browser.openExternal(href);
  }

  tell(notice: Notice): void {
    void vscode.window.showInformationMessage(noticeText(notice));
  }

  /** Puts the step on the screen off, as "Later" does. False when there is none that can be. */
  postpone(): boolean {
    this.#postponing?.abort();
    return this.#postponing !== undefined;
  }

  async #during(
    frame: Omit<Frame, 'postponed'>,
    show: (frame: Frame) => Promise<Answer>,
  ): Promise<Answer> {
    const postponing = new AbortController();
    this.#postponing = postponing;
    try {
      return await show({ ...frame, postponed: postponing.signal });
    } finally {
      this.#postponing = undefined;
    }
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
      return vscode.l10n.t('{0} says that all is done on {1}.', asker, notice.host);
    case 'notOpened':
      return vscode.l10n.t('The page on {0} for {1} could not be opened.', notice.host, asker);
  }
}
