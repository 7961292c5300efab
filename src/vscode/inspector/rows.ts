/** Entries of the inspector in words: as rows of its list, or one in detail. */
import * as vscode from 'vscode';
import type { Redactor } from '../../base/log.ts';
import { remasked } from '../../host/inspector/maskedText.ts';
import {
  type Direction,
  dayAndTime,
  timeOfDay,
  isWrong,
  replayable,
  type Seen,
  type SeenExchange,
  type SeenMessage,
} from '../../host/inspector/seenMessage.ts';
import { durationText, bytesText } from '../../host/tools/resultView.ts';
import { isRevision, revisions } from '../../mcp/revisions.ts';
import { manyLines, oneLine } from '../text/labelText.ts';
import type { Detail, Facts, Row } from './pageMessages.ts';

/** Characters of a message that the page shows; the export has all that is kept. */
const shownChars = 200_000;

export function toRow(seen: Seen): Row {
  const { n } = seen;
  const empty = { id: '', type: '', duration: '', size: '', revision: '', isReplay: false };
  const time = timeOfDay(seen.at);
  switch (seen.kind) {
    case 'event': {
      const method = oneLine(seen.text, 300);
      const label = `${method}, ${time}`;
      return { ...empty, n, kind: 'event', method, status: '', tone: 'plain', time, label };
    }
    case 'stream': {
      const method = oneLine(`${seen.exchange.method} ${seen.exchange.url}`, 200);
      const status = httpStatus(seen.exchange);
      const tone = isWrong(seen) ? 'wrong' : 'plain';
      const label = [vscode.l10n.t('HTTP request'), method, status, time].join(', ');
      return { ...empty, n, kind: 'stream', type: 'HTTP', method, status, tone, time, label };
    }
    case 'message':
      return messageRow(seen, time);
  }
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

function messageRow(seen: SeenMessage, time: string): Row {
  const { n, direction, durationMs, bytes, replayOf } = seen;
  const method =
    seen.method === '' ? vscode.l10n.t('(unknown request)') : oneLine(seen.method, 100);
  const id = seen.id === undefined ? '' : oneLine(String(seen.id), 40);
  const { status, tone } = statusOf(seen);
  const duration = durationMs === undefined ? '' : shortDuration(durationMs);
  const size = bytesText(bytes);
  const revision = seen.revision === undefined ? '' : oneLine(seen.revision, 20);
  const isReplay = replayOf !== undefined;
  const type = typeWords[seen.type]();
  const label = [
    directionWords[direction](),
    type,
    method,
    ...(id === '' ? [] : [vscode.l10n.t('id {0}', id)]),
    ...(isReplay ? [vscode.l10n.t('replay')] : []),
    status,
    duration,
    size,
    time,
  ];
  return {
    n,
    kind: direction,
    method,
    type,
    id,
    status,
    tone,
    time,
    duration,
    size,
    revision,
    isReplay,
    label: label.filter((part) => part !== '').join(', '),
  };
}

export function toDetail(seen: Seen, redactor: Pick<Redactor, 'redact'>): Detail {
  const { n, at } = seen;
  const when: Facts = [[vscode.l10n.t('Time'), dayAndTime(at)]];
  const plain = { n, facts: when, sections: [], json: '', note: '', canReplay: false };
  switch (seen.kind) {
    case 'event':
      return { ...plain, title: seen.text };
    case 'stream':
      return {
        ...plain,
        title: vscode.l10n.t('HTTP request without a message'),
        sections: sectionsOf([seen.exchange]),
      };
    case 'message':
      return messageDetail(seen, when, redactor);
  }
}

function messageDetail(seen: SeenMessage, when: Facts, redactor: Pick<Redactor, 'redact'>): Detail {
  const { n, direction, type, method, id, bytes, durationMs, partner, replayOf } = seen;
  const whole = messageText(seen, redactor);
  const isShort = whole.length <= shownChars;
  const known: readonly (readonly [name: string, value: string | undefined])[] = [
    [vscode.l10n.t('Direction'), placeWords[direction]()],
    [vscode.l10n.t('ID'), id === undefined ? undefined : oneLine(JSON.stringify(id), 100)],
    [vscode.l10n.t('Status'), statusOf(seen).status || undefined],
    ...when,
    [vscode.l10n.t('Duration'), durationMs === undefined ? undefined : shortDuration(durationMs)],
    [vscode.l10n.t('Size'), bytesText(bytes)],
    [vscode.l10n.t('Revision'), seen.revision && revisionText(seen.revision)],
  ];
  return {
    n,
    title: `${typeWords[type]()}: ${method === '' ? vscode.l10n.t('(unknown request)') : oneLine(method, 200)}`,
    facts: known.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    sections: sectionsOf(seen.exchanges),
    json: manyLines(whole, shownChars),
    note:
      seen.isCut || !isShort
        ? vscode.l10n.t('Only the beginning is shown: the message has {0}.', bytesText(bytes))
        : '',
    canReplay: replayable(seen) !== undefined,
    ...(replayOf !== undefined && { original: replayOf }),
    ...(partner !== undefined && {
      partner: {
        n: partner,
        label: type === 'request' ? vscode.l10n.t('Show Response') : vscode.l10n.t('Show Request'),
      },
    }),
  };
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

function statusOf(seen: SeenMessage): Pick<Row, 'status' | 'tone'> {
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

const typeWords: Readonly<Record<SeenMessage['type'], () => string>> = {
  request: () => vscode.l10n.t('Request'),
  response: () => vscode.l10n.t('Response'),
  notification: () => vscode.l10n.t('Notification'),
};

function revisionText(revision: string): string {
  const era = isRevision(revision) ? revisions[revision].era : undefined;
  return era === undefined ? oneLine(revision, 40) : `${revision} (${era})`;
}

function shortDuration(ms: number): string {
  return ms < 10 ? `${Number(ms.toFixed(1))} ms` : durationText(ms);
}

/** All that is kept of a message, on several lines unless it was cut: then it is no valid JSON. */
export function messageText(seen: SeenMessage, redactor: Pick<Redactor, 'redact'>): string {
  const text = remasked(seen, redactor);
  return seen.isCut ? text : JSON.stringify(JSON.parse(text), undefined, 2);
}
