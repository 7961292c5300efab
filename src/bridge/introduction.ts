/** The handshake of a served server: its introduction, its name, and the agreed revision. Pure. */
import type { ServerId } from '../host/config/serverConfig.ts';
import { createHash } from 'node:crypto';
import type { Implementation, ServerCapabilities } from '../mcp/types/methods.ts';
import { isRevision, type Revision, revisions, revisionsNewestFirst } from '../mcp/revisions.ts';
import type { Description } from './knownServers.ts';
import { trimmedEnd, trimmedOf } from '../base/text.ts';

export interface Introduction {
  readonly capabilities: ServerCapabilities;
  readonly serverInfo: Implementation;
  readonly instructions?: string;
}

/** The served revisions: those that begin with a handshake and have no batches, newest first. */
export const servedRevisions = revisionsNewestFirst.filter(
  (revision) => revisions[revision].era === 'legacy' && !revisions[revision].batches,
);

export function isServed(revision: unknown): revision is Revision {
  return isRevision(revision) && servedRevisions.includes(revision);
}

/** The revision that the client asked for, else the newest one, which the client may not know. */
export function agreedRevision(asked: unknown): Revision | undefined {
  return isServed(asked) ? asked : servedRevisions[0];
}

/** Capabilities of a server that is not known yet: clients then ask for everything that it may offer. */
const anything: ServerCapabilities = {
  tools: {},
  prompts: {},
  resources: { subscribe: true },
  completions: {},
  logging: {},
};

/** The capabilities that are passed on. `tasks`, `experimental` and `extensions` need methods that are not. */
const passed = ['tools', 'prompts', 'resources', 'completions', 'logging'] as const;

/**
 * Declares `listChanged` for every list, since a restart may change it. Omits the server's title: VS Code would make
 * the tool ids from it instead of `name`, and it shows the server by its label.
 */
export function introduce(name: string, description: Description | undefined): Introduction {
  const { info, capabilities, instructions } = description ?? { capabilities: anything };
  const { title, description: about = title, ...rest }: Partial<Implementation> = info ?? {};
  return {
    capabilities: Object.fromEntries(
      passed.flatMap((key) => {
        const declared = capabilities[key];
        return declared === undefined ? [] : [[key, withChanges(key, declared)] as const];
      }),
    ),
    serverInfo: {
      ...rest,
      version: rest.version ?? 'unknown',
      name,
      ...(about !== undefined && { description: about }),
    },
    ...(instructions === undefined ? {} : { instructions }),
  };
}

function withChanges(key: string, declared: object): object {
  return key === 'tools' || key === 'prompts' || key === 'resources'
    ? { ...declared, listChanged: true }
    : declared;
}

/** 18 characters without `mcp_` and the `_` at the end. */
const maxChars = 13;
/** A word that is cut shorter says little. */
const minChars = 5;

/**
 * The names under which servers introduce themselves, by their ids: distinct, and the same each time. They
 * make the ids that VS Code gives to their tools readable: `mcp_<name>_<tool>`, 64 characters at most. VS Code makes the
 * prefix from `serverInfo.title`, else from `serverInfo.name`: lower case, everything but `a-z0-9_.-` becomes `_`, cut
 * to 13 characters. Equal prefixes would get a number in the order in which the servers start, so ids would not last.
 */
export function serverNames(
  servers: readonly { readonly id: ServerId; readonly name: string }[],
): ReadonlyMap<ServerId, string> {
  const taken = new Set<string>();
  return new Map(
    servers.map(({ id, name }) => {
      const plain = cut(toWord(name), maxChars);
      let word = plain;
      for (let chars = 4; word === '' || taken.has(word); chars += 1) {
        word = withHash(plain, id, chars);
      }
      taken.add(word);
      return [id, word];
    }),
  );
}

function toWord(name: string): string {
  return trimmedOf(name.toLowerCase().replaceAll(/[^a-z0-9-]+/gu, '_'), '_-');
}

/** Cuts between words, if that leaves most of it. */
function cut(word: string, chars: number): string {
  if (word.length <= chars) {
    return word;
  }
  const head = word.slice(0, chars);
  const isWhole = /[_-]/u.test(word.charAt(chars));
  const boundary = Math.max(head.lastIndexOf('_'), head.lastIndexOf('-'));
  const end = isWhole || boundary < minChars ? chars : boundary;
  return trimmedEnd(head.slice(0, end), '_-');
}

function withHash(word: string, id: ServerId, chars: number): string {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, chars);
  return `${word === '' ? 'server' : cut(word, maxChars - 1 - chars)}_${hash}`;
}
