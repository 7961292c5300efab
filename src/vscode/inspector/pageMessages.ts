/** The messages between the inspector and its page. The extension makes all texts, as plain text. */
import { isObject, isString } from '../../base/json.ts';
import { type MessageFilter, wantedDirections } from '../../host/inspector/seenMessage.ts';

export interface Row {
  readonly n: number;
  readonly kind: 'sent' | 'received' | 'fromApp' | 'toApp' | 'stream' | 'event';
  readonly method: string;
  /** Request, response or notification, in words. */
  readonly type: string;
  readonly id: string;
  readonly status: string;
  readonly tone: 'plain' | 'good' | 'wrong' | 'waiting';
  readonly time: string;
  readonly duration: string;
  readonly size: string;
  readonly revision: string;
  readonly isReplay: boolean;
  /** The whole row in one sentence, for screen readers. */
  readonly label: string;
}

/** Names and values. */
export type Facts = readonly (readonly [name: string, value: string])[];

export interface Detail {
  readonly n: number;
  readonly title: string;
  readonly facts: Facts;
  /** HTTP requests and responses. */
  readonly sections: readonly { readonly title: string; readonly facts: Facts }[];
  /** JSON on several lines; empty for an entry that is no message. */
  readonly json: string;
  /** Says what is left out. */
  readonly note: string;
  readonly canReplay: boolean;
  readonly partner?: { readonly n: number; readonly label: string };
  /** The number of the message that this one replays. */
  readonly original?: number;
}

export type ToPage =
  /** All rows to show, in order. */
  | {
      readonly kind: 'rows';
      readonly rows: readonly Row[];
      /** How many rows are shown, of how many, and how many came during the pause. */
      readonly counts: string;
      readonly methods: readonly string[];
      readonly isPaused: boolean;
      readonly selected: number | undefined;
    }
  /** New rows, and known rows with more facts; rows before `first` are removed. */
  | {
      readonly kind: 'changed';
      readonly rows: readonly Row[];
      readonly first: number;
      readonly counts: string;
      readonly methods: readonly string[];
    }
  | { readonly kind: 'detail'; readonly detail: Detail | undefined }
  | { readonly kind: 'reveal'; readonly n: number };

export type FromPage =
  /** Also when the page is new, and asks for everything. */
  | { readonly kind: 'filter'; readonly filter: MessageFilter }
  | { readonly kind: 'pause'; readonly isPaused: boolean }
  | { readonly kind: 'clear' | 'export' }
  | { readonly kind: 'select' | 'copy' | 'replay' | 'editAndReplay'; readonly n: number };

/** Undefined for an invalid message: a page is not trusted more than needed. */
export function readFromPage(value: unknown): FromPage | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { kind, n, isPaused } = value;
  const filter = readFilter(value['filter']);
  switch (kind) {
    case 'filter':
      return filter && { kind, filter };
    case 'pause':
      return { kind, isPaused: isPaused === true };
    case 'clear':
    case 'export':
      return { kind };
    case 'select':
    case 'copy':
    case 'replay':
    case 'editAndReplay':
      return typeof n === 'number' ? { kind, n } : undefined;
    default:
      return undefined;
  }
}

function readFilter(value: unknown): MessageFilter | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { text, method, direction, errorsOnly } = value;
  return isString(text) && isString(method)
    ? {
        text,
        method,
        direction: wantedDirections.find((one) => one === direction) ?? 'any',
        errorsOnly: errorsOnly === true,
      }
    : undefined;
}
