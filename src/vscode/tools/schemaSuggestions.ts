/**
 * Helps to write JSON for a server's schema: completion and problems, for one document while it is edited. The editor's
 * own JSON support does not get such schemas, since it would fetch their references.
 */
import * as vscode from 'vscode';
import { type Proposal, proposalsAt } from '../../host/tools/schemaProposals.ts';
import { newestOnly } from '../../base/async.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { markdownWords, oneLine } from '../text/labelText.ts';

/** A longer text is not checked while typing, only when it is used. */
const maxChecked = 100_000;

/** @param problemOf returns one sentence, or undefined for a valid text */
export function suggestFrom(
  schema: JsonSchema,
  problemOf: (text: string) => Promise<string | undefined>,
): (document: vscode.TextDocument) => vscode.Disposable {
  return (document) => {
    const problems = vscode.languages.createDiagnosticCollection('mcp-input');
    let isDisposed = false;
    const check = newestOnly(async () => {
      const { version } = document;
      const text = document.getText();
      const problem = text.length > maxChecked ? undefined : await problemOf(text);
      if (document.version === version && !isDisposed) {
        problems.set(document.uri, problem === undefined ? [] : [diagnostic(document, problem)]);
      }
    });
    void check();
    return vscode.Disposable.from(
      new vscode.Disposable(() => (isDisposed = true)),
      problems,
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (change.document === document) {
          void check();
        }
      }),
      vscode.languages.registerCompletionItemProvider(
        { scheme: document.uri.scheme, language: document.languageId },
        {
          provideCompletionItems: (asked, position) =>
            asked.uri.toString() === document.uri.toString() ? items(schema, asked, position) : [],
        },
        '"',
        ':',
        ' ',
      ),
    );
  };
}

function items(
  schema: JsonSchema,
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.CompletionItem[] {
  const {
    start,
    end,
    items: found,
  } = proposalsAt(schema, document.getText(), document.offsetAt(position));
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  return found.map((proposal, index) => item(proposal, index, range));
}

function item(proposal: Proposal, index: number, range: vscode.Range): vscode.CompletionItem {
  const { kind, label, before, after, description, isRequired } = proposal;
  const made = new vscode.CompletionItem(
    { label: oneLine(label, 100), ...(isRequired && { description: vscode.l10n.t('required') }) },
    kind === 'member' ? vscode.CompletionItemKind.Property : vscode.CompletionItemKind.Value,
  );
  made.insertText = new vscode.SnippetString()
    .appendText(before)
    .appendTabstop(0)
    .appendText(after);
  made.range = range;
  // The typed text begins with a quotation mark, so the filter text must, too.
  made.filterText = kind === 'member' ? JSON.stringify(label) : label;
  made.sortText = String(index).padStart(4, '0');
  if (description !== undefined) {
    made.documentation = new vscode.MarkdownString(markdownWords(description.slice(0, 2_000)));
  }
  return made;
}

function diagnostic(document: vscode.TextDocument, problem: string): vscode.Diagnostic {
  const made = new vscode.Diagnostic(
    document.lineAt(0).range,
    oneLine(problem, 300),
    vscode.DiagnosticSeverity.Warning,
  );
  made.source = 'MCP Host';
  return made;
}
