/**
 * What of apps exists from the start: their commands, and one type of tab for each server, so that tabs are there again
 * after a reload of the window.
 */
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { lazily } from '../../base/lazily.ts';
import { AppContexts } from '../../host/apps/appContexts.ts';
import type { Apps, AppsParts } from '../../host/apps/apps.ts';
import { hasApp } from '../../host/apps/toolUi.ts';
import type { UiResource } from '../../host/apps/uiResource.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { Implementation } from '../../mcp/types/methods.ts';
import type { Registry } from '../editor/registerCommands.ts';
import type { ToolCall, ToolRun } from '../tools/resultDocument.ts';
import type { ShowApp } from '../tools/runTool.ts';
import { appServers, viewTypeOf } from './appRun.ts';
import type { AppTabs, AppTabsParts, OfferedApp } from './appTabs.ts';

/** For the command that opens the app of a call that has ended: its argument. Undefined as for {@link ShowApp}. */
export type OfferApp = (tool: Tool, run: ToolRun) => OfferedApp | undefined;

interface AppCallParts
  extends Pick<AppsParts, 'audit' | 'checker' | 'callServices'>, Pick<AppTabsParts, 'shownApps'> {
  readonly appApprovals: AppsParts['approvals'];
}

/** What apps are made of. */
export interface HostedApps extends AppCallParts, Pick<AppsParts, 'sampling'> {
  readonly host: McpHost;
  readonly ourselves: Implementation;
}

interface AppsBundle {
  readonly createApps: (parts: HostedApps) => Apps;
  readonly AppTabs: typeof AppTabs;
}

/** @param callParts is called with the first app, as is `showResult` with the first result that is wanted without one */
export function registerApps(
  parts: Registry &
    Omit<AppTabsParts, 'apps' | 'contexts' | 'showText' | 'host' | 'shownApps'> & {
      readonly bundles: { readonly apps: () => AppsBundle };
    } & Omit<HostedApps, keyof AppCallParts>,
  callParts: () => AppCallParts,
  showResult: (run: ToolRun) => void,
): {
  readonly showApp: ShowApp;
  readonly offerApp: OfferApp;
  readonly appContexts: AppContexts;
  /** The view of a tool, if it was read. */
  readonly knownView: (server: ServerId, uri: string) => UiResource | undefined;
  /** A client of the bridge has read the page of an app. */
  readonly takePage: Apps['take'];
} {
  const contexts = new AppContexts(parts.memory);
  const { own, addCommands, bundles, host } = parts;
  const apps = lazily(() => own(bundles.apps().createApps({ ...parts, ...callParts() })));
  const tabs = lazily(() =>
    own(
      new (bundles.apps().AppTabs)({
        ...parts,
        shownApps: callParts().shownApps,
        apps: apps(),
        contexts,
        showText: showResult,
      }),
    ),
  );
  own(restoreTabs(parts, async (panel, state) => tabs().restore(panel, state)));
  addCommands({
    openApp: (offered) => tabs().openOffered(offered),
    leaveOutApp: (call) => contexts.leaveOut(String(call)),
    reloadApp: () => tabs().reload(),
    showAppSource: () => tabs().showSource(),
    openAppResult: () => tabs().showText(),
  });
  const isShown = (tool: Tool, { serverId }: ToolCall): boolean => {
    const server = host.servers.get(serverId);
    return server !== undefined && hasApp(tool) && apps().viewOf(server, tool) !== undefined;
  };
  return {
    showApp: (tool, call, run) => (isShown(tool, call) ? tabs().show(tool, call, run) : undefined),
    appContexts: contexts,
    knownView: (id, uri) => {
      const server = host.servers.get(id);
      return server && apps().known(server, uri);
    },
    takePage: (...read) => apps().take(...read),
    offerApp: (tool, run) => (isShown(tool, run) ? tabs().offer(tool, run) : undefined),
  };
}

/** One serializer for each server that is configured, or was when its app was in a tab. */
function restoreTabs(
  { host, memory }: Pick<HostedApps, 'host'> & Pick<AppTabsParts, 'memory'>,
  restore: vscode.WebviewPanelSerializer['deserializeWebviewPanel'],
): vscode.Disposable {
  const store = new DisposableStore();
  const registered = new Set<ServerId>();
  const sync = (): void => {
    const serializer = { deserializeWebviewPanel: restore };
    for (const id of [...host.servers.keys(), ...appServers(memory)]) {
      if (!registered.has(id)) {
        registered.add(id);
        store.add(vscode.window.registerWebviewPanelSerializer(viewTypeOf(id), serializer));
      }
    }
  };
  sync();
  store.add(host.onDidChangeServers(sync));
  return store;
}
