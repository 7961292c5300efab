/** A tree over a host of its own, whose servers are none: what they list is said by the test. */
import { Emitter, noEvent } from '../../../src/base/event.ts';
import { featuresFor } from '../../../src/host/servers/features.ts';
import type { ServerConfig, ServerId } from '../../../src/host/config/serverConfig.ts';
import type { EditorChat, Offer } from '../../../src/host/editorChat/editorChat.ts';
import { Icons } from '../../../src/host/icons/icons.ts';
import { FavoritePrompts } from '../../../src/host/prompts/favoritePrompts.ts';
import { WorkspaceRoots } from '../../../src/host/roots/workspaceRoots.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { McpHost } from '../../../src/host/servers/host.ts';
import { ServerTree } from '../../../src/vscode/tree/serverTree.ts';
import { FakeMemory } from '../../support/fakeApprovals.ts';
import { FakeGate } from '../../support/fakeGate.ts';
import { FakeLogs } from '../../support/fakeLogs.ts';
import { type Answers, FakeConnector, FakeSession } from '../../support/fakeSession.ts';
import { FakeWorkspace } from '../../support/fakeWorkspace.ts';

export interface TreeOfTests {
  readonly host: McpHost;
  readonly tree: ServerTree;
  readonly roots: WorkspaceRoots;
  readonly favorites: FavoritePrompts;
  /** Somebody signs in to a server. */
  signIn(id: ServerId): void;
  /** How far all servers have come in the editor's chat. */
  setOffer(offer: Offer): void;
  reconcile(...servers: readonly ServerConfig[]): void;
}

/**
 * @param answers of each server, which has resources, and prompts if it lists them
 * @param look at a folder that is a root
 * @param chat says what each server's offer is, instead of `setOffer`
 */
export function createTree(
  answers: Answers,
  look?: (path: string) => Promise<void>,
  chat?: (host: McpHost) => Pick<EditorChat, 'offer' | 'onDidChangeOffers'>,
): TreeOfTests {
  const workspace = new FakeWorkspace([], true);
  const roots = new WorkspaceRoots(workspace, { ...(look && { look }) });
  const logs = new FakeLogs();
  const capabilities = { resources: {}, ...('prompts/list' in answers && { prompts: {} }) };
  const connector = new FakeConnector(() => new FakeSession(capabilities, answers));
  const signedIn = new Set<ServerId>();
  const signedInChanged = new Emitter<ServerId>();
  const favorites = new FavoritePrompts(new FakeMemory());
  const offersChanged = new Emitter<void>();
  let offer: Offer = { kind: 'waiting' };
  const host = new McpHost({
    workspace,
    roots,
    features: (entry) => featuresFor(entry, { roots }),
    gate: new FakeGate(),
    connector: () => connector,
    logs,
    log: logs.hostLog,
    clock: systemClock,
  });
  const tree = new ServerTree({
    host,
    problems: () => [],
    chat: chat?.(host) ?? { offer: () => offer, onDidChangeOffers: offersChanged.event },
    signIns: { isSignedIn: (id) => signedIn.has(id), onDidChange: signedInChanged.event },
    flagsOf: () => [],
    layout: () => 'tree',
    watched: { stateOf: () => 'none', onDidChange: noEvent },
    favorites,
    icons: new Icons({
      files: { find: async () => undefined, keep: async () => undefined },
      fetch: () => Promise.reject(new Error('No icon is named')),
      isTrusted: () => true,
      log: logs.hostLog,
    }),
  });
  const reconcile = (...servers: readonly ServerConfig[]): void =>
    host.reconcile({ servers, inputs: new Map(), problems: [] });
  const signIn = (id: ServerId): void => {
    signedIn.add(id);
    signedInChanged.fire(id);
  };
  const setOffer = (next: Offer): void => {
    offer = next;
    offersChanged.fire();
  };
  return { host, tree, roots, favorites, signIn, setOffer, reconcile };
}
