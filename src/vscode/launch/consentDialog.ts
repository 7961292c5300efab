/**
 * The modal that asks before a workspace's server starts. `host/launch` decides what it must say, and launchQuestion.ts
 * shows the launch.
 */
import type { ConsentPrompt } from '../../host/launch/startConsent.ts';
import type { InputPrompt } from '../../host/launch/inputs.ts';
import * as vscode from 'vscode';
import type { ConfigScope } from '../../host/config/serverConfig.ts';
import type { LaunchDescription } from '../../host/launch/launchDescription.ts';
import { later, type Turn } from '../../host/questions/questionQueue.ts';
import { scopeText } from '../config/scopeText.ts';
import { oneLine } from '../text/labelText.ts';
import type { KeepFile } from '../text/wholeText.ts';
import { askAboutLaunch, launchLines, rightsText, whoseLines } from './launchQuestion.ts';
import { inputPrompt } from './inputPrompt.ts';

/** The questions before something runs: the start of a server, the value of an input. */
export function createDialogs(keep: KeepFile): ConsentPrompt & InputPrompt {
  return {
    confirmStart: (description, turn) => confirm(description, keep, turn),
    ...inputPrompt(keep),
  };
}

async function confirm(
  description: LaunchDescription,
  keep: KeepFile,
  turn: Turn,
): Promise<boolean | typeof later> {
  const { server } = description;
  const { name, scope } = server;
  const answer = await askAboutLaunch(
    {
      question: question(description),
      title: vscode.l10n.t('What the MCP server "{0}" would start', oneLine(name, 60)),
      lines: [
        ...whoseLines(name, originText(scope)),
        '',
        vscode.l10n.t(
          '{0} Allow it only if you trust it and whoever wrote this. You are asked again when any of this changes.',
          rightsText(server),
        ),
        '',
        ...launchLines(description),
      ],
      buttons: [
        {
          title: description.changes
            ? vscode.l10n.t('Allow the New Version')
            : vscode.l10n.t('Allow'),
          answer: 'allow',
          commits: true,
        },
        { title: vscode.l10n.t('Later'), answer: 'later' },
      ],
    },
    keep,
    turn,
  );
  return answer === 'later' ? later : answer === 'allow';
}

function question({ server, changes }: LaunchDescription): string {
  const name = oneLine(server.name, 100);
  if (changes !== undefined) {
    return vscode.l10n.t('The MCP server "{0}" has changed. Start it?', name);
  }
  return server.launch.kind === 'stdio'
    ? vscode.l10n.t('Start the MCP server "{0}"?', name)
    : vscode.l10n.t('Connect to the MCP server "{0}"?', name);
}

/** An extension by its name, too: nothing else of it is in the dialog. */
function originText(scope: ConfigScope): string {
  return scope.kind === 'extension'
    ? vscode.l10n.t('the extension "{0}" ({1})', oneLine(scope.name, 60), scope.id)
    : scopeText(scope);
}
