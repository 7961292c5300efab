/**
 * Under which id a workspace keeps values in the secret storage, which all windows share. Its path does not tell it from
 * another one: two machines, or two containers, may have a folder of the same path.
 */
import { randomUUID } from 'node:crypto';
import { isString } from '../../base/json.ts';
import type { Memory } from '../storage.ts';

const memoryKey = 'mcpHost.workspaceId';

/**
 * Made when it is first needed.
 * @param place for people; empty where there is no workspace, which has no id
 */
export function workspaceIdOf(
  place: string,
  workspaceMemory: Memory,
  onError: (error: unknown) => void,
): string {
  const kept = workspaceMemory.get(memoryKey);
  if (place === '') {
    return '';
  }
  if (isString(kept)) {
    return kept;
  }
  const made = `${place} ${randomUUID()}`;
  workspaceMemory.set(memoryKey, made).catch(onError);
  return made;
}
