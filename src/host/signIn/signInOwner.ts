/** What a sign-in to a server is bound to: its entry, its URL, and the route of its requests. */
import { createHash } from 'node:crypto';
import { stableStringify } from '../../base/json.ts';
import type { SignInOwner } from '../../mcp/auth/credentials.ts';
import type { ConnectionSettings } from '../../mcp/network/connectionSettings.ts';
import { certificatesIn } from '../launch/certificates.ts';
import { scopeKey, type ServerConfig } from '../config/serverConfig.ts';

type Entry = Pick<ServerConfig, 'scope' | 'name'>;

/** The entry alone. @param workspaceId identifies this workspace */
export function entryOf(
  { scope, name }: Entry,
  workspaceId: string,
): Pick<SignInOwner, 'scope' | 'server'> {
  // A workspace file may have the same path on another machine, and settings of the workspace and of the remote machine
  // have no path.
  const isOfWorkspace =
    scope.kind === 'workspace' ||
    scope.kind === 'remote' ||
    (scope.kind === 'followed' && scope.folder !== undefined);
  const place = isOfWorkspace ? ` ${workspaceId}` : '';
  return { scope: scopeKey(scope) + place, server: name };
}

export function ownerOf(
  entry: Entry,
  workspaceId: string,
  { origin, pathname }: URL,
  connection: ConnectionSettings = {},
): SignInOwner {
  return { ...entryOf(entry, workspaceId), url: origin + pathname, route: routeOf(connection) };
}

/**
 * Who can read the requests, and with which identity they are sent. Of the client certificate the names count, which
 * survive its renewal; passwords and keys do not change the route.
 */
function routeOf({ proxy, tls = {} }: ConnectionSettings): string {
  const { ca, client, isInsecure } = tls;
  const [own] = client === undefined ? [] : certificatesIn(client.cert);
  const way = {
    ...(proxy === undefined ? {} : { proxy: proxy && proxy.origin }),
    ...(ca === undefined ? {} : { ca }),
    ...(own === undefined ? {} : { client: [own.subject, own.subjectAltName] }),
    ...(isInsecure === undefined ? {} : { isInsecure }),
  };
  return Object.keys(way).length === 0
    ? ''
    : createHash('sha256').update(stableStringify(way)).digest('hex');
}
