/**
 * Splits an inline shell script into the programs it runs. Good enough to find risky ones, in sh and cmd alike; a
 * script can hide programs from it.
 */

/** One program of a script, with its words as the shell would pass them. */
export interface ScriptCommand {
  readonly words: readonly string[];
  /** The command before it in the pipeline, whose output is its input. */
  readonly pipedFrom?: ScriptCommand | undefined;
  /** Commands whose output is among its words: `$(…)`, backticks, `<(…)`. */
  readonly substituted: readonly ScriptCommand[];
}

/** `windows` is for cmd and PowerShell: a backslash and a backtick are ordinary there, a single quote is not special. */
export type Dialect = 'sh' | 'windows';

/** Deeper nested substitutions are not parsed; a script with more gets a warning of its own. */
const maxDepth = 8;

/** In double quotes and outside of them. `${…}` stays: it may be one of our variables. */
const anywhere = /(?<open>[$<>]\()|\$\{[^}]*\}?/u;
const backticks = /`(?<ticked>[^`]*)`?/u;
/** The ampersand of `2>&1`, `<&3` and `&>file` ends no command. */
const outside = /(?<quote>")|(?<=[<>])&|&(?=[<>])|(?<end>\|\||\|&?|[\n\r;&(){}])|(?<blank>\s+)/u;
const ordinary = /[^\s"'`\\$<>|&;(){}]+|[^]/u;

/** The next part of a script, outside of double quotes and in them. */
const parts = {
  sh: [
    anyOf(anywhere, backticks, /\\(?<escaped>[^]?)|'(?<single>[^']*)'?/u, outside, ordinary),
    anyOf(anywhere, backticks, /\\(?<escaped>["\\$`])|(?<quote>")/u, ordinary),
  ],
  windows: [anyOf(anywhere, outside, ordinary), anyOf(anywhere, /(?<quote>")/u, ordinary)],
} as const;

function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'uy');
}

export function parseScript(script: string, dialect: Dialect, depth = 0): readonly ScriptCommand[] {
  if (depth > maxDepth) {
    return [];
  }
  const [plain, quoted] = parts[dialect];
  const commands = new ScriptCommands();
  let isQuoted = false;
  for (let index = 0; index < script.length;) {
    const next = isQuoted ? quoted : plain;
    next.lastIndex = index;
    const found = next.exec(script);
    const text = found?.[0] ?? '';
    const groups = found?.groups ?? {};
    const { open, ticked, quote } = groups;
    index += Math.max(text.length, 1);
    if (open !== undefined) {
      const end = closingParenthesis(script, index);
      commands.substitute(parseScript(script.slice(index, end), dialect, depth + 1));
      index = end + 1;
    } else if (ticked !== undefined) {
      commands.substitute(parseScript(ticked, dialect, depth + 1));
    } else if (quote === undefined) {
      commands.take(text, groups);
    } else {
      isQuoted = !isQuoted;
      commands.add('');
    }
  }
  commands.end(false);
  return commands.done;
}

function closingParenthesis(text: string, start: number): number {
  let open = 1;
  for (let index = start; index < text.length; index++) {
    const character = text.charAt(index);
    open += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (open === 0) {
      return index;
    }
  }
  return text.length;
}

class ScriptCommands {
  readonly done: ScriptCommand[] = [];
  /** The last command of the current pipeline. */
  #last: ScriptCommand | undefined;
  #words: string[] = [];
  #substituted: ScriptCommand[] = [];
  #word: string | undefined;

  /** @param groups of the pattern that the text matches */
  take(text: string, { end, blank, single, escaped }: Readonly<Record<string, string>>): void {
    if (end !== undefined) {
      this.end(/^\|&?$/u.test(end));
    } else if (blank === undefined) {
      this.add(single ?? escaped?.replace('\n', '') ?? text);
    } else {
      this.#endWord();
    }
  }

  add(text: string): void {
    this.#word = (this.#word ?? '') + text;
  }

  substitute(commands: readonly ScriptCommand[]): void {
    for (const command of commands) {
      this.#substituted.push(command);
    }
    this.add('');
  }

  #endWord(): void {
    if (this.#word !== undefined) {
      this.#words.push(this.#word);
      this.#word = undefined;
    }
  }

  end(isPiped: boolean): void {
    this.#endWord();
    if (this.#words.length > 0) {
      this.#last = { words: this.#words, pipedFrom: this.#last, substituted: this.#substituted };
      this.done.push(this.#last);
    }
    for (const command of this.#substituted) {
      this.done.push(command);
    }
    this.#words = [];
    this.#substituted = [];
    this.#last = isPiped ? this.#last : undefined;
  }
}
