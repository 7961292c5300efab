/** The suggestion for a server that does not run, in the language of the editor. */
import * as vscode from 'vscode';
import { type StartFacts, suggestionFor } from '../../host/diagnosis/suggestion.ts';

/** Undefined for a server that runs, or that nobody has started. */
export function translatedSuggestion(facts: Omit<StartFacts, 'isRemote'>): string | undefined {
  const isRemote = vscode.env.remoteName !== undefined;
  const texts = suggestionFor({ ...facts, isRemote }).map((text) => vscode.l10n.t(text));
  return texts.length === 0 ? undefined : texts.join(' ');
}
