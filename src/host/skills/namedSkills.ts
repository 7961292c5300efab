/** The skills of all servers, and the word by which each is named in chat. A name alone never decides (SKL-27, SKL-28). */
import type { Skill } from '../../mcp/types/skills.ts';
import { toWord } from '../prompts/prompts.ts';
import type { SkillServer } from './skills.ts';

export interface NamedSkill<S extends SkillServer = SkillServer> {
  readonly server: S;
  readonly skill: Skill;
  /** `server.name`, or `server.URI` where several skills have that name. */
  readonly reference: string;
}

export function namedSkills<S extends SkillServer>(servers: Iterable<S>): readonly NamedSkill<S>[] {
  const all = [...servers].flatMap((server) =>
    server.catalog.items('skills').map((skill) => ({
      server,
      skill,
      name: `${toWord(server.config.name)}.${skill.name}`,
    })),
  );
  const counts = Map.groupBy(all, ({ name }) => name);
  return all.map(({ server, skill, name }) => ({
    server,
    skill,
    reference: counts.get(name)?.length === 1 ? name : `${toWord(server.config.name)}.${skill.uri}`,
  }));
}

/** What the first word of `text` names, and the rest: a reference, or a URI. */
export function findSkill<S extends SkillServer>(
  skills: readonly NamedSkill<S>[],
  text: string,
): { readonly found: NamedSkill<S> | undefined; readonly word: string; readonly rest: string } {
  const [word = ''] = text.trimStart().split(/\s/u, 1);
  const rest = text.trimStart().slice(word.length).trim();
  const byUri = skills.filter(({ skill }) => skill.uri === word);
  const found =
    skills.find(({ reference }) => reference === word) ??
    (byUri.length === 1 ? byUri[0] : undefined);
  return { found, word, rest };
}
