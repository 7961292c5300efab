/** Asks how long an answer is remembered. host/config/serverConfig.ts says what may be chosen. */
import type { RememberedScope } from '../../host/config/serverConfig.ts';
import * as vscode from 'vscode';
import { toToken } from '../text/cancellation.ts';
import { rememberedText } from '../config/scopeText.ts';

/** Undefined when the pick was closed, or `signal` aborted. */
export async function pickRemembered(
  scopes: readonly RememberedScope[],
  words: { readonly title: string; readonly placeHolder: string },
  signal: AbortSignal,
): Promise<RememberedScope | undefined> {
  const { token, dispose } = toToken(signal);
  try {
    const picked = await vscode.window.showQuickPick(
      scopes.map((scope) => ({ ...rememberedText(scope), scope })),
      { ...words, ignoreFocusOut: true },
      token,
    );
    return picked?.scope;
  } finally {
    dispose();
  }
}
