/** Collects garbage at once, so that what is left in the heap is in use. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

export function collectGarbage(): void {
  // What finalizers let go of in the first round goes in the second.
  collect();
  collect();
}
