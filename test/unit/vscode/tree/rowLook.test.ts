import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Tool } from '../../../../src/mcp/types/lists.ts';
import type { TreeNode } from '../../../../src/vscode/tree/nodes.ts';
import { lookOf } from '../../../../src/vscode/tree/rowLook.ts';

const tool: Tool = { name: 'draw', inputSchema: { type: 'object' } };
const node = (listed: Tool): TreeNode => ({ kind: 'tool', serverId: 'a', tool: listed, index: 0 });
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
    assert.equal(lookOf(node(tool), { ...item }), lookOf(node(tool), item));
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
  for (const [what, other] of others) {
    it(`is another one with another ${what}`, () => {
      assert.notEqual(lookOf(node(tool), other), lookOf(node(tool), item));
    });
  }

  it('is another one for a tool of another list, which may differ in what no row shows', () => {
    assert.notEqual(lookOf(node({ ...tool }), item), lookOf(node(tool), item));
  });
});
