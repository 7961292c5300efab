/** What is odd about the address of a page to open, in words. */
import * as vscode from 'vscode';
import type { LinkWarning } from '../../host/elicitation/describeLink.ts';
import { oneLine } from '../text/text.ts';

export function linkWarningText(warning: LinkWarning): string {
  switch (warning.kind) {
    case 'plainHttp':
      return vscode.l10n.t('Not encrypted (no https): others on the way can read and change it.');
    case 'punycode':
      return vscode.l10n.t(
        'The host has letters beyond the English ones and may only look like another: {0}',
        oneLine(warning.shown, 100),
      );
    case 'userInfo':
      return vscode.l10n.t('A name stands before the host (…@): it is not where the URL leads.');
    case 'ipAddress':
      return vscode.l10n.t('The host is a bare address, not a name.');
    case 'thisMachine':
      return vscode.l10n.t('It leads to a program on your own machine (localhost).');
    case 'localNetwork':
      return vscode.l10n.t('It leads into your local network.');
    case 'port':
      return vscode.l10n.t('It leads to an unusual port: {0}', warning.port);
    case 'rewritten':
      return vscode.l10n.t(
        'The server wrote it with hidden or misleading characters. What is shown here is what would be opened.',
      );
    case 'long':
      return vscode.l10n.t('It is very long: {0} characters.', warning.length);
  }
}
