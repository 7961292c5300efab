/**
 * Compiles regular expressions of schemas: for JavaScript's engine, which is fast but can take exponential time, or for
 * one with linear time (RE2's algorithm), which is slower and has neither lookaheads nor backreferences.
 *
 * jsonSchema.ts decides which one is used, and for how long.
 */
import { RE2JS } from 're2js';

/** The methods of a regular expression that ajv uses. */
interface Pattern {
  test(text: string): boolean;
}

/** The engine that matches the patterns of a schema. */
export type PatternEngine = 'native' | 'linear';

/** Replaces a pattern that is no JavaScript regular expression ("(?P<x>a)"): no restriction. */
const anything: Pattern = /(?:)/u;

/**
 * Patterns are written for many regular expression dialects. A pattern that is only valid without the `u` flag
 * ("[\w\-]") is used without it.
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

/** A pattern that RE2 does not support stays a native one. */
function toLinear(pattern: string, flags: string): Pattern | undefined {
  const native = toRegExp(pattern, flags);
  try {
    return native && RE2JS.compile(RE2JS.translateRegExp(pattern), RE2JS.LOOKBEHINDS);
  } catch {
    return native;
  }
}

/** By engine, in ajv's form. Its `code` is for generated files, which are not used here. */
export const patternsOf = {
  native: Object.assign((pattern: string, flags: string) => toRegExp(pattern, flags) ?? anything, {
    code: 'new RegExp',
  }),
  linear: Object.assign((pattern: string, flags: string) => toLinear(pattern, flags) ?? anything, {
    code: 'new RegExp',
  }),
} as const;
