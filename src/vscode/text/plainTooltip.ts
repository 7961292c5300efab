/** A tooltip in which server text cannot form Markdown, and which says where to read the rest of a long one. */
import * as vscode from 'vscode';
import { excerpt, markdownWords, oneLine } from './labelText.ts';

const maxLine = 300;
const maxParagraph = 1500;
const maxParagraphLines = 30;

export class PlainTooltip {
  readonly #markdown = new vscode.MarkdownString();
  #isCut = false;

  line(label: string, text: string): this {
    if (text !== '') {
      this.#isCut ||= text.length > maxLine;
      this.#markdown.appendMarkdown(`**${label}** `);
      this.#markdown.appendMarkdown(markdownWords(oneLine(text, maxLine)));
      this.#markdown.appendMarkdown('  \n');
    }
    return this;
  }

  paragraph(text: string): this {
    if (text !== '') {
      const part = excerpt(text, maxParagraph, maxParagraphLines);
      this.#isCut ||= part.left > 0;
      this.#markdown.appendMarkdown('\n');
      this.#markdown.appendMarkdown(markdownWords(part.left > 0 ? `${part.text}…` : part.text));
      this.#markdown.appendMarkdown('\n\n');
    }
    return this;
  }

  /** @param rest says where to read everything; added when the tooltip leaves something out */
  build(rest = ''): vscode.MarkdownString {
    if (this.#isCut && rest !== '') {
      this.#markdown.appendMarkdown('\n');
      this.#markdown.appendMarkdown(rest);
    }
    return this.#markdown;
  }
}
