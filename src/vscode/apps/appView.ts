/** What of a checked view reaches the page: its policy, and what the frame may do. */
import { policyText } from '../../host/apps/contentPolicy.ts';
import type { UiResource } from '../../host/apps/uiResource.ts';
import type { UiPermission } from '../../mcp/types/apps.ts';
import type { PageView } from './appPage.ts';

/** The editor refuses its webviews the others. */
export const grantable: readonly UiPermission[] = ['clipboardWrite'];

/**
 * Without `'self'`, which is nothing of the view's: it is the origin of the editor's page, in code-server that of the
 * workbench itself.
 */
export function toPageView({ html, policy, permissions, prefersBorder }: UiResource): PageView {
  const directives = [...policy.directives].map(([name, sources]): [string, readonly string[]] => {
    const others = sources.filter((source) => source !== "'self'");
    return [name, others.length === 0 ? ["'none'"] : others];
  });
  return {
    html,
    policy: policyText({ directives: new Map(directives) }),
    allow: permissions.includes('clipboardWrite') ? 'clipboard-write' : '',
    border: prefersBorder,
  };
}
