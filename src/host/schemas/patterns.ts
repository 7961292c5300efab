/**
 * Regular expressions of schemas, made so that they can be matched: by the language's own engine,
 * which is fast and can be made to take for ever, or by one that takes time in proportion to the text
 * (RE2's algorithm), which is slower and knows neither lookaheads nor backreferences.
 *
 * Who uses which, and for how long, is jsonSchema.ts's business.
 */
import { RE2JS } from 're2js';

/** What ajv needs of a regular expression. */
interface Pattern {
  test(text: string): boolean;
}

/** The engine that matches the patterns of a schema. */
export type PatternEngine = 'native' | 'linear';

/** What a pattern stands for that is no regular expression of JavaScript ("(?P<x>a)"): no restriction. */
const anything: Pattern = /(?:)/u;

/**
 * Patterns are written for many regular expression dialects. One that is only valid without the
 * `u` flag ("[\w\-]") is used without it.
 */
function toRegExp(pattern: string, flags: string): RegExp | undefined {
  for (const attempt of [flags, '']) {
    try {
      return new RegExp(pattern, attempt);
    } catch {
      // the next attempt
    }
  }
  return undefined;
}

/** One that needs more than RE2 knows remains a native one. */
function toLinear(pattern: string, flags: string): Pattern | undefined {
  const native = toRegExp(pattern, flags);
  try {
    return native && RE2JS.compile(RE2JS.translateRegExp(pattern), RE2JS.LOOKBEHINDS);
  } catch {
    return native;
  }
}

/** By engine, as ajv takes them. Its `code` is for code that is written to files, which is not done here. */
export const patternsOf = {
  native: Object.assign((pattern: string, flags: string) => toRegExp(pattern, flags) ?? anything, {
    code: 'new RegExp',
  }),
  linear: Object.assign((pattern: string, flags: string) => toLinear(pattern, flags) ?? anything, {
    code: 'new RegExp',
  }),
} as const;
