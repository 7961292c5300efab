/** Asks how long an answer is remembered. host/config/serverConfig.ts says what may be chosen. */
import type { RememberedScope } from '../../host/config/serverConfig.ts';
import * as vscode from 'vscode';
import { withToken } from '../text/cancellation.ts';
import { rememberedText } from '../config/scopeText.ts';

/** Undefined when the pick was closed, or `signal` aborted. */
export async function pickRemembered(
  scopes: readonly RememberedScope[],
  words: { readonly title: string; readonly placeHolder: string },
  signal: AbortSignal,
): Promise<RememberedScope | undefined> {
  const items = scopes.map((scope) => ({ ...rememberedText(scope), scope }));
  const picked = await withToken(signal, (token) =>
    vscode.window.showQuickPick(items, { ...words, ignoreFocusOut: true }, token),
  );
  return picked?.scope;
}
