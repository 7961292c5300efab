/**
 * The two settings as the user and the remote machine have them. `globalValue` of the editor is both, merged, and a
 * repository can write the settings of the remote machine by its devcontainer.json. Settings of the scope
 * `application` are never read from there: of these `globalValue` is the user's.
 */
import type { RawScope } from './serverConfig.ts';

/** What `inspect()` gives. The editor's types do not have the two parts. */
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

function partsOf(
  inspected: Inspected = {},
  isRemote: boolean,
): { readonly user: unknown; readonly remote: unknown } {
  const { globalValue, globalLocalValue, globalRemoteValue } = inspected;
  if (isRemote && !('globalRemoteValue' in inspected)) {
    return { user: undefined, remote: globalValue };
  }
  // Without anything of the remote machine all of it is the user's: what counts in all profiles is in no local part.
  return globalRemoteValue === undefined
    ? { user: globalValue, remote: undefined }
    : { user: globalLocalValue, remote: globalRemoteValue };
}
