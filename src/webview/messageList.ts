/**
 * The list of messages. The browser draws only the rows in view (`content-visibility` in the style sheet). A grid to screen
 * readers; the arrow keys move its selection. Follows new messages while its end is in view.
 */
import type { Row } from '../vscode/inspector/pageMessages.ts';
import { element, word } from './dom.ts';

/** Must match the style sheet. */
const rowHeight = 24;

const arrows: Readonly<Record<Row['kind'], string>> = {
  sent: '↑',
  received: '↓',
  fromApp: '⇠',
  toApp: '⇢',
  stream: '⇅',
  event: '●',
};

export class MessageList {
  readonly #grid: HTMLElement;
  readonly #body: HTMLElement;
  readonly #empty: HTMLElement;
  readonly #onSelect: (n: number) => void;
  #selected: number | undefined;

  constructor(
    parts: { readonly grid: HTMLElement; readonly body: HTMLElement; readonly empty: HTMLElement },
    onSelect: (n: number) => void,
  ) {
    this.#grid = parts.grid;
    this.#body = parts.body;
    this.#empty = parts.empty;
    this.#onSelect = onSelect;
    this.#grid.addEventListener('keydown', (event) => this.#onKey(event));
    this.#body.addEventListener('click', (event) => {
      const row = event.target instanceof Element ? event.target.closest('[data-n]') : null;
      if (row !== null) {
        this.select(numberOf(row));
      }
    });
  }

  /** Replaces all rows. */
  set(rows: readonly Row[], selected: number | undefined, isFiltered: boolean): void {
    const isOther = selected !== this.#selected;
    this.#selected = selected;
    const why = word(isFiltered ? 'unfit' : 'empty');
    this.#empty.replaceChildren(element('div', { role: 'row' }, cell('note', why)));
    this.#update(() => this.#body.replaceChildren(...rows.map(rowElement)));
    if (isOther) {
      this.#mark()?.scrollIntoView({ block: 'nearest' }); // the page was hidden, and is a new one now
    }
  }

  /** New or changed rows, in order; rows before `first` are removed. */
  change(rows: readonly Row[], first: number): void {
    this.#update(() => {
      const gone = [...this.#body.children].filter((row) => numberOf(row) < first);
      const { scrollTop } = this.#grid; // the browser lowers it when rows go
      gone.forEach((row) => row.remove());
      this.#grid.scrollTop = scrollTop - gone.length * rowHeight; // what is read stays in place
      for (const row of rows) {
        let before = this.#body.lastElementChild;
        while (before !== null && numberOf(before) > row.n) {
          before = before.previousElementSibling;
        }
        if (before === null) {
          this.#body.prepend(rowElement(row));
        } else if (numberOf(before) === row.n) {
          before.replaceWith(rowElement(row));
        } else {
          before.after(rowElement(row));
        }
      }
    });
  }

  select(n: number): void {
    this.#selected = n;
    this.#mark()?.scrollIntoView({ block: 'nearest' });
    this.#onSelect(n);
  }

  focus(): void {
    this.#grid.focus();
  }

  #update(change: () => void): void {
    const { scrollTop, clientHeight, scrollHeight } = this.#grid;
    change();
    this.#empty.hidden = this.#body.childElementCount > 0;
    this.#mark();
    if (scrollTop + clientHeight >= scrollHeight - rowHeight) {
      this.#grid.scrollTop = this.#grid.scrollHeight;
    }
  }

  /** Marks the selected row, if it is there. */
  #mark(): Element | undefined {
    this.#body.querySelector('[aria-selected="true"]')?.setAttribute('aria-selected', 'false');
    const row = this.#body.querySelector(`#row-${this.#selected ?? 'none'}`) ?? undefined;
    row?.setAttribute('aria-selected', 'true');
    if (row === undefined) {
      this.#grid.removeAttribute('aria-activedescendant');
    } else {
      this.#grid.setAttribute('aria-activedescendant', row.id);
    }
    return row;
  }

  #onKey(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.#grid.clientHeight / rowHeight) - 2);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: Number.NEGATIVE_INFINITY,
      End: Number.POSITIVE_INFINITY,
    };
    const step = steps[event.key];
    const rows = [...this.#body.children].map(numberOf);
    if (step === undefined || rows.length === 0) {
      return;
    }
    event.preventDefault();
    const now = rows.findIndex((n) => n === this.#selected);
    const wanted = now === -1 && Math.abs(step) === 1 ? 0 : now + step;
    this.select(rows[Math.min(Math.max(wanted, 0), rows.length - 1)] ?? 0);
  }
}

function numberOf(row: Element): number {
  return Number(row.getAttribute('data-n'));
}

function rowElement(row: Row): HTMLElement {
  const isEvent = row.kind === 'event';
  const notes = [
    ...(row.type === '' ? [] : [element('span', { class: 'kind' }, row.type)]),
    ...(row.isReplay ? [element('span', { class: 'mark' }, word('mark'))] : []),
  ];
  const made = element(
    'div',
    {
      role: 'row',
      id: `row-${row.n}`,
      class: `row ${row.kind} ${row.tone}`,
      'data-n': String(row.n),
      'aria-selected': 'false',
      'aria-label': row.label,
    },
    cell('arrow', arrows[row.kind]),
    methodCell(row.method, notes, isEvent),
    ...(isEvent ? [] : [cell('id', row.id), cell('status', row.status)]),
    cell('time', row.time),
    cell('duration', row.duration),
    cell('size', row.size),
    cell('revision', row.revision),
  );
  made.title = isEvent ? row.method : `${row.method} ${row.status}`.trim();
  return made;
}

function cell(name: string, ...content: readonly (Node | string)[]): HTMLElement {
  return element('span', { role: 'gridcell', class: name }, ...content);
}

/** An event also spans the columns of id and status (see the style sheet). */
function methodCell(method: string, notes: readonly Node[], isEvent: boolean): HTMLElement {
  const made = cell('method', method, ...notes);
  if (isEvent) {
    made.setAttribute('aria-colspan', '3');
  }
  return made;
}
