/** Questions of servers that wait for the user: their number in the status bar, and the list behind it. */
import * as vscode from 'vscode';
import { pickOne } from '../editor/pickOne.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import type { Question, QuestionQueue } from '../../host/questions/questionQueue.ts';
import type { CommandHandlers } from '../editor/registerCommands.ts';
import { commandId } from '../ids.ts';
import { oneLine } from '../text/labelText.ts';

const maxInTooltip = 10;

export class WaitingQuestions extends DisposableOwner {
  readonly #questions: QuestionQueue;
  readonly #item: vscode.StatusBarItem;

  constructor(questions: QuestionQueue) {
    super();
    this.#questions = questions;
    this.#item = this.store.add(
      vscode.window.createStatusBarItem('mcpHost.questions', vscode.StatusBarAlignment.Right, 49),
    );
    this.#item.name = vscode.l10n.t('MCP Questions');
    this.#item.command = commandId('showQuestions');
    this.#item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    this.store.add(questions.onDidChange(() => this.#draw()));
    this.store.add(questions.onDidAnnounce((question) => void this.#announce(question)));
  }

  /** A notification, since it does not take the keyboard. */
  async #announce(question: Question): Promise<void> {
    const answer = vscode.l10n.t('Answer');
    const picked = await vscode.window.showInformationMessage(
      vscode.l10n.t('The MCP server {0}', tooltipLine(question)),
      answer,
    );
    if (picked !== answer) {
      return;
    }
    if (this.#questions.open.includes(question)) {
      this.#questions.reopen(question);
    } else {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('The MCP server "{0}" no longer asks this.', oneLine(question.server, 60)),
      );
    }
  }

  #draw(): void {
    const { waiting } = this.#questions;
    if (waiting.length === 0) {
      this.#item.hide();
      return;
    }
    const text =
      waiting.length === 1
        ? vscode.l10n.t('1 MCP question')
        : vscode.l10n.t('{0} MCP questions', waiting.length);
    this.#item.text = `$(question) ${text}`;
    this.#item.tooltip = [
      vscode.l10n.t('Waiting for your answer:'),
      ...waiting.slice(0, maxInTooltip).map(tooltipLine),
      ...(waiting.length > maxInTooltip
        ? [vscode.l10n.t('and {0} more', waiting.length - maxInTooltip)]
        : []),
    ].join('\n');
    this.#item.accessibilityInformation = {
      label: vscode.l10n.t('{0}: waiting for your answer', text),
    };
    this.#item.show();
  }
}

function tooltipLine({ server, about, text = '' }: Question): string {
  const said = oneLine(text, 200);
  return `"${oneLine(server, 60)}" ${kindTexts[about]}${said === '' ? '' : `: ${said}`}`;
}

export function questionCommands(questions: QuestionQueue): CommandHandlers {
  return {
    showQuestions: async () => {
      const { open, waiting } = questions;
      const isOnScreen = open.length > waiting.length;
      const [only, ...others] = open;
      if (only !== undefined && others.length === 0 && !isOnScreen) {
        questions.reopen(only);
        return;
      }
      const hold = questions.hold();
      try {
        // Opening the list would close the open dialog, which would be no answer.
        if (!isOnScreen || questions.postpone()) {
          await pickQuestion(questions);
        } else {
          void vscode.window.showInformationMessage(
            vscode.l10n.t('First answer the open question, or finish your edits.'),
          );
        }
      } finally {
        hold.dispose();
      }
    },
  };
}

async function pickQuestion(questions: QuestionQueue): Promise<void> {
  const items = questions.open.map((question) => ({
    label: oneLine(question.server, 60),
    description: kindTexts[question.about],
    detail: oneLine(question.text ?? '', 200),
    question,
  }));
  const picked = await pickOne(items, vscode.l10n.t('No MCP server is waiting for an answer.'), {
    title: vscode.l10n.t('MCP servers that wait for your answer'),
    placeHolder: vscode.l10n.t('Which question do you want to answer?'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked !== undefined) {
    questions.reopen(picked.question);
  }
}

const kindTexts: Readonly<Record<Question['about'], string>> = {
  elicitation: vscode.l10n.t('asks for your input'),
  sampling: vscode.l10n.t('asks to use a language model'),
  sampledAnswer: vscode.l10n.t('is about to get the answer of a language model'),
  toolCall: vscode.l10n.t('a tool needs your approval'),
  skill: vscode.l10n.t('a skill needs your approval'),
  access: vscode.l10n.t('an extension asks to read from it'),
  start: vscode.l10n.t('needs your consent to start'),
  signIn: vscode.l10n.t('needs you to sign in'),
  input: vscode.l10n.t('needs a value'),
};
