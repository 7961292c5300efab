/** What an editor does to Node's modules: other functions for requests, more certificates. */
import assert from 'node:assert/strict';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

const modules: Record<'http' | 'https', { request: unknown }> = {
  http: createRequire(import.meta.url)('node:http'),
  https: createRequire(import.meta.url)('node:https'),
};

/** Counts the calls of `request` of the module while `use` runs. */
export async function countingRequests(
  name: keyof typeof modules,
  use: () => Promise<void>,
): Promise<number> {
  const module = modules[name];
  const { request } = module;
  assert.ok(typeof request === 'function');
  let calls = 0;
  module.request = (...args: readonly unknown[]): unknown => {
    calls += 1;
    return Reflect.apply(request, module, args);
  };
  syncBuiltinESMExports();
  try {
    await use();
    return calls;
  } finally {
    module.request = request;
    syncBuiltinESMExports();
  }
}

/** As an editor does with the certificates of the system. */
export async function trusting(extra: string, use: () => Promise<void>): Promise<void> {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, extra]);
  try {
    await use();
  } finally {
    setDefaultCACertificates(before);
  }
}
