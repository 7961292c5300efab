/** What a row looks like, as a short text that is another one whenever the row is to be drawn anew. */
import { createHash } from 'node:crypto';
import type { TreeNode } from './nodes.ts';

/** What of a tree item is seen or heard. */
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
 * What commands on the row are about. A list that has changed has other objects in it: they are told apart by that, since
 * a tool is also another one when only its schema is.
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
