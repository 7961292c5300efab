/** The apps of servers (MCP Apps), and their tabs. Loaded with the first app. */
import { systemClock } from '../base/clock.ts';
import { Apps } from '../host/apps/apps.ts';
import type { HostedApps } from '../vscode/apps/registerApps.ts';
import { appDomains, onDidChangeShowsApps, showsApps } from '../vscode/config/editorWorkspace.ts';

export { setUnexpectedErrorHandler } from '../base/event.ts';
export { setTranslator } from '../base/l10n.ts';
export { shareLastDialog } from '../host/questions/reading.ts';
export { AppTabs } from '../vscode/apps/appTabs.ts';

/** The apps of all servers, under the user's settings. */
export function createApps({
  appApprovals: approvals,
  ourselves: about,
  ...parts
}: HostedApps): Apps {
  const { audit, checker, callServices, host, sampling, shownApps } = parts;
  return new Apps({
    approvals,
    audit,
    checker,
    callServices,
    host,
    about,
    showsApps,
    onDidChangeShowsApps,
    shownApps,
    appDomains,
    clock: systemClock,
    ...(sampling && { sampling }),
  });
}
