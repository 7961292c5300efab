/**
 * Patterns of text that gives the model instructions unseen by the user. A description with one may be harmless, and
 * one without may not: patterns are shown and decide nothing. Pure.
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
