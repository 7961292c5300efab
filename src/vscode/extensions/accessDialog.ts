/** The question before another extension reads resources or uses prompts of a server. Decides nothing. */
import * as vscode from 'vscode';
import type { ApprovalScope, ExtensionClaim } from '../../host/config/serverConfig.ts';
import type { AccessPrompt, AccessQuestion } from '../../host/extensions/extensionAccess.ts';
import { later } from '../../host/questions/questionQueue.ts';
import { scopeText } from '../config/scopeText.ts';
import { askReviewed, type ReviewedModal } from '../questions/modal.ts';
import { oneLine } from '../text/labelText.ts';
import { type KeepFile, textFile } from '../text/wholeText.ts';

/** A longer address or name is cut in the dialog. */
const maxWanted = 300;

export function accessDialog(keep: KeepFile): AccessPrompt {
  return {
    confirmAccess: async (question, turn) => {
      const answer = await askReviewed(modalOf(question), keep, turn);
      return answer === 'later' ? later : answer === 'deny' ? undefined : answer;
    },
  };
}

function modalOf({
  server,
  extension,
  wants,
  scopes,
}: AccessQuestion): ReviewedModal<ApprovalScope | 'later' | 'deny'> {
  const message = vscode.l10n.t(
    '{0} wants to read from the MCP server "{1}".',
    claimedName(extension),
    oneLine(server.name, 100),
  );
  const lines = (maxLength: number): readonly string[] => [
    claimNote(),
    '',
    vscode.l10n.t('Server: {0} ({1})', oneLine(server.name, 100), scopeText(server.scope)),
    wants.kind === 'resource'
      ? vscode.l10n.t('Resource: {0}', oneLine(wants.uri, maxLength))
      : vscode.l10n.t('Prompt: {0}', oneLine(wants.name, maxLength)),
    '',
    vscode.l10n.t(
      'Remembered, your answer counts for all resources and prompts of this server. Tools are asked about one by one.',
    ),
  ];
  return {
    message,
    lines: lines(maxWanted),
    isCut: (wants.kind === 'resource' ? wants.uri : wants.name).length > maxWanted,
    whole: {
      title: message,
      placeHolder: vscode.l10n.t('Nothing has been read yet'),
      file: textFile('access', [message, '', ...lines(Infinity)].join('\n')),
    },
    buttons: [
      { title: vscode.l10n.t('Allow'), answer: 'once', commits: true },
      { title: vscode.l10n.t('Later'), answer: 'later' },
      { title: vscode.l10n.t('Deny'), answer: 'deny', isCloseAffordance: true },
    ],
    remember: {
      button: vscode.l10n.t('Allow and Remember…'),
      scopes,
      title: vscode.l10n.t(
        '{0}: for how long may {1} read without this question?',
        oneLine(server.name, 60),
        oneLine(extension.id, 60),
      ),
      placeHolder: vscode.l10n.t('Manage Approvals… takes it back.'),
    },
  };
}

/** The beginning of a sentence. */
export function claimedName({ id, name }: ExtensionClaim): string {
  return vscode.l10n.t(
    'An extension that says it is "{0}" ({1})',
    oneLine(name, 60),
    oneLine(id, 80),
  );
}

export function claimNote(): string {
  return vscode.l10n.t(
    'Such an extension is installed and active. Whether it is the one that asks cannot be checked: extensions share one process.',
  );
}
