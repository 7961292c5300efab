/** The handshake of a served server: what it says of itself, and the revision that is agreed on. Pure. */
import type { JsonObject } from '../base/json.ts';
import type { Implementation, ServerCapabilities } from '../mcp/types/methods.ts';
import { isRevision, type Revision, revisions, revisionsNewestFirst } from '../mcp/revisions.ts';
import type { Description } from './knownServers.ts';

export interface Introduction {
  readonly capabilities: ServerCapabilities;
  readonly serverInfo: Implementation;
  readonly instructions?: string;
}

/** The revisions that are served: those whose conversations begin with a handshake, newest first. */
export const servedRevisions = revisionsNewestFirst.filter(
  (revision) => revisions[revision].era === 'legacy',
);

export function isServed(revision: unknown): revision is Revision {
  return isRevision(revision) && servedRevisions.includes(revision);
}

/** As it was asked for, or the newest one, which the client may not know. */
export function agreedRevision(asked: unknown): Revision | undefined {
  return isServed(asked) ? asked : servedRevisions[0];
}

/** For a server of which nothing is known yet: whatever it offers then finds its way. */
const anything: ServerCapabilities = {
  tools: {},
  prompts: {},
  resources: { subscribe: true },
  completions: {},
  logging: {},
};

/** What is passed on. `tasks`, `experimental` and `extensions` need methods that are not. */
const passed = ['tools', 'prompts', 'resources', 'completions', 'logging'] as const;

/**
 * Lists may change whatever the server declares, since it may be restarted. Its title is left out: VS
 * Code would make the ids of tools of it instead of `name`, and it calls the server by its label.
 */
export function introduce(name: string, description: Description | undefined): Introduction {
  const { info, capabilities, instructions } = description ?? { capabilities: anything };
  const { title, ...rest } = info ?? { version: 'unknown' };
  const about = title === undefined ? {} : { description: title };
  return {
    capabilities: Object.fromEntries(
      passed.flatMap((key) => {
        const declared = capabilities[key];
        return declared === undefined ? [] : [[key, withChanges(key, declared)] as const];
      }),
    ),
    serverInfo: { ...about, ...withoutAbsent(rest), version: rest.version, name },
    ...(instructions === undefined ? {} : { instructions }),
  };
}

function withChanges(key: string, declared: object): object {
  return key === 'tools' || key === 'prompts' || key === 'resources'
    ? { ...declared, listChanged: true }
    : declared;
}

function withoutAbsent(members: object): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
