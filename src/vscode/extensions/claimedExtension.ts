/** The name of an extension that wants something. It is the extension's own claim, and is shown as one. */
import type { ExtensionClaim } from '../../host/config/serverConfig.ts';
import * as vscode from 'vscode';
import { oneLine } from '../text/text.ts';

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
