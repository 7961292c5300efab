/** The capability that declares each list. Notifications about changes of a list use the same name. */
import type { ListName } from './listItems.ts';

export const listCapabilities = ['tools', 'prompts', 'resources'] as const;

export type ListCapability = (typeof listCapabilities)[number];

export function capabilityOf(list: ListName): ListCapability {
  return list === 'resourceTemplates' ? 'resources' : list;
}
