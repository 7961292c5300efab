/** A tree over a host of its own, whose servers are none: what they list is said by the test. */
import { Emitter, noEvent } from '../../../src/base/event.ts';
import { featuresFor } from '../../../src/host/asks/features.ts';
import type { ServerConfig, ServerId } from '../../../src/host/config/serverConfig.ts';
import { Icons } from '../../../src/host/icons/icons.ts';
import { WorkspaceRoots } from '../../../src/host/roots.ts';
import { systemClock } from '../../../src/host/servers/clock.ts';
import { McpHost } from '../../../src/host/servers/host.ts';
import type { Resource } from '../../../src/mcp/types/lists.ts';
import { ServerTree } from '../../../src/vscode/tree/serverTree.ts';
import { FakeGate } from '../../support/fakeGate.ts';
import { FakeLogs } from '../../support/fakeLogs.ts';
import { FakeConnector, FakeSession } from '../../support/fakeSession.ts';
import { FakeWorkspace } from '../../support/fakeWorkspace.ts';

export interface TreeOfTests {
  readonly host: McpHost;
  readonly tree: ServerTree;
  /** Tells the tree that somebody has signed in to a server. */
  readonly signedIn: Emitter<ServerId>;
  reconcile(...servers: readonly ServerConfig[]): void;
}

/** @param answer what each server lists */
export function createTree(answer: () => { readonly resources: readonly Resource[] }): TreeOfTests {
  const workspace = new FakeWorkspace([], true);
  const roots = new WorkspaceRoots(workspace);
  const logs = new FakeLogs();
  const connector = new FakeConnector(
    () => new FakeSession({ resources: {} }, { 'resources/list': answer }),
  );
  const signedIn = new Emitter<ServerId>();
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
    chat: { offer: () => ({ kind: 'none' }), onDidChangeOffers: noEvent },
    signIns: { isSignedIn: () => false, onDidChange: signedIn.event },
    flagsOf: () => [],
    layout: () => 'tree',
    watched: { stateOf: () => 'none', onDidChange: noEvent },
    icons: new Icons({
      files: { find: async () => undefined, keep: async () => undefined },
      fetch: () => Promise.reject(new Error('No icon is named')),
      isTrusted: () => true,
      log: logs.hostLog,
    }),
  });
  const reconcile = (...servers: readonly ServerConfig[]): void =>
    host.reconcile({ servers, inputs: new Map(), problems: [] });
  return { host, tree, signedIn, reconcile };
}
