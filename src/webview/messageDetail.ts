/** One message in full: its facts, its HTTP headers, and its JSON in colours. */
import type { Detail, Facts, FromPage } from '../vscode/inspector/pageMessages.ts';
import { element, word } from './dom.ts';
import { jsonPieces } from './jsonPieces.ts';

/** Pieces of JSON that get a colour; more would make the page slow. */
const maxPieces = 20_000;

type Act = (action: FromPage | { readonly kind: 'show'; readonly n: number }) => void;

export function showDetail(into: HTMLElement, detail: Detail | undefined, act: Act): void {
  if (detail === undefined) {
    into.replaceChildren(element('p', { class: 'note' }, word('nothing')));
    return;
  }
  const { n } = detail;
  const actions = actionsOf(detail, act);
  // The same message with more facts: the focus stays where it was.
  const focused =
    document.activeElement instanceof HTMLElement ? document.activeElement.dataset['part'] : '';
  const isSame = into.dataset['n'] === String(n);
  const { scrollTop } = into;
  into.dataset['n'] = String(n);
  into.replaceChildren(
    element('h1', {}, detail.title),
    ...(actions.length === 0 ? [] : [element('div', { class: 'actions' }, ...actions)]),
    facts(detail.facts, 'facts'),
    ...detail.sections.map((section, index) => headers(section, index, detail.json === '')),
    ...(detail.json === ''
      ? []
      : [
          element('h2', {}, word('message')),
          ...(detail.note === '' ? [] : [element('p', { class: 'note' }, detail.note)]),
          element(
            'pre',
            {
              tabindex: '0',
              dir: 'ltr',
              role: 'group',
              'aria-label': word('message'),
              'data-part': 'json',
            },
            ...coloured(detail.json),
          ),
        ]),
  );
  into.scrollTop = isSame ? scrollTop : 0;
  if (isSame && focused !== undefined && focused !== '') {
    into.querySelector<HTMLElement>(`[data-part="${focused}"]`)?.focus();
  }
}

function actionsOf(detail: Detail, act: Act): readonly HTMLElement[] {
  const { n, partner, original } = detail;
  return [
    detail.canReplay && button('replay', word('replay'), () => act({ kind: 'replay', n })),
    detail.canReplay && button('edit', word('edit'), () => act({ kind: 'editAndReplay', n })),
    partner && button('partner', partner.label, () => act({ kind: 'show', n: partner.n })),
    original !== undefined &&
      button('original', word('original'), () => act({ kind: 'show', n: original })),
    detail.json !== '' && button('copy', word('copy'), () => act({ kind: 'copy', n })),
  ].filter((one) => one instanceof HTMLElement);
}

function button(id: string, label: string, onClick: () => void): HTMLElement {
  const made = element('button', { type: 'button', 'data-part': id }, label);
  made.addEventListener('click', onClick);
  return made;
}

/** Whether headers are unfolded: the user's last choice, for any message. */
let areHeadersOpen = false;

/** @param isAll the message has nothing else to show */
function headers(
  { title, facts: pairs }: Detail['sections'][number],
  index: number,
  isAll: boolean,
): HTMLElement {
  const made = document.createElement('details');
  made.open = isAll || areHeadersOpen;
  const summary = element('summary', { 'data-part': `headers-${index}` }, title);
  summary.addEventListener('click', () => {
    areHeadersOpen = !made.open;
  });
  made.append(
    summary,
    pairs.length === 0 ? element('p', { class: 'note' }, word('none')) : facts(pairs, 'headers'),
  );
  return made;
}

function facts(pairs: Facts, kind: 'facts' | 'headers'): HTMLElement {
  return element(
    'dl',
    { class: kind },
    ...pairs.map(([name, value]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, value)),
    ),
  );
}

/** Puts names, texts, numbers and words of JSON into elements of their own; everything between them is plain text. */
function coloured(json: string): readonly (Node | string)[] {
  const pieces: (Node | string)[] = [];
  let done = 0;
  for (const { kind, text, start } of jsonPieces(json)) {
    if (pieces.length > maxPieces) {
      break;
    }
    pieces.push(json.slice(done, start), element('span', { class: kind }, text));
    done = start + text.length;
  }
  return [...pieces, json.slice(done)];
}
