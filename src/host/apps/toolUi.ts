/**
 * `_meta.ui` of tools: which view shows a call, and who may call. Not facts: what a server says.
 * https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#resource-discovery
 */
import { isObject, isString } from '../../base/json.ts';

/** A tool, or what claims to be one. */
interface WithMeta {
  readonly _meta?: unknown;
}

export type ViewLink =
  | { readonly kind: 'none' }
  | { readonly kind: 'view'; readonly uri: string }
  /** No address of a view: the tool is a plain one (APP-09). */
  | { readonly kind: 'wrong'; readonly found: unknown };

/** The nested key wins over the deprecated flat one (APP-08). */
export function viewLink({ _meta }: WithMeta): ViewLink {
  const { ui, 'ui/resourceUri': flat } = isObject(_meta) ? _meta : {};
  const found = (isObject(ui) ? ui['resourceUri'] : undefined) ?? flat;
  if (found === undefined || found === null) {
    return { kind: 'none' };
  }
  return isString(found) && found.startsWith('ui://')
    ? { kind: 'view', uri: found }
    : { kind: 'wrong', found };
}

/** Whether an app of the server shows calls of the tool. */
export function hasApp(tool: WithMeta): boolean {
  return viewLink(tool).kind === 'view';
}

/** Whether models may call it; also where the server does not say (APP-11). */
export function isForModels(tool: WithMeta): boolean {
  return isFor(tool, 'model');
}

/** Whether the server's apps may call it; also where the server does not say. */
export function isForApps(tool: WithMeta): boolean {
  return isFor(tool, 'app');
}

function isFor({ _meta }: WithMeta, who: 'model' | 'app'): boolean {
  const { ui } = isObject(_meta) ? _meta : {};
  const visibility = isObject(ui) ? ui['visibility'] : undefined;
  return !Array.isArray(visibility) || visibility.includes(who);
}
