/**
 * Suspicious parts of a tool's definition, shown before a call is allowed: names that another server uses too,
 * invisible characters, instructions to the model. Flags decide nothing.
 */
import { isObject, isString } from '../../base/json.ts';
import { perObject } from '../../base/lazily.ts';
import { unseen, hiddenCharacter } from '../../base/unseen.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import { launchHash } from './trustedServers.ts';

export type FlaggedPart = 'name' | 'title' | 'description' | 'inputSchema';

export type ToolFlag =
  /** Other servers have a tool that a model or a person could confuse with this one. */
  | { readonly kind: 'sharedName'; readonly servers: readonly string[] }
  /** `character` as `U+200B`. */
  | { readonly kind: 'hiddenCharacter'; readonly part: FlaggedPart; readonly character: string }
  | {
      readonly kind: 'instruction';
      readonly part: FlaggedPart;
      readonly pattern: InstructionPattern;
    };

/** A server and its current offer. */
export interface OfferingServer {
  readonly config: ServerConfig;
  readonly tools: readonly Tool[];
}

/** Only this much of a schema is checked: a server's list must not block the editor. */
const maxSchemaNodes = 2_000;

/** Caches its findings for the lifetime of the tool's definition. */
export class ToolFlags {
  readonly #servers: () => readonly OfferingServer[];
  readonly #definitionFlags = perObject(definitionFlags);
  readonly #namesOf = perObject(
    (tools: readonly Tool[]) => new Set(tools.map(({ name }) => comparable(name))),
  );

  constructor(servers: () => readonly OfferingServer[]) {
    this.#servers = servers;
  }

  of(server: ServerConfig, tool: Tool): readonly ToolFlag[] {
    const found = this.#definitionFlags(tool);
    const servers = this.#sharing(server, tool);
    return servers.length === 0 ? found : [{ kind: 'sharedName', servers }, ...found];
  }

  /** The same program or address under two names in the settings is one server, not an impostor. */
  #sharing(server: ServerConfig, tool: Tool): readonly string[] {
    const name = comparable(tool.name);
    return this.#servers()
      .filter(({ config, tools }) => config.id !== server.id && this.#namesOf(tools).has(name))
      .filter(({ config }) => launchHash(config) !== launchHash(server))
      .map(({ config }) => config.name);
  }
}

/** The flags that need only the tool itself. */
export function definitionFlags(tool: Tool): readonly ToolFlag[] {
  const { title, annotations, description = '' } = tool;
  const schema = textsOfSchema(tool.inputSchema);
  const titles = [title, annotations?.title].filter(isString).join('\n');
  const parts: readonly (readonly [FlaggedPart, string, string])[] = [
    ['name', tool.name, ''],
    ['title', titles, titles],
    ['description', description, description],
    ['inputSchema', schema.all, schema.prose],
  ];
  return parts.flatMap(([part, all, prose]): ToolFlag[] => {
    const character = hiddenCharacter(all);
    return [
      ...(character === undefined ? [] : [{ kind: 'hiddenCharacter', part, character } as const]),
      ...instructionPatterns(prose)
        // A schema with many properties is long without being suspicious.
        .filter((pattern) => part !== 'inputSchema' || pattern !== 'long')
        .map((pattern) => ({ kind: 'instruction', part, pattern }) as const),
    ];
  });
}

/** Equal for names that a reader would confuse: ignores width, case and invisible characters. */
function comparable(name: string): string {
  return name.normalize('NFKC').replaceAll(unseen, '').toLowerCase();
}

interface SchemaTexts {
  /** All texts of the schema, keys included. */
  readonly all: string;
  /** Titles and descriptions. */
  readonly prose: string;
}

function textsOfSchema(schema: unknown): SchemaTexts {
  const all: string[] = [];
  const prose: string[] = [];
  const left: unknown[] = [schema];
  for (let seen = 0; left.length > 0 && seen < maxSchemaNodes; seen += 1) {
    const node = left.pop();
    if (isString(node)) {
      all.push(node);
    } else if (Array.isArray(node)) {
      left.push(...node.slice(0, maxSchemaNodes));
    } else if (isObject(node)) {
      const entries = Object.entries(node).slice(0, maxSchemaNodes);
      all.push(...entries.map(([key]) => key));
      left.push(...entries.map(([, value]) => value));
      prose.push(...[node['title'], node['description']].filter(isString));
    }
  }
  return { all: all.join('\n'), prose: prose.join('\n') };
}

/**
 * Patterns of text that gives the model instructions unseen by the user. A description with one may be harmless, and one
 * without may not.
 */
export type InstructionPattern =
  /** `<IMPORTANT>`, `<system>…</system>`, `[INST]` and the like: markup of prompts. */
  | 'tag'
  /** `<!-- … -->`: hidden in rendered Markdown. */
  | 'comment'
  /** "Ignore all previous instructions." */
  | 'override'
  /** "Do not tell the user." */
  | 'secrecy'
  /** Names of files that hold keys and passwords. */
  | 'secretFile'
  /** Blanks or line breaks that push the text after them out of sight. */
  | 'gap'
  /** Longer than anybody reads. */
  | 'long';

/** Characters. Long descriptions of well-known servers stay below this. */
export const maxDescriptionLength = 6_000;

const rules: readonly {
  readonly pattern: InstructionPattern;
  readonly found: (text: string) => boolean;
}[] = [
  { pattern: 'tag', found: hasTag },
  { pattern: 'comment', found: (text) => text.includes('<!--') },
  {
    pattern: 'override',
    found: matches(
      /\b(?:ignore|disregard|forget|override)\s+(?:(?:all|any|every|of|the|your|my|these|those)\s+){0,4}(?:previous|prior|earlier|preceding|above|other|system)\s+(?:\w+\s+)?(?:instruction|rule|prompt|message|guideline|direction)s?\b/iu,
    ),
  },
  {
    pattern: 'secrecy',
    found: matches(
      /\b(?:(?:do\s+not|don['’]t|never|must\s+not|without)\s+(?:ever\s+)?(?:tell|inform|mention|notify|alert|warn|reveal|disclose|telling|informing|mentioning|notifying|alerting|warning|revealing|disclosing)(?:\s+\w+){0,5}?\s+(?:the\s+)?(?:user|human)\b|(?:hide|conceal|keep)\s+(?:this|it|that)(?:\s+\w+){0,3}?\s+from\s+the\s+(?:user|human)\b)/iu,
    ),
  },
  {
    pattern: 'secretFile',
    found: matches(
      /(?:\bid_(?:rsa|ed25519|ecdsa)\b(?!\.pub)|~\/\.ssh\b|\.aws\/credentials\b|\/etc\/(?:passwd|shadow)\b|\.(?:cursor|vscode)\/mcp\.json\b|\bclaude_desktop_config\.json\b)/iu,
    ),
  },
  { pattern: 'gap', found: matches(/[ \t\u00a0]{80}|(?:[ \t]*\r?\n){15}/u) },
  { pattern: 'long', found: (text) => text.length > maxDescriptionLength },
];

/** Text beyond this is not searched: it is flagged as long anyway, and a list must not block the editor. */
const maxLookedAt = 20_000;

/** All patterns in the text, in the order of {@link InstructionPattern}. */
export function instructionPatterns(text: string): readonly InstructionPattern[] {
  const start = text.slice(0, maxLookedAt);
  return rules.filter(({ found }) => found(start)).map(({ pattern }) => pattern);
}

const shouted =
  /<\/?(?:IMPORTANT|INSTRUCTIONS?|SYSTEM|SECRET|HIDDEN|CRITICAL|ADMIN)(?:\s[^<>]*)?>/u;
/** In lower case `<system>` may be a placeholder; with a closing tag it is none. */
const opening = /<(important|instructions?|system|secret|hidden|critical|admin)(?:\s[^<>]*)?>/giu;
const closing = /<\/(important|instructions?|system|secret|hidden|critical|admin)\s*>/giu;
const ofModels =
  /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>/iu;

function hasTag(text: string): boolean {
  return shouted.test(text) || hasPair(text) || ofModels.test(text);
}

/** In two passes: one expression for both would search the rest of the text for each tag's end. */
function hasPair(text: string): boolean {
  const ends = new Map<string, number>();
  for (const { 1: name = '', index } of text.matchAll(closing)) {
    ends.set(name.toLowerCase(), index);
  }
  for (const { 1: name = '', index } of text.matchAll(opening)) {
    if (index < (ends.get(name.toLowerCase()) ?? -1)) {
      return true;
    }
  }
  return false;
}

function matches(expression: RegExp): (text: string) => boolean {
  return (text) => expression.test(text);
}
