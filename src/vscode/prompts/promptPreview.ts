/**
 * Shows the messages of a prompt as a page and asks what to do with them: the same preview for tree, palette and
 * chat. It sends nothing; the caller does what the user chose.
 */
import * as vscode from 'vscode';
import { promptForModel } from '../../host/chat/modelParts.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { SeenMessages, SeenState } from '../../host/prompts/prompts.ts';
import { withToken } from '../text/cancellation.ts';
import { oneLine } from '../text/labelText.ts';
import { fileUris, showPage } from '../text/contentPage.ts';
import type { ResultFiles } from '../text/resultFiles.ts';
import { promptFiles, promptHtml, promptText, type ResolvedPrompt } from './promptDocument.ts';

/** The user's choice. After `copied`, `kept` and `closed` nothing is left to do. */
export type PreviewChoice = 'use' | 'change' | 'copied' | 'kept' | 'closed';

export interface Preview {
  readonly choice: PreviewChoice;
  /** The messages as a document, which is kept as long as the results of tools. */
  readonly document: vscode.Uri | undefined;
}

/** Who would get the messages: the chat's input box, or the model at once. */
type PreviewFor = 'chatInput' | 'model';

type Choice = vscode.QuickPickItem & { readonly act: PreviewChoice };

export class PromptPreviews {
  readonly #results: ResultFiles;
  readonly #seen: SeenMessages;

  constructor(results: ResultFiles, seen: SeenMessages) {
    this.#results = results;
    this.#seen = seen;
  }

  /**
   * For a model, does not ask about exactly the same messages that the user has chosen to use before.
   * @param onAsk called before the user is asked
   * @throws the signal's reason when it aborts; the preview is closed then
   */
  async show(
    resolved: ResolvedPrompt,
    whom: PreviewFor,
    signal: AbortSignal,
    onAsk?: () => void,
  ): Promise<Preview> {
    signal.throwIfAborted();
    const files = promptFiles(resolved);
    const uris = this.#results.add(files);
    const [document] = uris;
    const state = this.#seen.stateOf(resolved);
    if (document === undefined || (whom === 'model' && state === 'seen')) {
      return { choice: 'use', document };
    }
    onAsk?.();
    const page = showPage({
      viewType: 'mcpHost.prompt',
      title: oneLine(displayLabel(resolved.prompt), 60),
      body: promptHtml(resolved, fileUris(files, uris)),
      isBelowPick: true,
    });
    const choice = await choose(resolved, whom, state, signal).finally(() => page.dispose());
    signal.throwIfAborted();
    if (choice === 'kept') {
      await vscode.window.showTextDocument(document, { preview: false });
    }
    if (choice === 'use') {
      this.#seen.add(resolved);
    } else if (choice === 'copied') {
      await vscode.env.clipboard.writeText(promptText(resolved));
    }
    return { choice, document };
  }
}

async function choose(
  resolved: ResolvedPrompt,
  whom: PreviewFor,
  state: SeenState,
  signal: AbortSignal,
): Promise<PreviewChoice> {
  const options = {
    title: title(resolved, state),
    placeHolder: vscode.l10n.t('What should be done with them?'),
    ignoreFocusOut: true,
  };
  const picked = await withToken(signal, (token) =>
    vscode.window.showQuickPick(choices(whom, resolved), options, token),
  );
  return picked?.act ?? 'closed';
}

function title({ server, prompt }: ResolvedPrompt, state: SeenState): string {
  const label = `${oneLine(server, 40)}: ${oneLine(displayLabel(prompt), 60)}`;
  return state === 'changed'
    ? vscode.l10n.t('{0} – these are not the messages that you saw before', label)
    : vscode.l10n.t('{0} – the messages are in the editor', label);
}

function choices(whom: PreviewFor, { prompt, result }: ResolvedPrompt): Choice[] {
  const hasArguments = (prompt.arguments ?? []).length > 0;
  const { leftOut } = promptForModel(result.messages);
  // The page marks them.
  const left =
    leftOut.length === 0
      ? {}
      : {
          detail: vscode.l10n.t(
            '{0} of {1} messages left out or cut for the model, as marked in the editor',
            leftOut.length,
            result.messages.length,
          ),
        };
  return [
    whom === 'model'
      ? { label: `$(send) ${vscode.l10n.t('Send to the Model')}`, ...left, act: 'use' }
      : {
          label: `$(comment-discussion) ${vscode.l10n.t('Use in Chat')}`,
          description: vscode.l10n.t('as a message to @mcp, which you send'),
          ...left,
          act: 'use',
        },
    { label: `$(copy) ${vscode.l10n.t('Copy')}`, act: 'copied' },
    { label: `$(file) ${vscode.l10n.t('Open as Document')}`, act: 'kept' },
    ...(hasArguments
      ? [{ label: `$(edit) ${vscode.l10n.t('Change Arguments')}`, act: 'change' as const }]
      : []),
  ];
}
