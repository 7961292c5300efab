/**
 * Reports changes of one resource to a listener, across restarts of its server and changes of its entry: a new entry is
 * a new connection, and the subscription moves to it.
 */
import { type Disposable, DisposableStore, MutableDisposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { ServerId } from '../config/serverConfig.ts';
import type { ResourceAddress } from './resourceAddress.ts';
import type { ServerResources } from './resources.ts';

/** The part of a connection that is needed here. */
export interface ResourceServer {
  readonly resources: Pick<ServerResources, 'onDidChange' | 'read' | 'watch'>;
}

/** The part of the host that is needed here. */
export interface ResourceServers {
  readonly servers: ReadonlyMap<ServerId, ResourceServer>;
  readonly onDidChangeServers: Event<unknown>;
}

/**
 * @param onChange called when the resource, or something below it (RES-08), may have changed, and when a new session
 * begins: changes before it are unknown
 */
export function followResource(
  host: ResourceServers,
  address: ResourceAddress,
  onChange: () => void,
): Disposable {
  const store = new DisposableStore();
  const watching = store.add(new MutableDisposable<Disposable>());
  let followed: ResourceServer | undefined;
  const follow = (): void => {
    const server = host.servers.get(address.serverId);
    if (server !== followed) {
      followed = server;
      watching.value = server && watch(server.resources, address.uri, onChange);
    }
  };
  store.add(host.onDidChangeServers(follow));
  follow();
  return store;
}

function watch(
  resources: ResourceServer['resources'],
  uri: string,
  onChange: () => void,
): Disposable {
  const store = new DisposableStore();
  store.add(
    resources.onDidChange((changed) => {
      if (changed.startsWith(uri)) {
        onChange();
      }
    }),
  );
  store.add(resources.watch(uri));
  return store;
}
