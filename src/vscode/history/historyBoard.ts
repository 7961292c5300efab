/** The rows of the view "Call History", and the commands on a call. */
import * as vscode from 'vscode';
import type { Redactor } from '../../base/log.ts';
import { isObject } from '../../base/json.ts';
import { filterCalls, HistoryLog, type KeptCall } from '../../host/history/callHistory.ts';
import { knownInput, resultText } from '../../host/history/callTexts.ts';
import { readHistory } from '../config/editorWorkspace.ts';
import { pickOne } from '../editor/pickOne.ts';
import { confirmChoice } from '../questions/modal.ts';
import { countText } from '../resources/annotationText.ts';
import { oneLine } from '../text/labelText.ts';
import { type ResultFile, type ResultFiles, safeFileName } from '../text/resultFiles.ts';
import type { Rerun } from '../tools/runTool.ts';
import { callDocument, callNode, type CallNode, callPick, timeText } from './callRows.ts';

interface BoardParts {
  readonly folder: string;
  readonly results: ResultFiles;
  readonly redactor: Pick<Redactor, 'redact'>;
  readonly runToolAgain: (rerun: Rerun) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** Shows what the rows do not say. */
  readonly tell: (message: string | undefined) => void;
}

/** Rows; further ones are found with the filter. */
const maxRows = 500;

export class HistoryBoard implements vscode.TreeDataProvider<CallNode> {
  readonly log: HistoryLog;
  readonly #parts: BoardParts;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  /** Words; empty for all calls. */
  filter = '';

  constructor(parts: BoardParts) {
    this.#parts = parts;
    const { folder, redactor, onError } = parts;
    this.log = new HistoryLog({
      folder,
      redactor,
      days: () => readHistory().days,
      now: () => Date.now(),
      onFailure: onError,
    });
  }

  getTreeItem(node: CallNode): vscode.TreeItem {
    return node.item;
  }

  async getChildren(node?: CallNode): Promise<CallNode[]> {
    if (node !== undefined) {
      return [];
    }
    const { calls, damaged, lost } = await this.log.read();
    const found = filterCalls(calls, this.filter);
    const { t } = vscode.l10n;
    const parts = [
      this.filter === ''
        ? undefined
        : t(
            '{0} of {1} calls have “{2}”.',
            countText(found.length),
            countText(calls.length),
            oneLine(this.filter, 60),
          ),
      found.length > maxRows
        ? t('The newest {0} are shown; the filter finds others.', countText(maxRows))
        : undefined,
      damaged > 0 ? t('Lines that cannot be read: {0}.', countText(damaged)) : undefined,
      lost > 0 ? t('Calls that could not be written: {0}.', countText(lost)) : undefined,
    ].filter((part) => part !== undefined);
    this.#parts.tell(parts.length === 0 ? undefined : parts.join(' '));
    return found.slice(0, maxRows).map(callNode);
  }

  /** Reads the files again. */
  refresh(): void {
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Undefined when the user gave up. */
  askFilter(): Thenable<string | undefined> {
    return vscode.window.showInputBox({
      title: vscode.l10n.t('Filter the call history'),
      prompt: vscode.l10n.t('Words of the tool, server, input or result; empty shows all'),
      value: this.filter,
    });
  }

  async clear(): Promise<void> {
    const { calls } = await this.log.read();
    const isMeant = await confirmChoice(
      vscode.l10n.t('Clear the call history?'),
      vscode.l10n.t(
        '{0} calls of tools, with their inputs and results, are deleted from this machine, for all windows.',
        countText(calls.length),
      ),
      vscode.l10n.t('Clear'),
    );
    if (isMeant) {
      await this.log.clear();
    }
  }

  async openResult(argument: unknown): Promise<void> {
    const call = await this.#callOf(argument, vscode.l10n.t('Which result should be opened?'));
    if (call === undefined) {
      return;
    }
    const file = {
      name: `${safeFileName(call.tool)}.md`,
      bytes: Buffer.from(callDocument(call)),
    };
    const [document] = this.#parts.results.add([file]);
    if (document !== undefined) {
      await vscode.window.showTextDocument(document, { preview: true });
    }
  }

  async runAgain(argument: unknown): Promise<void> {
    const call = await this.#callOf(argument, vscode.l10n.t('Which call should be made again?'));
    if (call !== undefined) {
      const { serverId, server, tool } = call;
      const { isWhole } = call.input;
      await this.#parts.runToolAgain({
        serverId,
        server,
        tool,
        input: knownInput(call.input),
        isWhole,
      });
    }
  }

  /** @param selected rows of the view: two of them are compared with each other */
  async compare(argument: unknown, selected: readonly CallNode[]): Promise<void> {
    const isOfTwo = selected.length === 2 && (argument === undefined || isIn(selected, argument));
    const [one, other] = isOfTwo ? selected.map(({ call }) => call) : await this.#pickTwo(argument);
    if (one === undefined || other === undefined) {
      return;
    }
    const [earlier, later] = one.at <= other.at ? [one, other] : [other, one];
    const files = [resultFile(earlier, 'earlier'), resultFile(later, 'later')];
    const [left, right] = this.#parts.results.add(files);
    const title = [earlier, later].map((call) => `${oneLine(call.tool, 40)} ${timeText(call)}`);
    await vscode.commands.executeCommand('vscode.diff', left, right, title.join(' ↔ '));
  }

  async #pickTwo(argument: unknown): Promise<readonly (KeptCall | undefined)[]> {
    const { t } = vscode.l10n;
    const one = await this.#callOf(argument, t('Which result should be compared?'));
    if (one === undefined) {
      return [];
    }
    const { calls } = await this.log.read();
    const others = calls.filter(({ id }) => id !== one.id);
    const isAlike = (call: KeptCall): boolean =>
      call.tool === one.tool && call.serverId === one.serverId;
    const sorted = [...others.filter(isAlike), ...others.filter((call) => !isAlike(call))];
    const placeHolder = t('Compare with which result?');
    const none = t('There is no other call to compare with.');
    const picked = await pickOne(sorted.map(callPick), none, {
      placeHolder,
      matchOnDescription: true,
    });
    return [one, picked?.call];
  }

  /** The call of the row, else the one that the user picks. */
  async #callOf(argument: unknown, placeHolder: string): Promise<KeptCall | undefined> {
    if (isCallNode(argument)) {
      return argument.call;
    }
    const { calls } = await this.log.read();
    const none = readHistory().isOn
      ? vscode.l10n.t('The call history is empty.')
      : vscode.l10n.t('The call history is off, and empty.');
    const picked = await pickOne(filterCalls(calls, this.filter).map(callPick), none, {
      placeHolder,
      matchOnDescription: true,
    });
    return picked?.call;
  }
}

function resultFile(call: KeptCall, side: string): ResultFile {
  return {
    name: `${safeFileName(call.tool)}-${side}.txt`,
    bytes: Buffer.from(`${resultText(call)}\n`),
  };
}

function isCallNode(value: unknown): value is CallNode {
  return isObject(value) && isObject(value['call']) && value['item'] instanceof vscode.TreeItem;
}

function isIn(nodes: readonly CallNode[], argument: unknown): boolean {
  return isCallNode(argument) && nodes.some(({ call }) => call.id === argument.call.id);
}
