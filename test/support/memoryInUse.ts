/** The memory of this process that is in use: what a collection of garbage leaves. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export const megabyte = 2 ** 20;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes, those outside of the heap included. */
export function inUse(): number {
  // What finalizers let go of in the first round goes in the second.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

export function inMegabytes(bytes: number): string {
  return `${(bytes / megabyte).toFixed(1)} MB`;
}
