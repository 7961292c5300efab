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

export function parseScript(script: string, dialect: Dialect, depth = 0): readonly ScriptCommand[] {
  return depth > maxDepth ? [] : new ScriptParser(script, dialect, depth).parse();
}

class ScriptParser {
  readonly #text: string;
  readonly #dialect: Dialect;
  readonly #depth: number;
  #index = 0;
  readonly #done: ScriptCommand[] = [];
  /** The last command of the current pipeline. */
  #last: ScriptCommand | undefined;
  #words: string[] = [];
  #substituted: ScriptCommand[] = [];
  #word: string | undefined;

  constructor(text: string, dialect: Dialect, depth: number) {
    this.#text = text;
    this.#dialect = dialect;
    this.#depth = depth;
  }

  parse(): readonly ScriptCommand[] {
    while (this.#index < this.#text.length) {
      this.#step();
    }
    this.#endCommand(false);
    return this.#done;
  }

  #step(): void {
    const character = this.#text.charAt(this.#index);
    if (this.#readSubstitution() || this.#readVariable()) {
      return;
    }
    this.#index++;
    if (character === '\\' && this.#dialect === 'sh') {
      this.#add(this.#text.charAt(this.#index++).replace('\n', ''));
    } else if (character === '"') {
      this.#readDoubleQuoted();
    } else if (character === "'" && this.#dialect === 'sh') {
      const end = this.#find("'");
      this.#add(this.#text.slice(this.#index, end));
      this.#index = end + 1;
    } else if (character === '|') {
      const isOr = this.#text.charAt(this.#index) === '|';
      this.#index += isOr || this.#text.charAt(this.#index) === '&' ? 1 : 0;
      this.#endCommand(!isOr);
    } else if (character === '&' && this.#isRedirection()) {
      this.#add(character);
    } else if (/[\n\r;&(){}]/u.test(character)) {
      this.#endCommand(false);
    } else if (/\s/u.test(character)) {
      this.#endWord();
    } else {
      this.#add(character);
    }
  }

  /** The ampersand of `2>&1`, `<&3` and `&>file`, which ends no command. */
  #isRedirection(): boolean {
    return /[<>]/u.test(this.#text.charAt(this.#index - 2) + this.#text.charAt(this.#index));
  }

  #readDoubleQuoted(): void {
    this.#add('');
    while (this.#index < this.#text.length) {
      if (this.#readSubstitution() || this.#readVariable()) {
        continue;
      }
      const character = this.#text.charAt(this.#index++);
      if (character === '"') {
        return;
      }
      const next = this.#text.charAt(this.#index);
      if (character === '\\' && this.#dialect === 'sh' && /["\\$`]/u.test(next)) {
        this.#add(next);
        this.#index++;
      } else {
        this.#add(character);
      }
    }
  }

  /** `$(…)`, `<(…)`, `>(…)` and, in sh, `…` in backticks. */
  #readSubstitution(): boolean {
    const rest = this.#text.slice(this.#index, this.#index + 2);
    if (rest === '$(' || rest === '<(' || rest === '>(') {
      const end = this.#closingParenthesis(this.#index + 2);
      this.#substitute(this.#index + 2, end);
      return true;
    }
    if (rest.startsWith('`') && this.#dialect === 'sh') {
      this.#index++;
      this.#substitute(this.#index, this.#find('`'));
      return true;
    }
    return false;
  }

  /** `${…}` stays: it may be one of our variables. */
  #readVariable(): boolean {
    if (!this.#text.startsWith('${', this.#index)) {
      return false;
    }
    const end = Math.min(this.#text.indexOf('}', this.#index) >>> 0, this.#text.length - 1) + 1;
    this.#add(this.#text.slice(this.#index, end));
    this.#index = end;
    return true;
  }

  #substitute(start: number, end: number): void {
    const inner = parseScript(this.#text.slice(start, end), this.#dialect, this.#depth + 1);
    for (const command of inner) {
      this.#substituted.push(command);
    }
    this.#add('');
    this.#index = end + 1;
  }

  #closingParenthesis(start: number): number {
    let open = 1;
    for (let index = start; index < this.#text.length; index++) {
      const character = this.#text.charAt(index);
      open += character === '(' ? 1 : character === ')' ? -1 : 0;
      if (open === 0) {
        return index;
      }
    }
    return this.#text.length;
  }

  #find(character: string): number {
    const index = this.#text.indexOf(character, this.#index);
    return index < 0 ? this.#text.length : index;
  }

  #add(text: string): void {
    this.#word = (this.#word ?? '') + text;
  }

  #endWord(): void {
    if (this.#word !== undefined) {
      this.#words.push(this.#word);
      this.#word = undefined;
    }
  }

  #endCommand(isPiped: boolean): void {
    this.#endWord();
    if (this.#words.length > 0) {
      const command = {
        words: this.#words,
        pipedFrom: this.#last,
        substituted: this.#substituted,
      };
      this.#done.push(command);
      this.#last = command;
    }
    for (const command of this.#substituted) {
      this.#done.push(command);
    }
    this.#words = [];
    this.#substituted = [];
    if (!isPiped) {
      this.#last = undefined;
    }
  }
}
