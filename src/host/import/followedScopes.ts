/**
 * Files of other programs → scopes of our configuration, as if their servers were in our settings. Pure. Nothing of a
 * file is copied; parts that cannot be converted are reported.
 */
import { t } from '../../base/l10n.ts';
import type { ConfigProblem, FollowedScope, RawScope } from '../config/serverConfig.ts';
import type { WorkspaceFolder } from '../config/workspace.ts';
import type { FoundFile } from './importedServer.ts';

export interface FollowedScopes {
  readonly scopes: readonly RawScope[];
  readonly problems: readonly ConfigProblem[];
  /** Parts left out of usable servers, in sentences for the log. */
  readonly notes: readonly string[];
}

/**
 * A file that is broken or empty, maybe only while its program writes it, keeps the servers that it had before. One
 * that is gone has none.
 * @param earlier what this returned before
 */
export function withEarlierServers(
  files: readonly FoundFile[],
  earlier: readonly FoundFile[],
): readonly FoundFile[] {
  return files.map((file) => {
    const before = earlier.find(
      ({ path, program }) => path === file.path && program === file.program,
    );
    if (file.isUnread !== true || !before?.servers.length) {
      return file;
    }
    const [problem = t('is empty')] = file.problems;
    const message = t('{0}. Until this is fixed, its servers stay as they were.', problem);
    return { ...file, servers: before.servers, problems: [message] };
  });
}

/** @param folders of the workspace: servers of other projects are not shown */
export function followedScopes(
  files: readonly FoundFile[],
  folders: readonly WorkspaceFolder[],
): FollowedScopes {
  const problems: ConfigProblem[] = [];
  const notes: string[] = [];
  const scopes = files.flatMap((file): readonly RawScope[] => {
    const { program, path } = file;
    const of = folders.find((folder) => folder.path === file.folder);
    const scope: FollowedScope = {
      kind: 'followed',
      program,
      path,
      ...(of && { folder: { uri: of.uri, name: of.name } }),
    };
    for (const message of file.problems) {
      problems.push({ scope, setting: 'mcpHost.follow', message });
    }
    // Global ones first, so that a project's server replaces a global one of the same name.
    const servers = [
      ...file.servers.filter(({ project }) => project === undefined),
      ...file.servers.filter(({ project }) =>
        folders.some((folder) => isSamePath(folder.path, project)),
      ),
    ];
    if (servers.length === 0) {
      return [];
    }
    for (const server of servers.filter(({ isUsable }) => isUsable)) {
      notes.push(...server.problems.map((text) => `${path}: ${server.name}: ${text}`));
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

/** Windows has two separators, and does not tell upper case from lower case. */
function isSamePath(path: string, other = ''): boolean {
  const isOfWindows = /^[a-z]:[\\/]/iu.test(path);
  const comparable = (one: string): string =>
    isOfWindows ? one.replaceAll('/', '\\').toLowerCase() : one;
  return comparable(path) === comparable(other);
}
