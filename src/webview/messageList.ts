/**
 * The list of messages: as many rows as fit are in the page, however many there are. A grid to screen
 * readers; the arrow keys move its selection. Follows new messages while its end is in view.
 */
import type { Row } from '../vscode/inspector/pageMessages.ts';
import { element, word } from './dom.ts';

/** Must match the style sheet. */
const rowHeight = 24;
/** Rows beyond the edges, so that scrolling shows no gaps. */
const overscan = 8;

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
  #rows: Row[] = [];
  #selected: number | undefined;
  #isDrawing = false;

  constructor(
    parts: { readonly grid: HTMLElement; readonly body: HTMLElement; readonly empty: HTMLElement },
    onSelect: (n: number) => void,
  ) {
    this.#grid = parts.grid;
    this.#body = parts.body;
    this.#empty = parts.empty;
    this.#onSelect = onSelect;
    this.#grid.addEventListener('scroll', () => this.#draw());
    this.#grid.addEventListener('keydown', (event) => this.#onKey(event));
    this.#body.addEventListener('click', (event) => {
      const row = event.target instanceof Element ? event.target.closest('[data-n]') : null;
      if (row instanceof HTMLElement) {
        this.select(Number(row.dataset['n']));
      }
    });
    new ResizeObserver(() => this.#draw()).observe(this.#grid);
  }

  get selected(): number | undefined {
    return this.#selected;
  }

  /** Replaces all rows. */
  set(rows: readonly Row[], selected: number | undefined, isFiltered: boolean): void {
    const isAtEnd = this.#isAtEnd();
    const isOther = selected !== this.#selected;
    this.#rows = [...rows];
    this.#selected = selected;
    const why = word(isFiltered ? 'unfit' : 'empty');
    this.#empty.replaceChildren(element('div', { role: 'row' }, cell('note', why)));
    this.#resized(isAtEnd);
    if (isOther) {
      this.#showSelected(); // the page was hidden, and is a new one now
    }
  }

  /** New or changed rows, in order; rows before `first` are removed. */
  change(rows: readonly Row[], first: number): void {
    const isAtEnd = this.#isAtEnd();
    const gone = this.#rows.findIndex(({ n }) => n >= first);
    const dropped = gone === -1 ? this.#rows.length : gone;
    this.#rows.splice(0, dropped);
    for (const row of rows) {
      const index = this.#indexOf(row.n);
      if (index === -1) {
        this.#rows.push(row);
      } else {
        this.#rows[index] = row;
      }
    }
    this.#rows.sort((a, b) => a.n - b.n);
    if (!isAtEnd && dropped > 0) {
      this.#grid.scrollTop -= dropped * rowHeight;
    }
    this.#resized(isAtEnd);
  }

  select(n: number | undefined): void {
    this.#selected = n;
    this.#showSelected();
    this.#draw();
    if (n !== undefined) {
      this.#onSelect(n);
    }
  }

  focus(): void {
    this.#grid.focus();
  }

  #indexOf(n: number | undefined): number {
    return this.#rows.findIndex((row) => row.n === n);
  }

  #isAtEnd(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.#grid;
    return scrollTop + clientHeight >= scrollHeight - rowHeight;
  }

  #resized(isAtEnd: boolean): void {
    this.#body.style.height = `${this.#rows.length * rowHeight}px`;
    this.#empty.hidden = this.#rows.length > 0;
    this.#grid.setAttribute('aria-rowcount', String(this.#rows.length + 1));
    if (isAtEnd) {
      this.#grid.scrollTop = this.#grid.scrollHeight;
    }
    this.#draw();
  }

  /** Scrolls only if needed; the list's head covers its first row. */
  #showSelected(): void {
    const index = this.#indexOf(this.#selected);
    if (index === -1) {
      return;
    }
    const top = index * rowHeight;
    const { scrollTop, clientHeight } = this.#grid;
    if (top < scrollTop) {
      this.#grid.scrollTop = top;
    } else if (top + 2 * rowHeight > scrollTop + clientHeight) {
      this.#grid.scrollTop = top + 2 * rowHeight - clientHeight;
    }
  }

  /** Runs once per frame, however often it is called. */
  #draw(): void {
    if (!this.#isDrawing) {
      this.#isDrawing = true;
      requestAnimationFrame(() => {
        this.#isDrawing = false;
        this.#drawNow();
      });
    }
  }

  #drawNow(): void {
    const { scrollTop, clientHeight } = this.#grid;
    const from = Math.max(0, Math.floor(scrollTop / rowHeight) - overscan);
    const to = Math.min(
      this.#rows.length,
      Math.ceil((scrollTop + clientHeight) / rowHeight) + overscan,
    );
    const drawn = this.#rows
      .slice(from, to)
      .map((row, index) => this.#rowElement(row, from + index));
    this.#body.replaceChildren(...drawn);
    const isDrawn = drawn.some(({ dataset }) => dataset['n'] === String(this.#selected));
    if (isDrawn) {
      this.#grid.setAttribute('aria-activedescendant', `row-${this.#selected ?? ''}`);
    } else {
      this.#grid.removeAttribute('aria-activedescendant');
    }
  }

  #rowElement(row: Row, index: number): HTMLElement {
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
        'aria-rowindex': String(index + 2),
        'aria-selected': String(row.n === this.#selected),
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
    made.style.top = `${index * rowHeight}px`;
    return made;
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
    if (step === undefined || this.#rows.length === 0) {
      return;
    }
    event.preventDefault();
    const now = this.#indexOf(this.#selected);
    const wanted = now === -1 && Math.abs(step) === 1 ? 0 : now + step;
    const index = Math.min(Math.max(wanted, 0), this.#rows.length - 1);
    this.select(this.#rows[index]?.n);
  }
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
