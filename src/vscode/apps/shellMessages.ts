/** What the shell of an app and the extension tell each other. The shell is not trusted: what it says is checked. */
import { isObject, isString } from '../../base/json.ts';

/** What only the page knows of the surroundings of an app. */
export interface Surroundings {
  readonly theme: 'light' | 'dark';
  /** CSS custom properties by their names, as the specification lists them. */
  readonly variables: Readonly<Record<string, string>>;
  /** Of the app's frame, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** IANA. */
  readonly timeZone: string;
  readonly touch: boolean;
  readonly hover: boolean;
}

/** What a button of a notice does. */
export const noticeActions = ['reload', 'text', 'run', 'allow'] as const;
export type NoticeAction = (typeof noticeActions)[number];

/** A sentence above the app, or in its place. */
export interface NoticeView {
  readonly text: string;
  readonly buttons: readonly { readonly action: NoticeAction; readonly label: string }[];
}

export type ToShell =
  /** Puts the app into its frame, in place of the one before. */
  | {
      readonly kind: 'load';
      readonly html: string;
      /** The name of the frame for screen readers. */
      readonly title: string;
      /** The frame's `allow` attribute. */
      readonly allow: string;
      readonly border: boolean | undefined;
      /** The page ends an app that sends more. */
      readonly messagesPerSecond: number;
    }
  /** Takes the app out of its frame. */
  | { readonly kind: 'unload' }
  /** Undefined: none. */
  | { readonly kind: 'notice'; readonly notice: NoticeView | undefined }
  /** For the app. */
  | { readonly kind: 'message'; readonly message: object };

export type FromShell =
  /** The page is there. */
  | { readonly kind: 'ready'; readonly surroundings: Surroundings }
  | { readonly kind: 'surroundings'; readonly surroundings: Surroundings }
  /** From the app. */
  | { readonly kind: 'message'; readonly message: unknown }
  /** What the browser refused the app, or an error in its script. */
  | { readonly kind: 'trouble'; readonly text: string }
  /** The app was ended: it sent too many messages in a second. */
  | { readonly kind: 'flood' }
  | { readonly kind: 'action'; readonly action: NoticeAction };

/** Undefined for what the shell does not say. */
export function readFromShell(value: unknown): FromShell | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { kind, text } = value;
  switch (kind) {
    case 'ready':
    case 'surroundings': {
      const surroundings = readSurroundings(value['surroundings']);
      return surroundings && { kind, surroundings };
    }
    case 'message':
      return { kind, message: value['message'] };
    case 'flood':
      return { kind };
    case 'trouble':
      return isString(text) ? { kind, text } : undefined;
    case 'action': {
      const action = noticeActions.find((one) => one === value['action']);
      return action && { kind, action };
    }
    default:
      return undefined;
  }
}

function readSurroundings(value: unknown): Surroundings | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { theme, variables, width, height, timeZone, touch, hover } = value;
  return isObject(variables) &&
    typeof width === 'number' &&
    typeof height === 'number' &&
    isString(timeZone)
    ? {
        theme: theme === 'dark' ? 'dark' : 'light',
        variables: Object.fromEntries(
          Object.entries(variables).flatMap(([name, one]) => (isString(one) ? [[name, one]] : [])),
        ),
        width,
        height,
        timeZone,
        touch: touch === true,
        hover: hover === true,
      }
    : undefined;
}
