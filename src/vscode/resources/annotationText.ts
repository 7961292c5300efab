/** Size, audience, priority and time of a resource in words for people. They are a server's claims. */
import * as vscode from 'vscode';
import { readAnnotations } from '../../host/resources/resourceContents.ts';
import type { PlainTooltip } from '../text/plainTooltip.ts';
import { oneLine } from '../text/labelText.ts';

/** Short, such as `19 bytes` or `1.2 MB`; empty for an invalid size. */
export function sizeText(bytes: number | undefined): string {
  if (bytes === undefined || !Number.isFinite(bytes) || bytes < 0) {
    return '';
  }
  if (bytes < 1_000) {
    return bytes === 1 ? vscode.l10n.t('1 byte') : vscode.l10n.t('{0} bytes', countText(bytes));
  }
  const units = ['kB', 'MB', 'GB', 'TB', 'PB'];
  let size = bytes / 1_000;
  let unit = 0;
  // 999,960 bytes would be "1,000 kB".
  while (size >= 999.95 && unit < units.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  const digits = new Intl.NumberFormat(vscode.env.language, { maximumFractionDigits: 1 });
  return `${digits.format(size)} ${units[unit] ?? ''}`;
}

/** A number with the separators of the editor's language. */
export function countText(count: number): string {
  return new Intl.NumberFormat(vscode.env.language).format(count);
}

/** Adds a line for each annotation that the server gives. */
export function describeAnnotations(tooltip: PlainTooltip, annotations: unknown): PlainTooltip {
  const { audience, priority, lastModified } = readAnnotations(annotations);
  return tooltip
    .line(vscode.l10n.t('Meant for'), audienceText(audience))
    .line(
      vscode.l10n.t('Priority'),
      priority === undefined ? '' : vscode.l10n.t('{0} of 1', priority),
    )
    .line(vscode.l10n.t('Last modified'), timeText(lastModified ?? ''));
}

function audienceText(audience: readonly ('user' | 'assistant')[]): string {
  const forUser = audience.includes('user');
  if (audience.includes('assistant')) {
    return forUser ? vscode.l10n.t('you and the model') : vscode.l10n.t('the model');
  }
  return forUser ? vscode.l10n.t('you') : '';
}

function timeText(time: string): string {
  const date = /^\d{4}-\d{2}-\d{2}/u.test(time) ? new Date(time) : undefined;
  return date === undefined || Number.isNaN(date.getTime())
    ? oneLine(time, 60)
    : date.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}
