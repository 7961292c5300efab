/** A row's look as a short text, which changes whenever the row must be redrawn. */
import { createHash } from 'node:crypto';
import type { TreeNode } from './nodes.ts';

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
