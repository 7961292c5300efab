/**
 * Loads skills of servers: the only way by which one comes into a conversation. Its entry is found, the user is asked,
 * SKILL.md is read and held against the entry; other files follow when they are needed. Nothing is read before (SKL-30).
 * What differs from the entry is not used.
 * https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx
 */
import { t } from '../../base/l10n.ts';
import { createHash } from 'node:crypto';
import { isMcpError, isRpcError, McpError, rpcCodes } from '../../mcp/errors.ts';
import { folderOf, pathInSkill, readSkill, skillLimits } from '../../mcp/skillEntries.ts';
import { isObject, isString, stableStringify } from '../../base/json.ts';
import { extensionOf, skillsExtension } from '../../mcp/extensions.ts';
import type { Skill, SkillFile } from '../../mcp/types/skills.ts';
import type { ListState } from '../catalog/catalog.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import { fromModel, fromUser } from '../requestOrigin.ts';
import { bytesOf, decodeContents, type ResourceContent } from '../resources/resourceContents.ts';
import type { ServerConnection } from '../servers/connection.ts';
import { differencesOf, type FieldDifference, readFrontmatter } from './frontmatter.ts';
import type { SkillApprovals } from './skillApprovals.ts';

/** The part of a connection that is needed here. */
export interface SkillServer extends Pick<ServerConnection, 'config' | 'withSession'> {
  readonly catalog: {
    items(kind: 'skills'): readonly Skill[];
    list(kind: 'skills'): { readonly kind: ListState<Skill>['kind'] };
    refresh(): void;
  };
  readonly output: Pick<ServerConnection['output'], 'log'>;
}

export interface LoadOptions {
  readonly caller: 'model' | 'user';
  readonly signal: AbortSignal;
}

export class Skills {
  readonly #approvals: Pick<SkillApprovals, 'isAllowed'>;
  /** By URI, those that were loaded in this window, which may still be in a conversation (SKL-38). */
  readonly #held = new WeakMap<SkillServer, Map<string, LoadedSkill>>();

  constructor(approvals: Pick<SkillApprovals, 'isAllowed'>) {
    this.#approvals = approvals;
  }

  /**
   * @param uri of the SKILL.md; the server need not list it
   * @throws McpError `denied`; `protocol` for a skill that differs from its entry, saying how; what a request fails with
   */
  async load(server: SkillServer, uri: string, options: LoadOptions): Promise<LoadedSkill> {
    const held = listed(server, uri) ?? (await getSkill(server, uri, options));
    try {
      return await this.#loadAs(server, held, options);
    } catch (error) {
      if (!isMcpError(error) || error.code !== 'protocol') {
        throw error;
      }
      // The server may have a new version; if so, the user is asked about that one (SKL-41).
      const fresh = await getSkill(server, uri, options).catch(() => held);
      if (JSON.stringify(fresh.resources) === JSON.stringify(held.resources)) {
        throw error;
      }
      return this.#loadAs(server, fresh, options);
    }
  }

  async #loadAs(server: SkillServer, skill: Skill, options: LoadOptions): Promise<LoadedSkill> {
    const { caller, signal } = options;
    const loaded = new LoadedSkill(server, skill, options);
    // What the user reads before the answer is what is loaded after it.
    const read = (until: AbortSignal): Promise<string> => loaded.readInstructions(until);
    const request = { server: server.config, skill, caller, read };
    if (!(await this.#approvals.isAllowed(request, signal))) {
      throw new McpError('denied', t('The skill "{0}" was not allowed', skill.name));
    }
    await loaded.readInstructions(signal);
    const held = this.#held.get(server) ?? new Map<string, LoadedSkill>();
    this.#held.set(server, held.set(skill.uri, loaded));
    return loaded;
  }

  /**
   * @returns a skill that was loaded before; undefined also when its server shows other files by now: it has to be
   * loaded, and allowed, again (SKL-58)
   */
  held(server: SkillServer, uri: string): LoadedSkill | undefined {
    const held = this.#held.get(server)?.get(uri);
    const now = listed(server, uri);
    const isSame = now === undefined || stableStringify(now) === stableStringify(held?.skill);
    return isSame ? held : undefined;
  }
}

/**
 * SKILL.md, checked, for a person to read: loads nothing and approves nothing (SKL-31).
 * @throws McpError `protocol` saying how it differs from its entry
 */
export function previewSkill(
  server: SkillServer,
  skill: Skill,
  signal: AbortSignal,
): Promise<string> {
  return new LoadedSkill(server, skill, { caller: 'user', signal }).readInstructions(signal);
}

/** A skill that acts in a conversation, with the entry that was shown when it was allowed (SKL-38). */
export class LoadedSkill {
  readonly server: ServerConfig;
  readonly skill: Skill;
  /** All of SKILL.md, once it was read. */
  instructions = '';
  readonly #server: SkillServer;
  readonly #caller: LoadOptions['caller'];
  /** By URI: what was read and found to be right (SKL-43). */
  readonly #read = new Map<string, ResourceContent>();
  /** Of a dynamic skill. */
  #bytes = 0;

  constructor(server: SkillServer, skill: Skill, { caller }: LoadOptions) {
    this.server = server.config;
    this.skill = skill;
    this.#server = server;
    this.#caller = caller;
  }

  /** The paths of all files; undefined for a dynamic skill, which does not say. */
  get files(): readonly string[] | undefined {
    const { uri, resources } = this.skill;
    return resources === 'dynamic'
      ? undefined
      : resources.flatMap((file) => pathInSkill(uri, file.uri) ?? []);
  }

  /**
   * @param path relative to the folder of SKILL.md, or a URI in it
   * @throws McpError `invalidInput` for what the skill does not list: nothing is sent; `protocol` for content that differs
   */
  async readFile(path: string, signal: AbortSignal): Promise<ResourceContent> {
    const { uri: skillUri, name, resources } = this.skill;
    const asked = uriIn(skillUri, path);
    const place = pathInSkill(skillUri, asked);
    const file =
      resources === 'dynamic'
        ? undefined
        : resources.find((one) => pathInSkill(skillUri, one.uri) === place);
    if (place === undefined || (file === undefined && resources !== 'dynamic')) {
      throw new McpError('invalidInput', t('The skill "{0}" lists no file "{1}"', name, path));
    }
    const uri = file?.uri ?? asked;
    const known = this.#read.get(uri);
    if (known !== undefined) {
      return known;
    }
    const content = await this.#fetch(uri, signal);
    this.#check(content, file);
    if (file !== undefined) {
      this.#read.set(uri, content);
    }
    this.#server.output.log.info(
      `Read ${uri} of the skill "${name}" (${file?.digest ?? 'dynamic'})`,
    );
    return content;
  }

  /**
   * The names in a folder, folders with a slash at their end: of the files in the entry, which nothing can extend
   * (SKL-46, SKL-47). For a dynamic skill the server says, if it can (SKL-02, SKL-48).
   * @param path relative to the folder of SKILL.md, without a slash at its end; blank for that folder
   */
  async listFolder(path: string, signal: AbortSignal): Promise<readonly string[]> {
    const { files } = this;
    const prefix = path === '' ? '' : `${path}/`;
    const below =
      files ?? (await this.#askFolder(folderOf(this.skill.uri) + encoded(path), signal));
    const names = below
      .filter((file) => file.startsWith(prefix))
      .map((file) => file.slice(prefix.length).replace(/\/.+$/u, '/'));
    return [...new Set(names)];
  }

  /** The paths of what is right in a folder; what the server names elsewhere is left out. */
  async #askFolder(folder: string, signal: AbortSignal): Promise<readonly string[]> {
    const uri = folder.replace(/\/$/u, '');
    const paths: string[] = [];
    await this.#server.withSession(
      async (session, both) => {
        const { capabilities } = session.server;
        if (extensionOf(capabilities, skillsExtension)?.['directoryRead'] !== true) {
          return;
        }
        const seen = new Set<string | undefined>();
        let cursor: string | undefined;
        do {
          seen.add(cursor);
          const params = cursor === undefined ? { uri } : { uri, cursor };
          const page = await session.call('resources/directory/read', params, { signal: both });
          for (const child of page.resources) {
            const path =
              isObject(child) && isString(child.uri)
                ? pathInSkill(this.skill.uri, child.uri)
                : undefined;
            if (path !== undefined && folderOf(child.uri) === `${uri}/`) {
              paths.push(child.mimeType === 'inode/directory' ? `${path}/` : path);
            }
          }
          cursor = page.nextCursor;
        } while (
          cursor !== undefined &&
          !seen.has(cursor) &&
          Math.max(seen.size, paths.length) < skillLimits.files
        );
      },
      signal,
      true,
    );
    return paths;
  }

  /** SKILL.md with the frontmatter that its entry has. Read once, also where it is made for each read. */
  async readInstructions(signal: AbortSignal): Promise<string> {
    if (this.instructions !== '') {
      return this.instructions;
    }
    const { uri, frontmatter } = this.skill;
    const content = await this.readFile(uri, signal);
    if (content.kind !== 'text') {
      throw this.#changed(t('its SKILL.md is not a text'));
    }
    const read = readFrontmatter(content.text);
    if (typeof read === 'string') {
      throw this.#changed(t('its SKILL.md {0}', read));
    }
    const differences = differencesOf(frontmatter, read);
    if (differences.length > 0) {
      throw this.#changed(
        t('its SKILL.md differs from its entry:\n{0}', differences.map(said).join('\n')),
      );
    }
    this.instructions = content.text;
    return content.text;
  }

  async #fetch(uri: string, signal: AbortSignal): Promise<ResourceContent> {
    const origin = this.#caller === 'model' ? fromModel : fromUser;
    const { contents } = await this.#server.withSession(
      (session, both) =>
        session.call('resources/read', { uri }, { signal: both, origin, isFresh: true }),
      signal,
      true,
    );
    const [content, ...more] = decodeContents(uri, contents);
    if (content === undefined || content.uri !== uri || contents.length + more.length > 1) {
      throw this.#changed(t('the server answered with something else than {0}', uri));
    }
    return content;
  }

  /** Size first, then digest, both of the raw bytes (SKL-33, SKL-34). */
  #check(content: ResourceContent, file: SkillFile | undefined): void {
    const bytes = bytesOf(content);
    if (file === undefined) {
      this.#bytes += bytes.length;
      if (this.#bytes > skillLimits.bytes) {
        const text = t(
          'The skill "{0}" is not read further: it has more than {1} bytes',
          this.skill.name,
          skillLimits.bytes,
        );
        throw new McpError('protocol', text);
      }
      return;
    }
    if (bytes.length !== file.size) {
      throw this.#changed(
        t('{0} has {1} bytes, and its entry says {2}', file.uri, bytes.length, file.size),
      );
    }
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    if (digest !== file.digest) {
      throw this.#changed(
        t('{0} has the digest {1}, and its entry says {2}', file.uri, digest, file.digest),
      );
    }
  }

  /** Content that differs from the entry (SKL-42): the list that has it may be old (SKL-41). */
  #changed(how: string): McpError {
    const names = [this.skill.name, this.server.name] as const;
    const text = t('The skill "{0}" of "{1}" has changed and is not used: {2}', ...names, how);
    const error = new McpError('protocol', text);
    this.#server.output.log.warn(error.message);
    this.#server.catalog.refresh();
    return error;
  }
}

function listed({ catalog }: SkillServer, uri: string): Skill | undefined {
  return catalog.items('skills').find((skill) => skill.uri === uri);
}

/** SKL-10. */
async function getSkill(
  server: SkillServer,
  uri: string,
  { caller, signal }: LoadOptions,
): Promise<Skill> {
  const origin = caller === 'model' ? fromModel : fromUser;
  const { name } = server.config;
  const { skill } = await server.withSession(
    async (session, both) => {
      try {
        return await session.call('skills/get', { uri }, { signal: both, origin, isFresh: true });
      } catch (error) {
        throw isRpcError(error) && error.rpcCode === rpcCodes.invalidParams
          ? new McpError('invalidInput', t('The server "{0}" has no skill {1}', name, uri))
          : error;
      }
    },
    signal,
    true,
  );
  const read = readSkill(skill);
  if (typeof read === 'string') {
    throw new McpError(
      'protocol',
      t('The skill {0} of "{1}" cannot be used: {2}', uri, name, read),
    );
  }
  if (read.uri !== uri) {
    throw new McpError(
      'protocol',
      t('The server "{0}" answered for {1}, not for {2}', name, read.uri, uri),
    );
  }
  return read;
}

/** @param path relative to the folder of SKILL.md, or a URI in it */
function uriIn(skillUri: string, path: string): string {
  const folder = folderOf(skillUri);
  return path.startsWith(folder) ? path : folder + encoded(path);
}

/** Whether the path or URI is SKILL.md, however it is written. */
export function isInstructions(skillUri: string, path: string): boolean {
  return pathInSkill(skillUri, uriIn(skillUri, path)) === 'SKILL.md';
}

function encoded(path: string): string {
  return path
    .split('/')
    .filter((segment) => segment !== '.')
    .map(encodeURIComponent)
    .join('/');
}

function said({ field, entry, file }: FieldDifference): string {
  return t('{0}: {1} in the entry, {2} in the file', field, textOf(entry), textOf(file));
}

function textOf(value: unknown): string {
  return value === undefined ? t('nothing') : JSON.stringify(value);
}
