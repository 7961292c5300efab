/**
 * The code of the page around an app. It holds the app's frame, passes messages between the app and the extension, and
 * tells the extension about the theme and the size. It decides nothing.
 *
 * The frame has no `allow-same-origin`: its origin is opaque, so it has no storage, and reaches neither this page nor the
 * editor.
 */
import type { FromShell, NoticeView, Surroundings, ToShell } from '../vscode/apps/shellMessages.ts';
import { styleVariables } from './appStyle.ts';
import { byId, element } from './dom.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromShell): void;
  setState(state: unknown): void;
};

const editor = acquireVsCodeApi();
const place = byId('app', HTMLElement);
const notice = byId('notice', HTMLElement);
let frame: HTMLIFrameElement | undefined;
/** The messages of the app in the second that began at `start`, of at most `most`. */
const second = { start: 0, messages: 0, most: 0 };

/**
 * Runs in the app's page before the app, and tells what nobody else can see: what the browser refuses it. A message without `jsonrpc` is none of the app's protocol.
 */
const watch = `<script>(() => {
  const told = new Set();
  const tell = (text) => {
    if (told.size < 50 && !told.has(text)) {
      told.add(text);
      parent.postMessage({ trouble: text }, '*');
    }
  };
  addEventListener('securitypolicyviolation', (event) =>
    tell('The policy refuses ' + event.effectiveDirective + ': ' + (event.blockedURI || 'inline')));
  addEventListener('error', (event) => {
    if (event instanceof ErrorEvent) tell('Error in its script: ' + event.message);
  });
  addEventListener('unhandledrejection', (event) => tell('Error in its script: ' + event.reason));
  document.currentScript.remove();
})()</script>`;

function load({
  html,
  title,
  allow,
  border,
  messagesPerSecond,
}: Extract<ToShell, { kind: 'load' }>): void {
  const made = document.createElement('iframe');
  made.setAttribute('sandbox', 'allow-scripts allow-forms');
  made.setAttribute('allow', allow);
  made.title = title;
  made.classList.toggle('bordered', border === true);
  // A document of a frame without an address is never in quirks mode, whatever comes before its doctype.
  made.srcdoc = `${watch}${html}`;
  frame = made;
  second.most = messagesPerSecond;
  place.replaceChildren(made);
}

function unload(): void {
  frame = undefined;
  place.replaceChildren();
}

function showNotice(shown: NoticeView | undefined): void {
  notice.hidden = shown === undefined;
  notice.replaceChildren(
    ...(shown === undefined ? [] : [element('p', {}, shown.text)]),
    ...(shown?.buttons ?? []).map(({ action, label }) => {
      const button = element('button', { type: 'button' }, label);
      button.addEventListener('click', () => editor.postMessage({ kind: 'action', action }));
      return button;
    }),
  );
}

function take(message: ToShell): void {
  switch (message.kind) {
    case 'load':
      load(message);
      break;
    case 'unload':
      unload();
      break;
    case 'notice':
      showNotice(message.notice);
      break;
    case 'message':
      // An opaque origin cannot be named.
      frame?.contentWindow?.postMessage(message.message, '*');
      break;
  }
}

function takeFromApp(data: unknown): void {
  if (typeof data !== 'object' || data === null) {
    return;
  }
  if ('jsonrpc' in data) {
    const message = asJson(data);
    if (message !== undefined) {
      editor.postMessage({ kind: 'message', message });
    }
  } else if ('trouble' in data && typeof data.trouble === 'string') {
    editor.postMessage({ kind: 'trouble', text: data.trouble.slice(0, 1_000) });
  }
}

/** Only here can a flood be ended: it leaves the page no time to hear from the extension, nor the editor around it. */
function endFlood(): boolean {
  const now = performance.now();
  if (now - second.start >= 1_000) {
    Object.assign(second, { start: now, messages: 0 });
  }
  second.messages += 1;
  if (second.messages <= second.most) {
    return false;
  }
  unload();
  editor.postMessage({ kind: 'flood' });
  return true;
}

/** Undefined for what is no JSON, such as a message with itself in it, on which the editor would fail. */
function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

window.addEventListener('message', ({ source, origin, data }: MessageEvent) => {
  if (frame !== undefined && source === frame.contentWindow) {
    if (!endFlood()) {
      takeFromApp(data);
    }
  } else if (origin === window.origin) {
    // Never a frame within the app: its origin is opaque, or another site's.
    take(data);
  }
});

function surroundings(): Surroundings {
  const { classList } = document.body;
  const isDark =
    classList.contains('vscode-dark') ||
    (classList.contains('vscode-high-contrast') &&
      !classList.contains('vscode-high-contrast-light'));
  const { width, height } = place.getBoundingClientRect();
  const theme = getComputedStyle(document.documentElement);
  return {
    theme: isDark ? 'dark' : 'light',
    variables: styleVariables((name) => theme.getPropertyValue(name)),
    width: Math.round(width),
    height: Math.round(height),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    touch: matchMedia('(any-pointer: coarse)').matches,
    hover: matchMedia('(any-hover: hover)').matches,
  };
}

let told = '';
let isWaiting = false;

/** Once for all that changes within a moment: a theme changes a thousand variables. */
function tellSurroundings(): void {
  if (!isWaiting) {
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      const now = surroundings();
      // A page that is hidden has no size, which is none to tell.
      if (now.width > 0 && now.height > 0 && JSON.stringify(now) !== told) {
        told = JSON.stringify(now);
        editor.postMessage({ kind: 'surroundings', surroundings: now });
      }
    }, 50);
  }
}

new MutationObserver(tellSurroundings).observe(document.body, { attributeFilter: ['class'] });
new MutationObserver(tellSurroundings).observe(document.documentElement, {
  attributeFilter: ['style'],
});
new ResizeObserver(tellSurroundings).observe(place);

editor.setState(JSON.parse(document.body.dataset['state'] ?? '{}'));
const first = surroundings();
told = JSON.stringify(first);
editor.postMessage({ kind: 'ready', surroundings: first });
