/** Questions of servers that wait for the user: their number in the status bar, and the list behind it. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Question, QuestionQueue } from '../../host/asks/questionQueue.ts';
import type { CommandHandlers } from '../commands/register.ts';
import { commandIds } from '../ids.ts';
import { inert, oneLine } from '../text.ts';

export class WaitingQuestions implements Disposable {
  readonly #questions: QuestionQueue;
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;

  constructor(questions: QuestionQueue) {
    this.#questions = questions;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem('mcpHost.questions', vscode.StatusBarAlignment.Right, 49),
    );
    this.#item.name = vscode.l10n.t('MCP Questions');
    this.#item.command = commandIds.showQuestions;
    this.#item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    this.#store.add(questions.onDidChange(() => this.#draw()));
  }

  dispose(): void {
    this.#store.dispose();
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
      ...waiting.map((question) => `${oneLine(question.server, 60)}: ${questionText(question)}`),
    ].join('\n');
    this.#item.accessibilityInformation = {
      label: vscode.l10n.t('{0}: waiting for your answer', text),
    };
    this.#item.show();
  }
}

/** @param postpone puts off the question on the screen, which the list would close otherwise; false when it cannot */
export function questionCommands(
  questions: QuestionQueue,
  postpone: () => boolean,
): CommandHandlers {
  return {
    showQuestions: async () => {
      const isOnScreen = questions.open.length > questions.waiting.length;
      const hold = questions.hold();
      try {
        if (!isOnScreen || postpone()) {
          await pickQuestion(questions);
        }
      } finally {
        hold.dispose();
      }
    },
  };
}

async function pickQuestion(questions: QuestionQueue): Promise<void> {
  const items = questions.open.map((question) => ({
    label: inert(oneLine(question.server, 60)),
    description: kindText(question),
    detail: inert(questionText(question)),
    question,
  }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No MCP server waits for an answer.'));
    return;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('MCP servers that wait for your answer'),
    placeHolder: vscode.l10n.t('Which question do you want to answer?'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked !== undefined) {
    questions.reopen(picked.question);
  }
}

function questionText(question: Question): string {
  return question.text === undefined || question.text === ''
    ? kindText(question)
    : oneLine(question.text, 200);
}

function kindText({ about }: Question): string {
  switch (about) {
    case 'elicitation':
      return vscode.l10n.t('asks for your input');
    case 'sampling':
      return vscode.l10n.t('asks for a language model');
    case 'toolCall':
      return vscode.l10n.t('a tool is to run');
    case 'start':
      return vscode.l10n.t('is to start');
    case 'input':
      return vscode.l10n.t('needs a value');
  }
}
