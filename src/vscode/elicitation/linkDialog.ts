/**
 * The modal before a server's URL is opened, its warnings, and the wait until the user is back. All of it is
 * plain text: only the buttons can be clicked (ELIC-25).
 */
import * as vscode from 'vscode';
import type { Answer, LinkQuestion } from '../../host/elicitation/elicitationUi.ts';
import type { Turn } from '../../host/questions/questionQueue.ts';
import { excerpt, oneLine, quoted } from '../text/labelText.ts';
import { type KeepFile, textFile } from '../text/wholeText.ts';
import { askReviewed, type ReviewedModal, askerText } from '../questions/modal.ts';
import { type Frame, pickStep, promptText, type StepItem } from '../forms/step.ts';
import type { LinkWarning } from '../../host/elicitation/describeLink.ts';

const maxMessage = 1_000;
const maxMessageLines = 15;
/** A longer URL is cut in the modal and shown whole in a document: it would leave no room for anything else. */
const maxUrl = 1_500;
const maxHost = 120;

export async function confirmLink(
  question: LinkQuestion,
  keep: KeepFile,
  turn: Turn,
): Promise<Answer> {
  const { asker, link } = question;
  const { lines, isWhole } = detail(question);
  const answer = await askReviewed<Answer>(
    {
      message: vscode.l10n.t(
        '{0} asks you to open a page on {1}.',
        askerText(asker),
        hostText(link.host),
      ),
      lines,
      isWarning: link.warnings.length > 0,
      isCut: !isWhole,
      whole: wholeOf(question),
      buttons: [
        { title: vscode.l10n.t('Open in Browser'), answer: 'accept', commits: true },
        { title: vscode.l10n.t('Decline'), answer: 'decline' },
        { title: vscode.l10n.t('Later'), answer: 'later' },
      ],
    },
    keep,
    turn,
  );
  return answer ?? 'cancel';
}

function wholeOf({ asker, link, message }: LinkQuestion): ReviewedModal<never>['whole'] {
  const text = [
    vscode.l10n.t('{0} asks you to open a page on {1}.', askerText(asker), link.host),
    '',
    vscode.l10n.t('Full URL:'),
    link.href,
    '',
    vscode.l10n.t('The server says:'),
    message,
  ].join('\n');
  return {
    title: vscode.l10n.t('Page that {0} asks you to open', askerText(asker)),
    placeHolder: vscode.l10n.t('Nothing has been opened yet'),
    file: textFile(`page-for-${asker.name}`, text),
  };
}

/** Keeps the end: it says where a host leads, and the beginning may be made up. */
export function hostText(host: string): string {
  return host.length <= maxHost ? host : `…${host.slice(1 - maxHost)}`;
}

function detail({ message, link }: LinkQuestion): {
  readonly lines: readonly string[];
  readonly isWhole: boolean;
} {
  const said = excerpt(message, maxMessage, maxMessageLines);
  const url = excerpt(link.href, maxUrl, 1);
  const lines = [
    vscode.l10n.t('Leads to:'),
    `      ${hostText(link.host)}`,
    '',
    ...(link.warnings.length === 0
      ? []
      : [
          vscode.l10n.t('Look closely:'),
          ...link.warnings.map((warning) => `⚠ ${linkWarningText(warning)}`),
          '',
        ]),
    vscode.l10n.t('Full URL:'),
    url.text,
    ...leftLine(url.left),
    '',
    ...(said.text === ''
      ? []
      : [vscode.l10n.t('The server says:'), quoted(said.text), ...leftLine(said.left), '']),
    vscode.l10n.t(
      'Nothing has been opened or fetched yet. What you enter on the page goes to that site; the editor cannot see it.',
    ),
  ];
  return { lines, isWhole: url.left === 0 && said.left === 0 };
}

function leftLine(left: number): readonly string[] {
  return left === 0 ? [] : [vscode.l10n.t('({0} more characters: see Show All)', left)];
}

/** @param open opens the page again */
export async function awaitReturn(
  frame: Frame,
  { link }: LinkQuestion,
  open: () => Promise<unknown>,
): Promise<Answer> {
  const items: readonly (StepItem & { readonly answer?: Answer })[] = [
    {
      label: `$(check) ${vscode.l10n.t('Done')}`,
      description: vscode.l10n.t('I am finished on {0}', hostText(link.host)),
      answer: 'accept',
    },
    {
      label: `$(link-external) ${vscode.l10n.t('Open the Page Again')}`,
      description: oneLine(link.href, 200),
    },
    {
      label: `$(close) ${vscode.l10n.t('Cancel')}`,
      description: vscode.l10n.t('stop waiting'),
      answer: 'cancel',
    },
  ];
  const placeholder = vscode.l10n.t('Come back here when you have finished in the browser');
  const place = { label: vscode.l10n.t('waiting for you'), canGoBack: false, canDecline: false };
  for (;;) {
    const look = { items, prompt: promptText(frame), placeholder };
    const { end, item } = await pickStep(look, frame, place);
    if (item === undefined) {
      return end === 'later' ? 'later' : 'cancel';
    }
    if (item.answer !== undefined) {
      return item.answer;
    }
    await open();
  }
}

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
