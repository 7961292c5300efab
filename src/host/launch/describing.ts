/** What the parts of a description share: the entry, the values for its texts, and the files that may be opened. */
import { t } from '../../base/l10n.ts';
import type { WorkspaceFolder } from '../config/workspace.ts';
import { McpError, isMcpError } from '../../mcp/errors.ts';
import {
  baseFolder,
  expandHome,
  invalidField,
  isPrivateText,
  type LaunchContext,
  pathsOf,
} from './launchContext.ts';
import { Resolver } from './resolver.ts';
import { SecretCollector } from './secrets.ts';
import type { InputDefinition, ServerConfig } from '../config/serverConfig.ts';
import { folderPath, referencesIn, replaceReferences } from '../config/variables.ts';
import { folderAround } from './folderPaths.ts';
import type { FactLabel, LaunchFact, Risk } from './launchDescription.ts';
import { visibleWhole } from '../../base/visible.ts';

export interface DescribeContext extends LaunchContext {
  /** The folders that the server gets as roots, where they can be reached. */
  readonly roots: readonly WorkspaceFolder[];
  /** The definition of an input. @throws McpError `invalidConfig` when the server cannot see it. */
  inputOf(id: string): InputDefinition;
  /** The text of an input that came with the entry, typed by nobody: it is shown in full. */
  readonly given?: (id: string) => string | undefined;
  /** Receives problems that a start would fail on. Absent: they are thrown. */
  readonly onProblem?: (problem: McpError) => void;
  /** What a user's own server takes out of the workspace, ready to be shown. */
  readonly fromWorkspace?: readonly string[];
  /** The user allowed to open the files that the entry names, wherever they are. */
  readonly mayOpen?: boolean;
}

/** A part of a description. */
export interface Described {
  readonly facts: readonly LaunchFact[];
  readonly risks: readonly Risk[];
}

/** The most links that are followed in a row. */
const maxLinks = 40;

/** Systems open no longer path, so there is no link in one to follow. */
const maxPathChars = { posix: 4_096, win32: 32_767 } as const;

export class Describing {
  readonly server: ServerConfig;
  readonly context: DescribeContext;
  /** Paths, ready to be shown, of files that the launch reads and that were not opened for the description. */
  readonly unread: string[] = [];

  constructor(server: ServerConfig, context: DescribeContext) {
    this.server = server;
    this.context = context;
  }

  /** Takes note of what a start would fail on. */
  problem(error: unknown): void {
    const { onProblem } = this.context;
    if (onProblem === undefined || !isMcpError(error) || error.code !== 'invalidConfig') {
      throw error;
    }
    onProblem(error);
  }

  /** Runs a step whose failure would fail the start. */
  async attempt<T>(run: () => Promise<T> | T, otherwise: T): Promise<T> {
    try {
      return await run();
    } catch (error) {
      this.problem(error);
      return otherwise;
    }
  }

  /** Undefined where it fails and `onProblem` is there: what is wrong is told by the look at all variables. */
  #found<T>(find: () => T): T | undefined {
    try {
      return find();
    } catch (error) {
      if (this.context.onProblem === undefined) {
        throw error;
      }
      return undefined;
    }
  }

  inputOf(id: string): InputDefinition | undefined {
    return this.#found(() => this.context.inputOf(id));
  }

  /** The text with its non-secret variables replaced: folders, the home folder, and values that came with the entry. */
  known(text: string): string {
    const { context, server } = this;
    return replaceReferences(text, (reference) => {
      switch (reference.kind) {
        case 'workspaceFolder':
          return this.#found(() => folderPath(context.folders, server.scope, reference.name));
        case 'userHome':
          return context.machine.userHome;
        case 'input':
          return context.given?.(reference.id);
        case 'env':
        case 'unknown':
          return undefined;
      }
    });
  }

  /** Absolute as far as known; a path that begins with a user's value stays as it is. */
  path(text: string | undefined, base = baseFolder(this.server, this.context)): string {
    if (text === undefined) {
      return base;
    }
    const path = this.known(expandHome(text, this.context.machine));
    const paths = pathsOf(this.context.machine.platform);
    if (path.startsWith('${')) {
      return path;
    }
    // Not normalised around a variable: `${env:X}/..` is the parent folder only if X is one segment.
    const isOpen = referencesIn(path).length > 0 || referencesIn(base).length > 0;
    if (!isOpen) {
      return paths.resolve(base, path);
    }
    return paths.isAbsolute(path) ? path : base + paths.sep + path;
  }

  /** Whether an absolute path is in a folder of the workspace, by its name alone. */
  isInWorkspace(path: string): boolean {
    return this.#folderOf(path) !== undefined;
  }

  #folderOf(path: string): string | undefined {
    const folders = this.context.folders.map((folder) => folder.path);
    return referencesIn(path).length > 0
      ? undefined
      : folderAround(path, folders, this.context.machine.platform);
  }

  /**
   * Where an absolute path leads after the links below the workspace's folders. They are read one by one and nothing is
   * opened. Nothing outside of the folders is looked at: a workspace could make us contact another machine by a path.
   */
  async target(path: string): Promise<string> {
    let current = path;
    for (let followed = 0; followed < maxLinks; followed++) {
      const next = await this.#withoutFirstLink(current);
      if (next === undefined) {
        break;
      }
      current = next;
    }
    return current;
  }

  /** Undefined where the path has no link, or none that may be read. */
  async #withoutFirstLink(path: string): Promise<string | undefined> {
    const paths = pathsOf(this.context.machine.platform);
    const folder = this.#folderOf(path);
    if (folder === undefined || path.length > maxPathChars[this.context.machine.platform]) {
      return undefined;
    }
    const names = paths
      .relative(folder, path)
      .split(paths.sep)
      .filter((name) => name !== '');
    let place = folder;
    for (const [index, name] of names.entries()) {
      const above = place;
      place = above.endsWith(paths.sep) ? above + name : above + paths.sep + name;
      const link = await this.context.machine.programs.linkAt(place);
      if (link !== undefined) {
        return paths.resolve(above, link, ...names.slice(index + 1));
      }
    }
    return undefined;
  }

  /** The path, and its target if that is elsewhere: a consent is bound to both. */
  async shownPath(path: string): Promise<string> {
    const target = await this.target(path);
    return target === path ? visibleWhole(path) : `${visibleWhole(path)} → ${visibleWhole(target)}`;
  }

  /**
   * The content of a file that the entry names. Before a consent it is opened only if it is in a folder of the
   * workspace, its path has no user's value, and no link leads out; {@link unread} has the others.
   * @param template as it stands in the entry
   * @param path absolute, as far as known
   * @throws McpError `invalidConfig`
   */
  async contentOf<T>(
    field: string,
    template: string,
    path: string,
    read: (resolver: Resolver) => Promise<T>,
  ): Promise<T | undefined> {
    const isPlain = !isPrivateText(template);
    const mayOpen =
      this.context.mayOpen === true ||
      (isPlain && this.isInWorkspace(path) && this.isInWorkspace(await this.target(path)));
    if (mayOpen) {
      return this.attempt(() => read(this.resolver(field)), undefined);
    }
    if (referencesIn(path).some(({ kind }) => kind === 'input')) {
      this.problem(invalidField(this.server, field, dependsOnInput(field).message));
    }
    this.unread.push(visibleWhole(path));
    return undefined;
  }

  /** Replaces variables without asking. */
  resolver(field: string): Resolver {
    const valueOf = (): Promise<string> => Promise.reject(dependsOnInput(field));
    return new Resolver(this.server, { ...this.context, valueOf }, new SecretCollector());
  }
}

function dependsOnInput(field: string): McpError {
  return new McpError(
    'invalidConfig',
    t(
      'must not use ${input:…}: you consent to the content of {0} before any input is asked for',
      field,
    ),
  );
}

export function fact(label: FactLabel, value: string): LaunchFact {
  return { label, value };
}
