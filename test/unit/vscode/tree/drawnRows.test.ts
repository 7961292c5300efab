import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { DrawnRows, lookOf, type RowsNow } from '../../../../src/vscode/tree/drawnRows.ts';
import type { Tool } from '../../../../src/mcp/types/lists.ts';
import type { TreeNode } from '../../../../src/vscode/tree/nodes.ts';

interface Row {
  readonly id: string;
  readonly look: string;
  readonly hover?: string;
  readonly isKept?: boolean;
  readonly below?: readonly Row[];
}

const tool = (name: string, look = name): Row => ({ id: `tool/${name}`, look });
const tools = (...below: readonly Row[]): Row => ({
  id: 'group/tools',
  look: `Tools ${below.length}`,
  isKept: true,
  below,
});
const resources = (...below: readonly Row[]): Row => ({
  id: 'group/resources',
  look: 'Resources',
  isKept: true,
  below,
});
const folder = (...below: readonly Row[]): Row => ({ id: 'folder', look: 'folder', below });
const server = (look: string, ...below: readonly Row[]): Row => ({
  id: 'server',
  look,
  hover: '',
  isKept: true,
  below,
});
const seen = (hover: string): Row => ({ ...server('ready', tools()), hover });
const other: Row = { id: 'other', look: 'other', isKept: true, below: [] };
const problem = (look: string): Row => ({ id: 'problem', look });
const root = (...below: readonly Row[]): Row => ({ id: '', look: '', isKept: true, below });

const rowsNow: RowsNow<Row> = {
  id: ({ id }) => id,
  look: ({ look }) => look,
  hover: ({ hover = '' }) => hover,
  below: ({ below = [] }) => below,
  isKept: ({ isKept = false }) => isKept,
};

describe('DrawnRows', () => {
  let rows: DrawnRows<Row>;

  beforeEach(() => {
    rows = new DrawnRows(rowsNow);
  });

  /** As the editor does: what is below the rows with these ids, and each line of that. */
  function draw(row: Row, ...open: readonly string[]): void {
    rows.drew(row, row.look);
    const below = row.below ?? [];
    if (row.id === '' || open.includes(row.id)) {
      rows.asked(row, below);
      below.forEach((child) => draw(child, ...open));
    }
  }

  function changed(row: Row): readonly string[] {
    return rows.changed(row).map(({ id }) => id);
  }

  const all = ['server', 'group/tools', 'group/resources', 'folder'];

  const ready = (...below: readonly Row[]): Row => root(server('ready', ...below));
  const [a, b] = [tool('a'), tool('b')];
  const cases: readonly (readonly [what: string, drawn: Row, now: Row, changed: string[]])[] = [
    ['nothing, where nothing is another', ready(tools(a)), ready(tools(a)), []],
    [
      'the group whose rows are others, and neither its server nor the other groups',
      ready(tools(a), resources(tool('x'))),
      ready(tools(a, b), resources(tool('x'))),
      ['group/tools'],
    ],
    [
      'the group in which one row shows something else',
      ready(tools(a, b)),
      ready(tools(a, tool('b', 'b, with a warning'))),
      ['group/tools'],
    ],
    [
      'the group whose rows have another order',
      ready(tools(a, b)),
      ready(tools(b, a)),
      ['group/tools'],
    ],
    [
      'the group for a row in one of its folders, since a folder is another object each time',
      ready(resources(folder(a))),
      ready(resources(folder(b))),
      ['group/resources'],
    ],
    [
      'the server whose own line is another, once, with all that is below it',
      root(server('starting', tools(a)), other),
      root(server('ready', tools(a, b)), other),
      ['server'],
    ],
    [
      'the server in which a group comes or goes',
      ready(tools()),
      ready(tools(), resources()),
      ['server'],
    ],
  ];
  for (const [what, drawn, now, expected] of cases) {
    it(what, () => {
      draw(drawn, ...all);
      assert.deepEqual(changed(now), expected);
    });
  }

  it('a closed group for its own line alone: what is in it is not drawn', () => {
    draw(ready(resources(a), tools(a)), 'server');
    assert.deepEqual(changed(ready(resources(b), tools(a, b))), ['group/tools']);
  });

  it('everything, where a row at the top comes, goes, moves, or is no lasting one and changes', () => {
    const first = root(problem('typo'), server('ready'), other);
    for (const now of [
      root(problem('typo'), server('ready')),
      root(server('ready'), other),
      root(problem('typo'), other, server('ready')),
      root(problem('another'), server('ready'), other),
    ]) {
      draw(first, ...all);
      assert.deepEqual(changed(now), ['']);
    }
  });

  it('what a pointer over the row shows: nothing before somebody has looked', () => {
    draw(root(seen('waiting')), ...all);
    assert.deepEqual(changed(root(seen('in use'))), []);
    rows.lookedAt(seen('in use'));
    assert.deepEqual(changed(root(seen('in use'))), []);
    assert.deepEqual(changed(root(seen('off'))), ['server']);
    // Drawn anew, it has not been looked at.
    draw(seen('off'), ...all);
    assert.deepEqual(changed(root(seen('waiting'))), []);
  });

  it('a row once until the editor has drawn it, however much happens meanwhile', () => {
    draw(root(server('starting', tools(tool('a')))), ...all);
    assert.deepEqual(changed(server('ready', tools())), ['server']);
    assert.deepEqual(changed(server('ready', tools(tool('b')))), []);
    assert.deepEqual(changed(root(server('failed'))), []);
    draw(server('failed', tools(tool('b'))), ...all);
    assert.deepEqual(changed(server('failed', tools(tool('b')))), []);
    assert.deepEqual(changed(server('failed', tools(tool('c')))), ['group/tools']);
  });

  it('nothing of what the editor has never asked for', () => {
    assert.deepEqual(changed(root(server('ready'))), []);
    draw(root(server('ready', tools(tool('a')))));
    assert.deepEqual(changed(tools(tool('b'))), []);
    assert.deepEqual(changed(root(server('ready', tools(tool('b'))))), []);
  });

  it('forgets rows with the ones that they were below', () => {
    draw(root(server('ready', tools(tool('a')))), ...all);
    assert.equal(rows.size, 4);
    rows.asked(root(), []);
    assert.equal(rows.size, 1);
    rows.forget(root());
    assert.equal(rows.size, 0);
  });
});

function itemsOf(
  parent: string,
  items: readonly { readonly name: string; readonly look: string }[],
): readonly Row[] {
  return items.map(({ name, look }) => ({ id: `${parent}/${name}`, look }));
}

/** An editor with rows open and closed that asks again for nothing but what it is told of. */
class Editor {
  readonly #rows: DrawnRows<Row>;
  readonly #isOpen: (id: string) => boolean;
  readonly #lines = new Map<string, string>();
  readonly #below = new Map<string, readonly string[]>();

  constructor(rows: DrawnRows<Row>, isOpen: (id: string) => boolean) {
    this.#rows = rows;
    this.#isOpen = isOpen;
  }

  draw(row: Row): void {
    this.#rows.drew(row, row.look);
    this.#lines.set(row.id, row.look);
    if (this.#isOpen(row.id)) {
      const below = row.below ?? [];
      this.#rows.asked(row, below);
      this.#below.set(
        row.id,
        below.map(({ id }) => id),
      );
      below.forEach((child) => this.draw(child));
    }
  }

  shown(id = ''): unknown {
    return [id, this.#lines.get(id), this.#below.get(id)?.map((child) => this.shown(child))];
  }
}

describe('an editor that asks for what DrawnRows tells', () => {
  const word = fc.constantFrom('a', 'b');
  const lists = fc.uniqueArray(fc.record({ name: word, look: word }), {
    selector: ({ name }) => name,
  });
  /** A tree of servers, groups, folders and items, each level with few ids, so that the same come again. */
  const trees = fc
    .uniqueArray(
      fc.record({
        name: word,
        look: word,
        groups: fc.uniqueArray(fc.record({ name: word, look: word, items: lists, inside: lists }), {
          selector: ({ name }) => name,
        }),
      }),
      { selector: ({ name }) => name },
    )
    .map((servers): Row =>
      root(
        ...servers.map(({ name, look, groups }) => ({
          id: name,
          look,
          isKept: true,
          below: groups.map((group) => ({
            id: `${name}/${group.name}`,
            look: group.look,
            isKept: true,
            below: [
              {
                id: `${name}/${group.name}/folder`,
                look: '',
                below: itemsOf(`${name}/${group.name}/folder`, group.inside),
              },
              ...itemsOf(`${name}/${group.name}`, group.items),
            ],
          })),
        })),
      ),
    );

  it('shows what there is after each of any changes, and is told of rows that it knows alone', () => {
    fc.assert(
      fc.property(
        fc.array(trees, { minLength: 2, maxLength: 4 }),
        fc.func(fc.boolean()),
        (states, isOpen) => {
          const rows = new DrawnRows<Row>(rowsNow);
          const opens = (id: string): boolean => id === '' || isOpen(id);
          const editor = new Editor(rows, opens);
          const [first = root()] = states;
          editor.draw(first);
          for (const state of states) {
            const changed = rows.changed(state);
            assert.ok(changed.every(({ isKept }) => isKept));
            changed.forEach((row) => editor.draw(row));
            const whole = new Editor(new DrawnRows<Row>(rowsNow), opens);
            whole.draw(state);
            assert.deepEqual(editor.shown(), whole.shown());
            assert.deepEqual(rows.changed(state), []);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});

const listed: Tool = { name: 'draw', inputSchema: { type: 'object' } };
const node = (of: Tool): TreeNode => ({ kind: 'tool', serverId: 'a', tool: of, index: 0 });
const item = {
  label: 'Draw',
  description: 'Draws',
  contextValue: 'tool',
  collapsibleState: 0,
  tooltip: 'All of it',
  accessibilityInformation: { label: 'Draw, tool' },
};

describe('the look of a row', () => {
  it('is the same for the same item of a list, whatever object stands for the row', () => {
    assert.equal(lookOf(node(listed), { ...item }), lookOf(node(listed), item));
  });

  const others: readonly (readonly [what: string, other: Parameters<typeof lookOf>[1]])[] = [
    ['label', { ...item, label: 'Paint' }],
    ['description', { ...item, description: 'Paints' }],
    ['words for menus', { ...item, contextValue: 'tool flagged' }],
    ['twistie', { ...item, collapsibleState: 1 }],
    ['tooltip', { ...item, tooltip: 'More' }],
    ['words for screen readers', { ...item, accessibilityInformation: { label: 'Paint, tool' } }],
    ['icon', { ...item, iconPath: 'warning.svg' }],
  ];
  for (const [what, changed] of others) {
    it(`is another one with another ${what}`, () => {
      assert.notEqual(lookOf(node(listed), changed), lookOf(node(listed), item));
    });
  }

  it('is another one for a tool of another list, which may differ in what no row shows', () => {
    assert.notEqual(lookOf(node({ ...listed }), item), lookOf(node(listed), item));
  });
});
