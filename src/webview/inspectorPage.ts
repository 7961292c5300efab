/**
 * The code of the inspector's page: draws what the extension posts and tells it what the user does. It decides nothing
 * and keeps only what the user has typed and chosen.
 */
import type { MessageFilter } from '../host/inspector/seenMessage.ts';
import type { FromPage, ToPage } from '../vscode/inspector/pageMessages.ts';
import { byId, element, word } from './dom.ts';
import { showDetail } from './messageDetail.ts';
import { MessageList } from './messageList.ts';

interface PageState {
  readonly server: string;
  readonly name: string;
  readonly filter: MessageFilter;
}

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): PageState | undefined;
  setState(state: PageState): void;
};

/** The page has types of the host, and none of its code. */
const directions = ['sent', 'received', 'app'] as const;

/** Waits for a pause in the typing: each change of the filter looks through all messages. */
const typingMs = 150;

const editor = acquireVsCodeApi();
const text = byId('text', HTMLInputElement);
const method = byId('method', HTMLSelectElement);
const direction = byId('direction', HTMLSelectElement);
const errors = byId('errors', HTMLInputElement);
const pause = byId('pause', HTMLButtonElement);
const counts = byId('counts', HTMLElement);
const detail = byId('detail', HTMLElement);
const list = new MessageList(
  {
    grid: byId('list', HTMLElement),
    body: byId('rows', HTMLElement),
    empty: byId('empty', HTMLElement),
  },
  (n) => editor.postMessage({ kind: 'select', n }),
);

function currentFilter(): MessageFilter {
  return {
    text: text.value,
    method: method.value,
    direction: directions.find((one) => one === direction.value) ?? 'any',
    errorsOnly: errors.checked,
  };
}

function isFiltering(): boolean {
  const { text: words, method: one, direction: way, errorsOnly } = currentFilter();
  return words.trim() !== '' || one !== '' || way !== 'any' || errorsOnly;
}

function applyFilter(): void {
  const filter = currentFilter();
  const { server = '', name = '' } = document.body.dataset;
  editor.setState({ server, name, filter });
  editor.postMessage({ kind: 'filter', filter });
}

let typing: number | undefined;
text.addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(applyFilter, typingMs);
});
for (const field of [method, direction, errors]) {
  field.addEventListener('change', applyFilter);
}
let isPaused = false;
pause.addEventListener('click', () => {
  editor.postMessage({ kind: 'pause', isPaused: !isPaused });
});
byId('clear', HTMLButtonElement).addEventListener('click', () =>
  editor.postMessage({ kind: 'clear' }),
);
byId('export', HTMLButtonElement).addEventListener('click', () =>
  editor.postMessage({ kind: 'export' }),
);
document.addEventListener('keydown', (event) => {
  const isAlone = !event.shiftKey && !event.altKey;
  if (event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey) && isAlone) {
    event.preventDefault();
    text.focus();
    text.select();
  }
});

/** The methods seen so far, and the chosen one even if it was not seen yet. */
function offerMethods(names: readonly string[], chosen: string): void {
  const all = chosen === '' || names.includes(chosen) ? names : [...names, chosen];
  const shown = [...method.options].slice(1).map(({ value }) => value);
  if (shown.join('\n') !== all.join('\n')) {
    const [any] = method.options;
    method.replaceChildren(
      ...(any === undefined ? [] : [any]),
      ...all.map((name) => element('option', { value: name }, name)),
    );
  }
  method.value = chosen;
}

/** The button's label says what a click does; an additional "pressed" state would say the opposite. */
function takePause(now: boolean): void {
  isPaused = now;
  pause.classList.toggle('on', now);
  pause.textContent = word(now ? 'resume' : 'pause');
  pause.title = word(now ? 'resumehint' : 'pausehint');
}

/** A screen reader reads the counts when the user changes the filter, and not with each new message. */
function tellCounts(told: string, isAsked: boolean): void {
  counts.setAttribute('aria-live', isAsked ? 'polite' : 'off');
  counts.textContent = told;
}

function show(message: ToPage): void {
  switch (message.kind) {
    case 'rows':
      offerMethods(message.methods, method.value);
      takePause(message.isPaused);
      tellCounts(message.counts, true);
      list.set(message.rows, message.selected, isFiltering());
      break;
    case 'changed':
      offerMethods(message.methods, method.value);
      tellCounts(message.counts, false);
      list.change(message.rows, message.first);
      break;
    case 'detail':
      showDetail(detail, message.detail, (action) => {
        if (action.kind === 'show') {
          list.select(action.n);
        } else {
          editor.postMessage(action);
        }
      });
      break;
    case 'reveal':
      list.select(message.n);
      list.focus();
      break;
  }
}

window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => show(data));
const before = editor.getState()?.filter;
if (before !== undefined) {
  text.value = before.text;
  offerMethods([], before.method);
  direction.value = before.direction;
  errors.checked = before.errorsOnly;
}
applyFilter();
