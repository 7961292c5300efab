/** Under which capability a server declares each of its lists; it announces changes of a list by that name, too. */
import type { ListName } from './listItems.ts';

export const listCapabilities = ['tools', 'prompts', 'resources'] as const;

export type ListCapability = (typeof listCapabilities)[number];

export function capabilityOf(list: ListName): ListCapability {
  return list === 'resourceTemplates' ? 'resources' : list;
}
