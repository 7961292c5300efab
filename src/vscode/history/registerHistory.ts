/**
 * The call history as the extension holds it: whether it is on, its view, and its commands. The rest is a bundle of its
 * own, loaded with the first call that is kept, or when somebody looks.
 */
import * as vscode from 'vscode';
import { CoalescedRun } from '../../base/async.ts';
import type { Redactor } from '../../base/log.ts';
import type { CallHistory } from '../../host/history/callHistory.ts';
import { readHistory } from '../config/editorWorkspace.ts';
import type { Registry } from '../editor/registerCommands.ts';
import { writeSetting } from '../editor/writeSetting.ts';
import { contextKeys, historyViewId } from '../ids.ts';
import type { ResultFiles } from '../text/resultFiles.ts';
import { lazyTree } from '../tree/lazyTree.ts';
import type { Rerun } from '../tools/runTool.ts';
import type { CallNode } from './callRows.ts';
import type { HistoryBoard } from './historyBoard.ts';

/** Whose `close` resolves when all calls are written, or have failed. */
export interface KeptHistory extends CallHistory {
  close(): Promise<void>;
}

/** Each look reads the files: waits for this quiet, at most for the maximum. */
const lookTimes = { quietMs: 300, maxMs: 2_000 } as const;

interface HistoryServices extends Registry {
  readonly bundles: { readonly workbench: () => { readonly HistoryBoard: typeof HistoryBoard } };
  /** The extension's own folder, which all windows share. */
  readonly storage: vscode.Uri;
  readonly results: ResultFiles;
  readonly logs: { readonly redactor: Pick<Redactor, 'redact'> };
  readonly runToolAgain: (rerun: Rerun) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export function registerHistory(services: HistoryServices): KeptHistory {
  const { own, addCommands, bundles, storage, onError } = services;
  const load = (): HistoryBoard =>
    new (bundles.workbench().HistoryBoard)({
      ...services,
      folder: vscode.Uri.joinPath(storage, 'history').fsPath,
      redactor: services.logs.redactor,
      tell: (message) => (view.message = message),
    });
  const lazy = lazyTree<CallNode, HistoryBoard>(historyViewId, own, load, { canSelectMany: true });
  const { view, rows: board, loaded } = lazy;
  const look = own(
    new CoalescedRun(async () => {
      if (view.visible) {
        board().refresh();
      }
    }, lookTimes),
  );
  const lookAgain = (): void => look.request();
  own(view.onDidChangeVisibility(lookAgain));
  // Another window may have kept or cleared calls.
  own(vscode.window.onDidChangeWindowState(({ focused }) => focused && lookAgain()));
  const filter = async (text: string): Promise<void> => {
    board().filter = text;
    await vscode.commands.executeCommand('setContext', contextKeys.filtersHistory, text !== '');
    lookAgain();
  };
  addCommands({
    showHistory: async () => {
      if (readHistory().isOn || (await turnOn())) {
        await vscode.commands.executeCommand(`${historyViewId}.focus`);
      }
    },
    filterHistory: async () => {
      const text = await board().askFilter();
      if (text !== undefined) {
        await filter(text);
      }
    },
    clearHistoryFilter: () => filter(''),
    clearHistory: async () => {
      await board().clear();
      lookAgain();
    },
    openHistoryResult: (argument) => board().openResult(argument),
    runAgain: (argument) => board().runAgain(argument),
    compareResults: (argument) => board().compare(argument, view.selection),
  });
  return {
    inputOf: (tool, input) => (readHistory().isOn ? board().log.inputOf(tool, input) : undefined),
    keep: async (call, run) => {
      if (!readHistory().isOn) {
        return run();
      }
      let log: CallHistory;
      try {
        log = board().log;
      } catch (error) {
        onError(error);
        return run();
      }
      try {
        return await log.keep(call, run);
      } finally {
        lookAgain();
      }
    },
    close: async () => loaded()?.log.flush(),
  };
}

/** Asks whether calls may be kept. */
async function turnOn(): Promise<boolean> {
  const yes = vscode.l10n.t('Turn On');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'The call history is off. It would keep the inputs and results of tools on this machine, for {0} days.',
      readHistory().days,
    ),
    yes,
  );
  if (answer === yes) {
    await writeSetting('history.enabled', true, vscode.ConfigurationTarget.Global);
  }
  return answer === yes;
}
