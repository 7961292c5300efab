/** How an extension that wants something is called: by its own words, and as such. */
import type { ExtensionClaim } from '../../host/config/serverConfig.ts';
import * as vscode from 'vscode';
import { oneLine } from '../text/text.ts';

/** Begins a sentence. */
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
