/**
 * What the editor has drawn of a tree, and which rows it must ask for again: as few as possible. While it asks for a
 * row again it forgets the rows below, may close one that was just opened, and may lose a click. Draws nothing.
 */
import { createHash } from 'node:crypto';
import type { TreeNode } from './nodes.ts';

/** The rows as they would be drawn now, below one root. */
export interface RowsNow<N> {
  /** The id of a row, whatever object stands for it. */
  readonly id: (row: N) => string;
  /** What the row shows. */
  readonly look: (row: N) => string;
  /** What its tooltip shows, unless that is part of its look. */
  readonly hover: (row: N) => string;
  readonly below: (row: N) => readonly N[];
  /** Whether the same object always stands for the row: the editor knows rows by identity. */
  readonly isKept: (row: N) => boolean;
}

/** Each part is set once the editor has asked for it. */
interface Drawn {
  readonly look?: string;
  readonly hover?: string;
  /** Ids. */
  readonly below?: readonly string[];
}

export class DrawnRows<N> {
  readonly #now: RowsNow<N>;
  readonly #drawn = new Map<string, Drawn>();

  constructor(now: RowsNow<N>) {
    this.#now = now;
  }

  /** The number of rows of which something is known. */
  get size(): number {
    return this.#drawn.size;
  }

  /** The editor got this row, with this look. */
  drew(row: N, look: string): void {
    const id = this.#now.id(row);
    const below = this.#drawn.get(id)?.below;
    this.#drawn.set(id, { look, ...(below && { below }) });
  }

  /** The editor got the rows below this row. */
  asked(row: N, below: readonly N[]): void {
    const id = this.#now.id(row);
    const drawn = this.#drawn.get(id);
    const ids = below.map(this.#now.id);
    const left = new Set(ids);
    drawn?.below?.filter((old) => !left.has(old)).forEach((old) => this.#forget(old));
    this.#drawn.set(id, { ...drawn, below: ids });
  }

  /** The user was shown the tooltip of this row. */
  lookedAt(row: N): void {
    const id = this.#now.id(row);
    this.#drawn.set(id, { ...this.#drawn.get(id), hover: this.#now.hover(row) });
  }

  /**
   * Which of this row and those below it must be asked for again, each with all rows below it. Each is returned once,
   * until the editor has asked for it.
   */
  changed(row: N): readonly N[] {
    const changed = this.#changed(row);
    changed.forEach((each) => this.forget(each));
    return changed;
  }

  /** This row and those below it are no longer drawn. */
  forget(row: N): void {
    this.#forget(this.#now.id(row));
  }

  #changed(row: N): readonly N[] {
    const now = this.#now;
    const drawn = this.#drawn.get(now.id(row));
    if (drawn === undefined) {
      return [];
    }
    if (
      (drawn.look !== undefined && drawn.look !== now.look(row)) ||
      (drawn.hover !== undefined && drawn.hover !== now.hover(row))
    ) {
      return [row];
    }
    if (drawn.below === undefined) {
      return [];
    }
    const below = now.below(row);
    if (!isSameOrder(drawn.below, below.map(now.id))) {
      return [row];
    }
    const changed: N[] = [];
    for (const child of below) {
      const inside = this.#changed(child);
      if (inside.length > 0 && !now.isKept(child)) {
        return [row];
      }
      changed.push(...inside);
    }
    return changed;
  }

  #forget(id: string): void {
    const below = this.#drawn.get(id)?.below;
    this.#drawn.delete(id);
    below?.forEach((child) => this.#forget(child));
  }
}

function isSameOrder(before: readonly string[], now: readonly string[]): boolean {
  return before.length === now.length && before.every((id, index) => id === now[index]);
}

/** The visible and audible parts of a tree item. */
interface Shown {
  readonly label?: unknown;
  readonly description?: unknown;
  readonly iconPath?: unknown;
  readonly contextValue?: unknown;
  readonly collapsibleState?: unknown;
  readonly accessibilityInformation?: unknown;
  readonly tooltip?: string | { readonly value: string } | undefined;
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

export function lookOf(node: TreeNode, item: Shown): string {
  const { label, description, iconPath, contextValue, collapsibleState, accessibilityInformation } =
    item;
  const tooltip = typeof item.tooltip === 'string' ? item.tooltip : item.tooltip?.value;
  const parts = [label, description, iconPath, tooltip, contextValue, collapsibleState];
  return createHash('sha256')
    .update(JSON.stringify([...parts, accessibilityInformation, behind(node)]))
    .digest('base64');
}

/**
 * Identifies the object that commands on the row use. A changed list has new objects; identity tells, since a tool
 * also changes when only its schema does.
 */
function behind(node: TreeNode): unknown {
  switch (node.kind) {
    case 'problem':
      return node.problem;
    case 'tool':
      return numberOf(node.tool);
    case 'prompt':
      return numberOf(node.prompt);
    case 'resource':
      return numberOf(node.resource);
    case 'template':
      return numberOf(node.template);
    case 'skill':
      return numberOf(node.skill);
    case 'server':
    case 'group':
    case 'folder':
    case 'note':
    case 'more':
      return undefined;
  }
}

function numberOf(object: object): number {
  let number = numbers.get(object);
  if (number === undefined) {
    number = lastNumber += 1;
    numbers.set(object, number);
  }
  return number;
}
