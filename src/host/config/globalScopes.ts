/**
 * The two settings, separately for the user and the remote machine. The editor's `globalValue` merges both, and a
 * repository can write the settings of the remote machine through its devcontainer.json. The editor never reads
 * settings of scope `application` from the remote machine: their `globalValue` is the user's.
 */
import type { RawScope } from './serverConfig.ts';

/** What `inspect()` returns. The editor's types lack the two parts. */
export interface Inspected {
  readonly globalValue?: unknown;
  readonly globalLocalValue?: unknown;
  readonly globalRemoteValue?: unknown;
}

/** @param isRemote whether the window has a remote machine */
export function globalScopes(
  settings: { readonly [name in 'servers' | 'inputs']: Inspected | undefined },
  isRemote: boolean,
): { readonly user: RawScope; readonly remote?: RawScope } {
  const servers = partsOf(settings.servers, isRemote);
  const inputs = partsOf(settings.inputs, isRemote);
  const user: RawScope = { scope: { kind: 'user' }, servers: servers.user, inputs: inputs.user };
  const remote: RawScope = {
    scope: { kind: 'remote' },
    servers: servers.remote,
    inputs: inputs.remote,
  };
  return isRemote ? { user, remote } : { user };
}

/** @param isRemote whether the window has a remote machine */
export function partsOf(
  inspected: Inspected = {},
  isRemote: boolean,
): { readonly user: unknown; readonly remote: unknown } {
  const { globalValue, globalLocalValue, globalRemoteValue } = inspected;
  if (isRemote && !('globalRemoteValue' in inspected)) {
    return { user: undefined, remote: globalValue };
  }
  // Without a remote value all of it is the user's: a value for all profiles is in no local part.
  return globalRemoteValue === undefined
    ? { user: globalValue, remote: undefined }
    : { user: globalLocalValue, remote: globalRemoteValue };
}
