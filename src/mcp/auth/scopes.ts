/** Which scopes to ask for (https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#scope-selection-strategy). Pure. */

export interface ScopeSources {
  /** From the entry in the settings; takes precedence over what the server names. */
  readonly configured: readonly string[] | undefined;
  /** From the refusal, space-separated. */
  readonly challenged: string | undefined;
  readonly resource: readonly string[] | undefined;
  /** The scopes requested before, if the refusal asks for more. */
  readonly earlier: string | undefined;
  /** From the authorization server's metadata. */
  readonly supported: readonly string[] | undefined;
  readonly wantsRefreshToken: boolean;
}

/** Space-separated; undefined to send no `scope` parameter. */
export function selectScope(sources: ScopeSources): string | undefined {
  const { configured, challenged, resource, earlier, supported, wantsRefreshToken } = sources;
  const basis =
    configured ?? (challenged === undefined ? (resource ?? []) : splitScope(challenged));
  const wider = configured === undefined || earlier === undefined ? [] : splitScope(challenged);
  const all = new Set([...splitScope(earlier), ...basis, ...wider]);
  if (wantsRefreshToken && supported?.includes('offline_access') === true) {
    all.add('offline_access');
  }
  return all.size === 0 ? undefined : [...all].join(' ');
}

/** Whether every scope of `part` is in `whole`. */
export function isWithin(part: string | undefined, whole: string | undefined): boolean {
  const known = new Set(splitScope(whole));
  return splitScope(part).every((scope) => known.has(scope));
}

function splitScope(scope: string | undefined): readonly string[] {
  return (scope ?? '').split(' ').filter((part) => part !== '');
}
