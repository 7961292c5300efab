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

const dns: { lookup: unknown } = createRequire(import.meta.url)('node:dns');

/** Answers the look-up of names with these addresses while `use` runs, as sockets ask for them. */
export async function resolving(
  names: Readonly<Record<string, readonly string[]>>,
  use: () => Promise<void>,
): Promise<void> {
  const { lookup } = dns;
  assert.ok(typeof lookup === 'function');
  dns.lookup = (name: string, options: { all?: boolean }, found: (...args: unknown[]) => void) => {
    const addresses = (names[name] ?? []).map((address) => ({ address, family: 4 }));
    if (addresses.length === 0) {
      Reflect.apply(lookup, dns, [name, options, found]);
    } else if (options.all === true) {
      process.nextTick(found, null, addresses);
    } else {
      process.nextTick(found, null, addresses[0]?.address, 4);
    }
  };
  try {
    await use();
  } finally {
    dns.lookup = lookup;
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
