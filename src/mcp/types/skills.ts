/**
 * Skills: instructions for models that a server publishes as resources (extension `io.modelcontextprotocol/skills`).
 * https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx
 */
import type { JsonObject } from '../../base/json.ts';

/** One file of a skill, as its entry lists it. */
export interface SkillFile {
  readonly uri: string;
  /** `sha256:` and 64 hexadecimal digits, of the raw bytes. */
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
}

/** An entry of `skills/list`, or the answer to `skills/get`. */
export interface Skill {
  /** Of its SKILL.md. Identifies the skill among those of its server. */
  readonly uri: string;
  /** `frontmatter.name` and `frontmatter.description`. Several skills may have one name. */
  readonly name: string;
  readonly description: string;
  /** The YAML frontmatter of SKILL.md as JSON. */
  readonly frontmatter: JsonObject;
  /** All files, SKILL.md among them; `dynamic` where their content is made for each read. */
  readonly resources: readonly SkillFile[] | 'dynamic';
}
