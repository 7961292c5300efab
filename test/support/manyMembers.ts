/** An object with many members: `a0`, `a1` … */
export function manyMembers(count: number, make: (n: number) => unknown): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, make(n)]));
}
