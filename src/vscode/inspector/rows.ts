/** Entries of the inspector in words: as rows of its list, or one in detail. */
import * as vscode from 'vscode';
import type { Redactor } from '../../base/log.ts';
import { remasked } from '../../host/inspector/maskedText.ts';
import {
  type Direction,
  dayAndTime,
  isMessage,
  isWrong,
  replayable,
  type Seen,
  type SeenExchange,
  timeOfDay,
} from '../../host/inspector/seenMessage.ts';
import { durationText, bytesText } from '../../host/tools/resultView.ts';
import { isRevision, revisions } from '../../mcp/revisions.ts';
import { manyLines, oneLine } from '../text/labelText.ts';
import type { Detail, Facts, Row } from './pageMessages.ts';

/** Characters of a message that the page shows; the export has all that is kept. */
const shownChars = 200_000;

export function toRow(seen: Seen): Row {
  const { n, kind, direction, durationMs, bytes, replayOf } = seen;
  const isReplay = replayOf !== undefined;
  const row: Omit<Row, 'label'> = {
    n,
    kind: kind === 'stream' ? kind : (direction ?? 'event'),
    method: methodText(seen),
    type: typeWords[kind](),
    id: seen.id === undefined ? '' : oneLine(String(seen.id), 40),
    ...statusOf(seen),
    time: timeOfDay(seen.at),
    duration: durationMs === undefined ? '' : shortDuration(durationMs),
    size: bytes === 0 ? '' : bytesText(bytes),
    revision: seen.revision === undefined ? '' : oneLine(seen.revision, 20),
    isReplay,
  };
  const label = [
    ...(kind === 'stream'
      ? [vscode.l10n.t('HTTP request')]
      : [direction === undefined ? '' : directionWords[direction](), row.type]),
    row.method,
    row.id === '' ? '' : vscode.l10n.t('id {0}', row.id),
    isReplay ? vscode.l10n.t('replay') : '',
    row.status,
    row.duration,
    row.size,
    row.time,
  ];
  return { ...row, label: label.filter((part) => part !== '').join(', ') };
}

function methodText({ kind, method, subject, exchanges: [exchange] }: Seen): string {
  if (kind === 'stream' && exchange !== undefined) {
    return oneLine(`${exchange.method} ${exchange.url}`, 200);
  }
  return method === ''
    ? vscode.l10n.t('(unknown request)')
    : oneLine(`${method} ${subject}`.trim(), 300);
}

/** In the label of a row. */
const directionWords: Readonly<Record<Direction, () => string>> = {
  sent: () => vscode.l10n.t('sent'),
  received: () => vscode.l10n.t('received'),
  fromApp: () => vscode.l10n.t('from the app'),
  toApp: () => vscode.l10n.t('to the app'),
};

/** In the details of a message. */
const placeWords: Readonly<Record<Direction, () => string>> = {
  sent: () => vscode.l10n.t('To the server'),
  received: () => vscode.l10n.t('From the server'),
  fromApp: () => vscode.l10n.t('From the app'),
  toApp: () => vscode.l10n.t('To the app'),
};

export function toDetail(seen: Seen, redactor: Pick<Redactor, 'redact'>): Detail {
  const { n, kind, direction, id, bytes, durationMs, partner, replayOf } = seen;
  const isOfMessage = isMessage(seen);
  const whole = isOfMessage ? messageText(seen, redactor) : '';
  const known: readonly (readonly [name: string, value: string | undefined])[] = [
    [vscode.l10n.t('Direction'), isOfMessage && direction ? placeWords[direction]() : undefined],
    [vscode.l10n.t('ID'), id === undefined ? undefined : oneLine(JSON.stringify(id), 100)],
    [vscode.l10n.t('Status'), isOfMessage ? statusOf(seen).status : undefined],
    [vscode.l10n.t('Time'), dayAndTime(seen.at)],
    [vscode.l10n.t('Duration'), durationMs === undefined ? undefined : shortDuration(durationMs)],
    [vscode.l10n.t('Size'), isOfMessage ? bytesText(bytes) : undefined],
    [vscode.l10n.t('Revision'), seen.revision && revisionText(seen.revision)],
  ];
  return {
    n,
    title: titleOf(seen),
    facts: known.flatMap(([name, value]) => (value ? [[name, value] as const] : [])),
    sections: sectionsOf(seen.exchanges),
    json: manyLines(whole, shownChars),
    note:
      seen.isCut || whole.length > shownChars
        ? vscode.l10n.t('Only the beginning is shown: the message has {0}.', bytesText(bytes))
        : '',
    canReplay: replayable(seen) !== undefined,
    ...(replayOf !== undefined && { original: replayOf }),
    ...(partner !== undefined && {
      partner: {
        n: partner,
        label: kind === 'request' ? vscode.l10n.t('Show Response') : vscode.l10n.t('Show Request'),
      },
    }),
  };
}

function titleOf(seen: Seen): string {
  if (seen.kind === 'event') {
    return seen.method;
  }
  return seen.kind === 'stream'
    ? vscode.l10n.t('HTTP request without a message')
    : `${typeWords[seen.kind]()}: ${methodText(seen)}`;
}

function sectionsOf(exchanges: readonly SeenExchange[]): Detail['sections'] {
  return exchanges.flatMap((exchange, index) => {
    const { method, url, sent, received, error } = exchange;
    const number = exchanges.length > 1 ? ` ${index + 1}` : '';
    return [
      {
        title: vscode.l10n.t('HTTP request{0}: {1}', number, oneLine(`${method} ${url}`, 500)),
        facts: shownHeaders(sent),
      },
      ...(received === undefined && error === undefined
        ? []
        : [
            {
              title: vscode.l10n.t('HTTP response{0}: {1}', number, httpStatus(exchange)),
              facts: shownHeaders(received ?? []),
            },
          ]),
    ];
  });
}

function shownHeaders(headers: Facts): Facts {
  return headers.map(([name, value]) => [oneLine(name, 100), oneLine(value, 2_000)]);
}

function statusOf(seen: Seen): Pick<Row, 'status' | 'tone'> {
  const [exchange] = seen.exchanges;
  if (seen.kind === 'stream' && exchange !== undefined) {
    return { status: httpStatus(exchange), tone: isWrong(seen) ? 'wrong' : 'plain' };
  }
  switch (seen.outcome) {
    case undefined:
      return { status: '', tone: 'plain' };
    case 'pending':
      return { status: vscode.l10n.t('pending…'), tone: 'waiting' };
    case 'done':
      return { status: vscode.l10n.t('OK'), tone: 'good' };
    case 'cancelled':
      return { status: vscode.l10n.t('cancelled'), tone: 'waiting' };
    case 'unanswered':
      return { status: vscode.l10n.t('no response'), tone: 'wrong' };
    case 'error':
      return { status: oneLine(seen.problem ?? vscode.l10n.t('error'), 120), tone: 'wrong' };
  }
}

function httpStatus({ status, error }: SeenExchange): string {
  return error === undefined
    ? status === undefined
      ? vscode.l10n.t('pending…')
      : `HTTP ${status}`
    : oneLine(error, 200);
}

const typeWords: Readonly<Record<Seen['kind'], () => string>> = {
  request: () => vscode.l10n.t('Request'),
  response: () => vscode.l10n.t('Response'),
  notification: () => vscode.l10n.t('Notification'),
  stream: () => 'HTTP',
  event: () => '',
};

function revisionText(revision: string): string {
  const era = isRevision(revision) ? revisions[revision].era : undefined;
  return era === undefined ? oneLine(revision, 40) : `${revision} (${era})`;
}

function shortDuration(ms: number): string {
  return ms < 10 ? `${Number(ms.toFixed(1))} ms` : durationText(ms);
}

/** All that is kept of a message, on several lines unless it was cut: then it is no valid JSON. */
export function messageText(seen: Seen, redactor: Pick<Redactor, 'redact'>): string {
  const text = remasked(seen, redactor);
  return seen.isCut ? text : JSON.stringify(JSON.parse(text), undefined, 2);
}
