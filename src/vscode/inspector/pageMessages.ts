/** What the inspector and its page say to each other. All texts are made by the extension, and are plain text. */
import { isObject, isString } from '../../base/json.ts';
import type { MessageFilter } from '../../host/inspector/filterMessages.ts';

export interface Row {
  readonly n: number;
  readonly kind: 'sent' | 'received' | 'stream' | 'event';
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
  /** All of it in one sentence, for those who hear it. */
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
  /** Over several lines; empty for what is no message. */
  readonly json: string;
  /** What is left out. */
  readonly note: string;
  readonly canReplay: boolean;
  readonly partner?: { readonly n: number; readonly label: string };
  /** That was sent again with this one. */
  readonly original?: number;
}

export interface Counts {
  /** How many are shown, of how many, and how many wait while it is paused. */
  readonly text: string;
}

export type ToPage =
  /** All that is shown, in order. */
  | {
      readonly kind: 'rows';
      readonly rows: readonly Row[];
      readonly counts: Counts;
      readonly methods: readonly string[];
      readonly filter: MessageFilter;
      readonly isPaused: boolean;
      readonly selected: number | undefined;
    }
  /** New rows, and known ones of which more is known; what is older than `first` is gone. */
  | {
      readonly kind: 'changed';
      readonly rows: readonly Row[];
      readonly first: number;
      readonly counts: Counts;
      readonly methods: readonly string[];
    }
  | { readonly kind: 'detail'; readonly detail: Detail | undefined }
  | { readonly kind: 'reveal'; readonly n: number };

export type FromPage =
  | { readonly kind: 'ready'; readonly filter?: MessageFilter }
  | { readonly kind: 'filter'; readonly filter: MessageFilter }
  | { readonly kind: 'pause'; readonly isPaused: boolean }
  | { readonly kind: 'clear' | 'export' }
  | { readonly kind: 'select' | 'copy' | 'replay' | 'editAndReplay'; readonly n: number };

/** Undefined for anything else: a page is not trusted more than it has to be. */
export function readFromPage(value: unknown): FromPage | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { kind, n, isPaused } = value;
  const filter = readFilter(value['filter']);
  switch (kind) {
    case 'ready':
      return filter === undefined ? { kind } : { kind, filter };
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
        direction: direction === 'sent' || direction === 'received' ? direction : 'any',
        errorsOnly: errorsOnly === true,
      }
    : undefined;
}
