/**
 * Server text is data. It is shown as plain text, without characters that hide or reorder others, cut to a length, and
 * never as an icon, a link or a command. Knows nothing of the editor.
 */
import { beginningOf } from '../../base/text.ts';
import { hidden as hiddenCharacters } from '../../base/unseen.ts';

/**
 * One line for labels, titles and notifications: invisible characters become visible or a blank, and nothing is drawn
 * as an icon or a link.
 */
export function oneLine(text: string, maxLength = 200): string {
  // Text far beyond the cut need not be processed.
  const line = beginningOf(text, maxLength * 20)
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(hidden, '\u{fffd}')
    .trim();
  return cut(inert(line), maxLength);
}

/** Whether {@link oneLine} leaves something out, including line ends. */
export function isCutOnOneLine(text: string, maxLength: number): boolean {
  return text.length > maxLength || text.trim().includes('\n');
}

/** Several lines for dialogs and tooltips; line ends stay. */
export function manyLines(text: string, maxLength = 2000): string {
  return cut(
    beginningOf(text, maxLength * 2)
      .replaceAll(/\r\n?/gu, '\n')
      .replaceAll(hidden, '\u{fffd}'),
    maxLength,
  );
}

/** A part of a text, and how many characters it leaves out. */
export interface Excerpt {
  readonly text: string;
  readonly left: number;
}

/** The beginning of a text for a dialog, neither too long nor too high. */
export function excerpt(text: string, maxLength: number, maxLines: number): Excerpt {
  const whole = text.replaceAll(/\r\n?/gu, '\n').trim();
  const high = whole.split('\n', maxLines).join('\n');
  const shown = beginningOf(high, maxLength).trimEnd();
  return { text: manyLines(shown, maxLength), left: whole.length - shown.length };
}

/** Parts of a description in one line; empty ones are left out. */
export function dotted(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

/** With a line down its side, so that server text cannot pass for the dialog's own. */
export function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `│ ${line}`)
    .join('\n');
}

/**
 * Plain words in Markdown: no link (not even from a bare URL or one in angle brackets), no image, no emphasis, no code.
 * Line ends and blanks at the beginning of lines stay. `MarkdownString.appendText` would leave `<https://…>` a link.
 */
export function markdownWords(text: string): string {
  return text
    .replaceAll(/[!-/:-@[-`{-~]/gu, '\\$&')
    .replaceAll(/^[ \t]+/gmu, (blanks) => '\u{a0}'.repeat(blanks.length))
    .replaceAll('\n', '  \n');
}

/**
 * For prompts, labels of picks and notifications: the editor draws `$(name)` there as an icon and `[text](command:…)`
 * as a link. A blank prevents both.
 */
function inert(text: string): string {
  return text.replaceAll('$(', '$ (').replaceAll('](', '] (');
}

/** Like `truncated` of base/text.ts, without a blank before the ellipsis. */
function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${beginningOf(text, maxLength - 1).trimEnd()}…`;
}

/** Invisible characters. Line ends and tabs are handled above. */
const hidden = new RegExp(String.raw`(?![\n\t])(?:${hiddenCharacters.source})`, 'gu');
