/**
 * What models do with skills, in `@mcp` and outside of it: find them, load one after the user's approval, read its files.
 * Every outcome, even a refusal, is an answer in words; only an abort throws.
 */
import { isMcpError, McpError } from '../../mcp/errors.ts';
import { type ModelPart, type ModelTool, textPart } from '../models/model.ts';
import {
  findSkill,
  type NamedSkill,
  namedSkills,
  type SkillAddress,
} from '../skills/namedSkills.ts';
import { loadedText, skillList } from '../skills/skillTexts.ts';
import {
  isInstructions,
  type LoadedSkill,
  type LoadOptions,
  type Skills,
  type SkillServer,
} from '../skills/skills.ts';
import { type Answer, failure } from './callForModel.ts';
import { search } from './findTools.ts';
import { ownTools } from './modelTools.ts';
import { resourceParts, type ResultLimits, shortened } from './modelParts.ts';

export interface SkillAnswer extends Answer {
  /** The skill that was loaded, or whose file was read. */
  readonly used?: SkillAddress;
}

export interface LoadInput {
  /** A reference, or a URI. */
  readonly skill: string;
  /** Of a skill that was loaded: the path of a file, or of a folder with a slash at its end. */
  readonly file?: string;
}

/** @returns none without skills */
export function loadSkillTool(skills: readonly NamedSkill[]): readonly ModelTool[] {
  return skills.length === 0
    ? []
    : [
        {
          name: ownTools.loadSkill,
          description:
            'Loads a skill: instructions of an MCP server for a kind of work. Load one when it fits what the user asks for, before you begin; the user is asked first. ' +
            `With "file", reads a file that a loaded skill names.\n${skillList(skills)}`,
          inputSchema: {
            type: 'object',
            properties: {
              skill: { type: 'string', description: 'The name in front of its server' },
              file: { type: 'string', description: 'Path of a file of a skill that is loaded' },
            },
            required: ['skill'],
          },
        },
      ];
}

/** In words, the best first; all of them without words to look for. */
export function findSkills(servers: Iterable<SkillServer>, query: string): string {
  const all = namedSkills(servers);
  const found =
    query.trim() === ''
      ? all
      : search(all, query, ({ server, skill }) => ({
          name: skill.name,
          server: server.config.name,
          rest: skill.description,
        }));
  if (found.length > 0) {
    return skillList(found);
  }
  return all.length === 0
    ? 'No running MCP server lists skills. One can be loaded by its URI all the same.'
    : 'No skill fits these words. Try other ones.';
}

interface ModelLoadOptions extends LoadOptions {
  readonly limits: ResultLimits;
  /** The words by which skills were loaded in this conversation: only their files are read. */
  readonly acting: Iterable<string>;
}

export async function loadSkill(
  skills: Skills,
  servers: readonly SkillServer[],
  { skill, file }: LoadInput,
  options: ModelLoadOptions,
): Promise<SkillAnswer> {
  const used = findSkill(servers, skill);
  if (used === undefined) {
    return failure(`There is no skill ${JSON.stringify(skill)}, or several are named so.`);
  }
  try {
    // SKILL.md comes by a load alone.
    if (file === undefined || isInstructions(used.uri, file)) {
      return { parts: await readInstructions(skills, used, options), used };
    }
    const acts = [...options.acting].map((word) => findSkill(servers, word));
    const held = acts.some((one) => one?.server === used.server && one.uri === used.uri)
      ? skills.held(used.server, used.uri)
      : undefined;
    if (held === undefined) {
      return failure(
        `The skill ${used.reference} is not loaded, or has changed since: load it first.`,
      );
    }
    return { parts: await readFile(held, used, file, options), used };
  } catch (error) {
    options.signal.throwIfAborted();
    if (!isMcpError(error)) {
      throw error;
    }
    return failure(
      error.code === 'denied'
        ? 'The user did not allow this skill to be loaded. Nothing was read. Do not ask again.'
        : error.message,
    );
  }
}

async function readInstructions(
  skills: Skills,
  { server, uri, reference }: SkillAddress,
  { limits, ...options }: ModelLoadOptions,
): Promise<readonly ModelPart[]> {
  const loaded = await skills.load(server, uri, options);
  const { length } = loaded.instructions;
  if (length > limits.maxChars) {
    throw new McpError(
      'invalidInput',
      `The skill ${reference} has ${length} characters, more than the ${limits.maxChars} that this model can take`,
    );
  }
  return [textPart(loadedText(loaded, reference))];
}

async function readFile(
  held: LoadedSkill,
  { server, reference }: SkillAddress,
  file: string,
  { signal, limits }: ModelLoadOptions,
): Promise<readonly ModelPart[]> {
  const name = JSON.stringify(server.config.name);
  if (file === '' || file.endsWith('/')) {
    const names = await held.listFolder(file.replace(/\/$/u, ''), signal);
    const origin = `Names in a folder of the skill ${reference}, text of the MCP server ${name}:`;
    const text =
      names.length === 0 ? 'There is nothing in this folder.' : [origin, ...names].join('\n');
    return [shortened(textPart(text), limits.maxChars)];
  }
  const origin = `A file of the skill ${reference}, text of the MCP server ${name}:`;
  return [textPart(origin), ...resourceParts([await held.readFile(file, signal)], limits)];
}
