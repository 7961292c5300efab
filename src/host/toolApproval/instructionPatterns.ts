/**
 * The listed patterns of text that speaks to the model behind the user's back. A description that has
 * one may be harmless, and one that has none may not: they are shown, and decide nothing. Pure.
 */

export type InstructionPattern =
  /** `<IMPORTANT>`, `<system>…</system>`, `[INST]` and the like: what prompts to models are made of. */
  | 'tag'
  /** `<!-- … -->`: what a viewer of Markdown leaves out. */
  | 'comment'
  /** "Ignore all previous instructions." */
  | 'override'
  /** "Do not tell the user." */
  | 'secrecy'
  /** Names of files that hold keys and passwords. */
  | 'secretFile'
  /** Blanks or line ends that push what follows out of sight. */
  | 'gap'
  /** Longer than anybody reads. */
  | 'long';

/** Characters. Long descriptions of well-known servers stay below. */
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

/** What is beyond is not looked at: the text is flagged as long, and a list must not hold up the editor. */
const maxLookedAt = 20_000;

/** Every pattern that the text has, in the order of {@link InstructionPattern}. */
export function instructionPatterns(text: string): readonly InstructionPattern[] {
  const start = text.slice(0, maxLookedAt);
  return rules.filter(({ found }) => found(start)).map(({ pattern }) => pattern);
}

const shouted =
  /<\/?(?:IMPORTANT|INSTRUCTIONS?|SYSTEM|SECRET|HIDDEN|CRITICAL|ADMIN)(?:\s[^<>]*)?>/u;
/** In small letters `<system>` may be a placeholder; with its end it is none. */
const opening = /<(important|instructions?|system|secret|hidden|critical|admin)(?:\s[^<>]*)?>/giu;
const closing = /<\/(important|instructions?|system|secret|hidden|critical|admin)\s*>/giu;
const ofModels =
  /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>/iu;

function hasTag(text: string): boolean {
  return shouted.test(text) || hasPair(text) || ofModels.test(text);
}

/** In two passes: one expression for both would look for the end of each tag through all that follows. */
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
