/** The skills of all servers, and the word by which each is named in chat. A name alone never decides (SKL-27, SKL-28). */
import type { Skill } from '../../mcp/types/skills.ts';
import { toWord } from '../prompts/prompts.ts';
import type { SkillServer } from './skills.ts';

/** A skill that its server may not list. */
export interface SkillAddress {
  readonly server: SkillServer;
  /** Of its SKILL.md. */
  readonly uri: string;
  /** `server.name`, or `server.URI` where several skills have that name; the URI of one that is not listed. */
  readonly reference: string;
}

export interface NamedSkill extends SkillAddress {
  readonly skill: Skill;
}

export function namedSkills(servers: Iterable<SkillServer>): readonly NamedSkill[] {
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
    uri: skill.uri,
    reference: counts.get(name)?.length === 1 ? name : `${toWord(server.config.name)}.${skill.uri}`,
  }));
}

/**
 * The skill that a word names: a reference, or a URI. One that no list has may exist all the same (SKL-09, SKL-10): it is
 * asked for where one server alone can have it.
 */
export function findSkill(servers: readonly SkillServer[], word: string): SkillAddress | undefined {
  const skills = namedSkills(servers);
  const listed = skills.filter(({ uri }) => uri === word);
  const [named, another] = skills.filter(({ reference }) => reference === word);
  if (another !== undefined) {
    return undefined; // two servers whose names make the same word
  }
  const able = servers.filter(({ catalog }) => catalog.list('skills').kind !== 'none');
  const [server] = able;
  const unlisted =
    server !== undefined && able.length === 1 && word.endsWith('/SKILL.md')
      ? { server, uri: word, reference: word }
      : undefined;
  return named ?? (listed.length === 0 ? unlisted : listed.length === 1 ? listed[0] : undefined);
}
