/** Maps an offset in a JSON text to a path in its value, also while the text is incomplete. */

export interface JsonPlace {
  /** From the root inward: names of members, and indexes. */
  readonly path: readonly (string | number)[];
  /** What may be written there. */
  readonly expects: 'member' | 'value' | 'nothing';
  /** The token at the offset, to be replaced; empty where there is none. */
  readonly start: number;
  readonly end: number;
  /** The other names in the object around the offset, before and after it. */
  readonly present: ReadonlySet<string>;
  /** The name at the offset already has its colon. */
  readonly hasColon: boolean;
}

type Expects = 'member' | 'colon' | 'value' | 'comma';

interface Level {
  readonly kind: 'root' | 'object' | 'array';
  readonly names: { readonly name: string; readonly start: number }[];
  expects: Expects;
  step: string | number;
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Found {
  readonly levels: readonly Level[];
  readonly path: readonly (string | number)[];
  readonly expects: Expects;
  readonly start: number;
  readonly end: number;
}

export function placeAt(text: string, offset: number): JsonPlace {
  const tokens = tokensOf(text);
  const { start, end, expects, path, levels } = find(tokens, offset);
  const names = levels.at(-1)?.names ?? [];
  const following = tokens.find((token) => token.start >= end);
  return {
    path,
    expects: expects === 'member' || expects === 'value' ? expects : 'nothing',
    start,
    end,
    present: new Set(names.filter((one) => one.start !== start).map(({ name }) => name)),
    hasColon: expects === 'member' && following?.text === ':',
  };
}

/** Reads to the end, to know all names of the object around the offset. */
function find(tokens: readonly Token[], offset: number): Found {
  const levels: Level[] = [{ kind: 'root', names: [], expects: 'value', step: '' }];
  let found: Found | undefined;
  for (const token of tokens) {
    found ??= at(levels, token, offset);
    read(levels, token);
  }
  return found ?? here(levels, offset);
}

/** Undefined while the offset is after this token. */
function at(levels: readonly Level[], token: Token, offset: number): Found | undefined {
  if (isWord(token) && offset >= token.start && offset <= token.end) {
    return here(levels, token);
  }
  return offset <= token.start ? here(levels, offset) : undefined;
}

function here(levels: readonly Level[], spot: Token | number): Found {
  const { start, end } = typeof spot === 'number' ? { start: spot, end: spot } : spot;
  const expects = levels.at(-1)?.expects ?? 'value';
  const inside = levels.filter(({ kind }) => kind !== 'root');
  // An unfinished name leads to no value yet.
  const steps = expects === 'member' ? inside.slice(0, -1) : inside;
  return { levels: [...levels], path: steps.map(({ step }) => step), expects, start, end };
}

function read(levels: Level[], { text, start }: Token): void {
  const level = levels.at(-1);
  if (level === undefined) {
    return;
  }
  switch (text) {
    case '{':
      levels.push({ kind: 'object', names: [], expects: 'member', step: '' });
      return;
    case '[':
      levels.push({ kind: 'array', names: [], expects: 'value', step: 0 });
      return;
    case '}':
    case ']':
      if (levels.length > 1) {
        levels.pop();
        close(levels.at(-1));
      }
      return;
    case ':':
      level.expects = 'value';
      return;
    case ',':
      next(level);
      return;
    default:
      if (level.kind === 'object' && level.expects !== 'value') {
        const name = nameOf(text);
        level.names.push({ name, start });
        level.step = name;
        level.expects = 'colon';
      } else {
        close(level);
      }
  }
}

function close(level: Level | undefined): void {
  if (level !== undefined) {
    level.expects = 'comma';
  }
}

function next(level: Level): void {
  if (level.kind === 'array') {
    level.step = typeof level.step === 'number' ? level.step + 1 : 0;
    level.expects = 'value';
  } else {
    level.expects = 'member';
  }
}

/** Strings may be unclosed, and other tokens incomplete. */
function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(/"(?:[^"\\\n]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/gu)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function isWord({ text }: Token): boolean {
  return !/^[{}[\],:]$/u.test(text);
}

function nameOf(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return String(value);
  } catch {
    return text.replaceAll('"', '');
  }
}
