/** Makes a value when it is first asked for, and the same one ever after. */
export function lazily<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= create());
}
