/** The question before another extension reads resources or uses prompts of a server. Decides nothing. */
import * as vscode from 'vscode';
import { later } from '../../host/asks/questionQueue.ts';
import type { AccessPrompt, AccessQuestion } from '../../host/extensions/extensionAccess.ts';
import type { RememberedScope } from '../../host/consent/toolQuestion.ts';
import { claimNote, claimedName } from '../claimedExtension.ts';
import { pickRemembered } from '../dialogs/pickRemembered.ts';
import { scopeText } from '../scopeText.ts';
import { oneLine } from '../text.ts';

type Choice = 'once' | 'remember' | 'later' | 'deny';

export const accessDialog: AccessPrompt = {
  confirmAccess: async (question, { signal }) => {
    for (;;) {
      const choice = await showModal(question);
      if (signal.aborted || choice === 'deny') {
        return undefined;
      }
      if (choice === 'later') {
        return later;
      }
      const scope = choice === 'once' ? choice : await pickScope(question, signal);
      if (scope !== undefined || signal.aborted) {
        return scope;
      }
    }
  },
};

async function showModal(question: AccessQuestion): Promise<Choice> {
  const { server, extension, wants } = question;
  const items: readonly (vscode.MessageItem & { readonly choice: Choice })[] = [
    { title: vscode.l10n.t('Allow'), choice: 'once' },
    { title: vscode.l10n.t('Allow and Remember…'), choice: 'remember' },
    { title: vscode.l10n.t('Later'), choice: 'later' },
    { title: vscode.l10n.t('Deny'), choice: 'deny', isCloseAffordance: true },
  ];
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      '{0} wants to read from the MCP server "{1}".',
      claimedName(extension),
      oneLine(server.name, 100),
    ),
    {
      modal: true,
      detail: [
        claimNote(),
        '',
        vscode.l10n.t('Server: {0} ({1})', oneLine(server.name, 100), scopeText(server.scope)),
        wants.kind === 'resource'
          ? vscode.l10n.t('Resource: {0}', oneLine(wants.uri, 300))
          : vscode.l10n.t('Prompt: {0}', oneLine(wants.name, 300)),
        '',
        vscode.l10n.t(
          'Remembered, your answer counts for all resources and prompts of this server. Tools are asked about one by one.',
        ),
      ].join('\n'),
    },
    ...items,
  );
  return answer?.choice ?? 'deny';
}

function pickScope(
  { server, extension, scopes }: AccessQuestion,
  signal: AbortSignal,
): Promise<RememberedScope | undefined> {
  return pickRemembered(
    scopes,
    {
      title: vscode.l10n.t(
        '{0}: for how long may {1} read without this question?',
        oneLine(server.name, 60),
        oneLine(extension.id, 60),
      ),
      placeHolder: vscode.l10n.t('Manage Approvals… takes it back.'),
    },
    signal,
  );
}
