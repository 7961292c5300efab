/** The size of a value, without serializing it: results may hold megabytes of images. Pure. */
import { isObject, isString } from '../../base/json.ts';

/** Further nodes are not counted: measuring must never delay a call. */
const maxNodes = 10_000;
const maxNames = 50;

/** Approximate, in characters of JSON. */
export function sizeOf(value: unknown): number {
  let size = 0;
  const left: unknown[] = [value];
  for (let seen = 0; left.length > 0 && seen < maxNodes; seen += 1) {
    const node = left.pop();
    if (isString(node)) {
      size += node.length + 2;
    } else if (Array.isArray(node)) {
      size += node.length + 1;
      left.push(...node.slice(0, maxNodes));
    } else if (isObject(node)) {
      const entries = Object.entries(node).slice(0, maxNodes);
      size += entries.reduce((sum, [key]) => sum + key.length + 4, 1);
      left.push(...entries.map(([, child]) => child));
    } else if (node !== undefined) {
      // Numbers, booleans and null; their exact length does not matter.
      size += 4;
    }
  }
  return size;
}

/** The facts about an input: the names of its members and its size, no value. */
export function inputFacts(input: Readonly<Record<string, unknown>> = {}): {
  readonly inputNames: readonly string[];
  readonly inputSize: number;
} {
  return { inputNames: Object.keys(input).slice(0, maxNames), inputSize: sizeOf(input) };
}
