/**
 * Checks one entry of a list of skills. Whatever breaks a rule for servers makes the entry malformed: a skill is loaded
 * as its entry describes it, or not at all.
 * https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx
 */
import { isObject, isString, type JsonObject } from '../base/json.ts';
import type { Skill, SkillFile } from './types/skills.ts';

/** Of one skill; the specification allows hosts to decline more (SKL-20, SKL-21). */
export const skillLimits = { files: 512, bytes: 16 * 1024 * 1024 } as const;

/** Characters (agentskills.io/specification). */
const maxDescription = 1_024;

/** Without characters that a URI cannot have (RFC 3986, section 2): models and users get it as one word. */
const validUri = /^[a-zA-Z][a-zA-Z\d+.-]*:[\w.~:/[\]@!$&'()*+,;=%-]*\/SKILL\.md$/u;

/** @returns the skill, or why there is none: completes "it is left out: …" */
export function readSkill(value: unknown): Skill | string {
  if (!isObject(value)) {
    return 'it is not an object';
  }
  const { uri, frontmatter, resources } = value;
  if (!isString(uri) || !validUri.test(uri)) {
    return 'its "uri" does not lead to a SKILL.md';
  }
  if (!isObject(frontmatter)) {
    return 'its "frontmatter" is not an object';
  }
  const { name, description } = frontmatter;
  if (!isString(name) || name.length > 64 || !/^[a-z\d]+(?:-[a-z\d]+)*$/u.test(name)) {
    return 'its name is not 1 to 64 small letters, digits and single hyphens';
  }
  if (!folderOf(uri).endsWith(`/${name}/`)) {
    return 'its name is not that of its folder';
  }
  if (!isString(description) || description === '' || description.length > maxDescription) {
    return `its description does not have 1 to ${maxDescription} characters`;
  }
  const files = resources === 'dynamic' ? resources : readFiles(uri, resources);
  return isString(files) && files !== 'dynamic'
    ? files
    : { uri, name, description, frontmatter, resources: files };
}

/** With a slash at the end. */
export function folderOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/') + 1);
}

/**
 * Where a file is in the folder of its skill, with slashes; undefined for what is not below it, however it is written
 * (SKL-18).
 */
export function pathInSkill(skillUri: string, uri: string): string | undefined {
  const folder = folderOf(skillUri);
  const rest = uri.startsWith(folder) ? uri.slice(folder.length) : '';
  const segments = rest.split('/').map(decoded);
  return segments.every((segment) => segment !== undefined && isFileName(segment))
    ? segments.join('/')
    : undefined;
}

function isFileName(segment: string): boolean {
  return !['', '.', '..'].includes(segment) && !/[/\\?#\p{Cc}\u2028\u2029]/u.test(segment);
}

function decoded(segment: string): string | undefined {
  try {
    return /[?#]/u.test(segment) ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function readFiles(skillUri: string, resources: unknown): readonly SkillFile[] | string {
  if (!Array.isArray(resources)) {
    return 'its "resources" are neither a list nor "dynamic"';
  }
  if (resources.length > skillLimits.files) {
    return `it has ${resources.length} files; the limit is ${skillLimits.files}`;
  }
  const files: SkillFile[] = [];
  const seen = new Set<string>();
  for (const resource of resources.values()) {
    const file = readFile(resource);
    const path = file && pathInSkill(skillUri, file.uri);
    if (file === undefined || path === undefined || seen.has(path)) {
      return `its file ${files.length + 1} ${problemOf(file, path)}`;
    }
    seen.add(path);
    files.push(file);
  }
  if (!seen.has('SKILL.md')) {
    return 'its "resources" lack its SKILL.md';
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return bytes > skillLimits.bytes
    ? `it has ${bytes} bytes; the limit is ${skillLimits.bytes}`
    : files;
}

function problemOf(file: SkillFile | undefined, path: string | undefined): string {
  if (file === undefined) {
    return 'lacks a URI, a SHA-256 digest or a size';
  }
  return path === undefined ? 'is not in its folder' : 'is listed twice';
}

function readFile(value: unknown): SkillFile | undefined {
  const { uri, digest, size }: JsonObject = isObject(value) ? value : {};
  return isString(uri) &&
    isString(digest) &&
    /^sha256:[\da-f]{64}$/u.test(digest) &&
    typeof size === 'number' &&
    Number.isSafeInteger(size) &&
    size >= 0
    ? { uri, digest, size }
    : undefined;
}
