/**
 * Files of other programs → scopes of our configuration, as if their servers were in our settings. Pure. Nothing of a
 * file is copied; parts that cannot be converted are reported.
 */
import type { ConfigProblem, FollowedScope, RawScope } from '../config/serverConfig.ts';
import type { ImportedFile, ImportedServer } from './importedServer.ts';

export interface FollowedFile extends ImportedFile {
  /** The program's name. */
  readonly program: string;
  readonly path: string;
  /** The workspace folder that the file is in. */
  readonly folder?: { readonly uri: string; readonly name: string };
}

export interface FollowedScopes {
  readonly scopes: readonly RawScope[];
  readonly problems: readonly ConfigProblem[];
  /** Parts left out of usable servers, in sentences for the log. */
  readonly notes: readonly string[];
}

export const nothingFollowed: FollowedScopes = { scopes: [], problems: [], notes: [] };

/** @param folders paths of the workspace folders: servers of other projects are not shown */
export function followedScopes(
  files: readonly FollowedFile[],
  folders: readonly string[],
): FollowedScopes {
  const problems: ConfigProblem[] = [];
  const notes: string[] = [];
  const scopes = files.flatMap((file): readonly RawScope[] => {
    const { program, path, folder } = file;
    const scope: FollowedScope = { kind: 'followed', program, path, ...(folder && { folder }) };
    for (const message of file.problems) {
      problems.push({ scope, setting: 'mcpHost.follow', message });
    }
    const servers = ownServers(file.servers, folders);
    if (servers.length === 0) {
      return [];
    }
    for (const server of servers.filter(({ isUsable }) => isUsable)) {
      for (const text of server.problems) {
        notes.push(`${path}: ${server.name}: ${text}`);
      }
    }
    const inputs = new Map(
      servers.flatMap((server) => server.inputs.map((input) => [input.id, input] as const)),
    );
    return [
      {
        scope,
        servers: Object.fromEntries(servers.map(({ name, entry }) => [name, entry])),
        inputs: [...inputs.values()],
      },
    ];
  });
  return { scopes, problems, notes };
}

/** Global ones first, so that a project's server replaces a global one of the same name. */
function ownServers(
  servers: readonly ImportedServer[],
  folders: readonly string[],
): readonly ImportedServer[] {
  return [
    ...servers.filter(({ project }) => project === undefined),
    ...servers.filter(({ project }) => project !== undefined && folders.includes(project)),
  ];
}
