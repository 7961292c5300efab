/** What is odd about the address of a page to open, in words. */
import * as vscode from 'vscode';
import type { LinkWarning } from '../../host/elicitation/describeLink.ts';
import { oneLine } from '../text/text.ts';

export function linkWarningText(warning: LinkWarning): string {
  switch (warning.kind) {
    case 'plainHttp':
      return vscode.l10n.t(
        'Not encrypted (no https): others on the network can read and change it.',
      );
    case 'punycode':
      return vscode.l10n.t(
        'The host has non-English letters and may imitate another host: {0}',
        oneLine(warning.shown, 100),
      );
    case 'userInfo':
      return vscode.l10n.t('The URL has a name before the host (…@). It does not lead there.');
    case 'ipAddress':
      return vscode.l10n.t('The host is an IP address, not a name.');
    case 'thisMachine':
      return vscode.l10n.t('It leads to a program on your own machine (localhost).');
    case 'localNetwork':
      return vscode.l10n.t('It leads to your local network.');
    case 'port':
      return vscode.l10n.t('It leads to an unusual port: {0}', warning.port);
    case 'rewritten':
      return vscode.l10n.t(
        'The server wrote it with hidden or misleading characters. The URL shown here is the one that is opened.',
      );
    case 'long':
      return vscode.l10n.t('It is very long: {0} characters.', warning.length);
  }
}
