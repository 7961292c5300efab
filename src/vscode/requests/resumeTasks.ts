/** Tells the user what becomes of calls that an earlier window has left, and shows the results of those that are tasks. */
import * as vscode from 'vscode';
import { knownInput } from '../../host/history/callTexts.ts';
import {
  ResumedTasks,
  type ResumedTasksUi,
  type ResumptionParts,
} from '../../host/requests/resumedTasks.ts';
import type { RunningCall } from '../../host/tools/runningCalls.ts';
import { offer } from '../editor/offer.ts';
import { commandId } from '../ids.ts';
import { errorText } from '../text/errorText.ts';
import { oneLine } from '../text/labelText.ts';
import type { ToolRun } from '../tools/resultDocument.ts';

export function resumeTasks(
  parts: Omit<ResumptionParts, 'ui'> & { readonly showResult: (run: ToolRun) => void },
): ResumedTasks {
  return new ResumedTasks({ ...parts, ui: editorUi(parts.showResult) });
}

function editorUi(showResult: (run: ToolRun) => void): ResumedTasksUi {
  const { t } = vscode.l10n;
  return {
    waiting: ({ id, name }, notes) => {
      const tools = [...new Set(notes.map(toolName))].join(', ');
      const text = t(
        'MCP server "{0}" was still working when this window closed: {1}. It is asked for the results once it runs.',
        oneLine(name, 60),
        oneLine(tools, 200),
      );
      offer(vscode.window.showInformationMessage, text, t('Start Server'), () =>
        vscode.commands.executeCommand(commandId('startServer'), id),
      );
    },
    done: (note, result) => {
      const text = t(
        'MCP server "{0}": "{1}", which ran when this window closed, is done.',
        oneLine(note.server, 60),
        toolName(note),
      );
      offer(vscode.window.showInformationMessage, text, t('Show Result'), () =>
        showResult({
          server: note.server,
          serverId: note.serverId,
          tool: note.tool,
          input: note.input === undefined ? {} : knownInput(note.input),
          result,
          outputProblems: [],
          unchecked: [],
          durationMs: Date.now() - note.at,
        }),
      );
    },
    lost: (note, error) => {
      const text = t(
        'MCP server "{0}": "{1}", which ran when this window closed, has no result: {2}',
        oneLine(note.server, 60),
        toolName(note),
        errorText(error),
      );
      void vscode.window.showWarningMessage(text);
    },
  };
}

function toolName({ tool }: RunningCall): string {
  return oneLine(tool, 80);
}
