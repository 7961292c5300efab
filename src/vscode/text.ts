/**
 * Server text is data: it is shown plain, without control characters, cut at a length, and never as
 * a link or a command.
 */
import * as vscode from 'vscode';

/**
 * One line for labels, titles and notifications: control, zero-width and bidirectional characters
 * become visible or blanks, and nothing in it is drawn as an icon or a link.
 */
export function oneLine(text: string, maxLength = 200): string {
  const line = text
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}')
    .trim();
  return cut(inert(line), maxLength);
}

/** Several lines for dialogs and tooltips; line ends stay. */
export function manyLines(text: string, maxLength = 2000): string {
  return cut(text.replaceAll(/[^\P{Cc}\n\t]|\p{Cf}/gu, '\u{fffd}'), maxLength);
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).trimEnd()}…`;
}

/** A tooltip whose server text cannot form Markdown. */
export class PlainTooltip {
  readonly #markdown = new vscode.MarkdownString();

  line(label: string, text: string): this {
    if (text !== '') {
      this.#markdown.appendMarkdown(`**${label}** `);
      this.#markdown.appendText(oneLine(text, 300));
      this.#markdown.appendMarkdown('  \n');
    }
    return this;
  }

  paragraph(text: string): this {
    if (text !== '') {
      this.#markdown.appendMarkdown('\n');
      this.#markdown.appendText(manyLines(text, 1500));
      this.#markdown.appendMarkdown('\n\n');
    }
    return this;
  }

  build(): vscode.MarkdownString {
    return this.#markdown;
  }
}

/**
 * For prompts, labels of picks and notifications: the editor draws `$(name)` there as an icon and
 * `[text](command:…)` as a link. A blank takes both apart.
 */
export function inert(text: string): string {
  return text.replaceAll('$(', '$ (').replaceAll('](', '] (');
}
