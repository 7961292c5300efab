/** Creates a value when it is first requested, and returns the same one ever after. */
export function lazily<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= create());
}

/** The same for an asynchronous value. A failure is not kept: the next request tries again. */
export function lazilyLoaded<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    if (loading === undefined) {
      loading = load();
      loading.catch(() => {
        loading = undefined;
      });
    }
    return loading;
  };
}

/** The same for a value of each object: kept by identity, as long as the object is in use. */
export function perObject<K extends object, T>(create: (key: K) => T): (key: K) => T {
  const values = new WeakMap<K, T>();
  return (key) => {
    const value = values.get(key) ?? create(key);
    values.set(key, value);
    return value;
  };
}
