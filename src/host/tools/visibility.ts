/**
 * Who may call a tool of a server with MCP apps: models, apps, or both.
 * https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx (`_meta.ui.visibility`)
 */
import { isObject, isString } from '../../base/json.ts';
import type { Tool } from '../../mcp/types/lists.ts';

/** Also where the server does not say. */
export function isForModels(tool: Tool): boolean {
  return isFor(tool, 'model');
}

/** Also where the server does not say. */
export function isForApps(tool: Tool): boolean {
  return isFor(tool, 'app');
}

/** Whether an app of the server shows calls of the tool. */
export function hasApp({ _meta: meta = {} }: Tool): boolean {
  const { ui } = meta;
  return isString(meta['ui/resourceUri']) || (isObject(ui) && isString(ui['resourceUri']));
}

function isFor({ _meta: meta = {} }: Tool, who: 'model' | 'app'): boolean {
  const { ui } = meta;
  const visibility = isObject(ui) ? ui['visibility'] : undefined;
  return !Array.isArray(visibility) || visibility.includes(who);
}
