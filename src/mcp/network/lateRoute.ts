/** Loads what leads to servers with settings of their own for the way to them: few have any. */
import type { ConnectionSettings } from './connectionSettings.ts';
import type { Route } from './route.ts';

/** Undefined where the editor's settings alone count. */
export async function loadRoute(
  settings: ConnectionSettings | undefined,
): Promise<Route | undefined> {
  if (settings === undefined) {
    return undefined;
  }
  const late = await import('./route.ts');
  return new late.Route(settings);
}
