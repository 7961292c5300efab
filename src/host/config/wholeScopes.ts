/**
 * The settings of every scope; for a scope whose file does not parse, those of before. The editor reads what it can of
 * a half-written settings.json: without this, running servers would end, or start with half of their entry.
 */
import { delay } from '../../base/async.ts';
import { isObject, stableStringify } from '../../base/json.ts';
import { readJsonWithComments, type ReadResult } from './jsonWithComments.ts';
import { type ConfigScope, type RawScope, scopeKey } from './serverConfig.ts';
import { readTextFile } from './textFile.ts';

/** Milliseconds until a file is read again that the editor has not caught up with, and how often that is done. */
const pauseMs = 200;
const maxPauses = 5;

/** A scope whose file does not parse. */
export interface BrokenScope {
  readonly scope: ConfigScope;
  readonly file: string;
  /** The end of a sentence that begins with the file. */
  readonly problem: string;
  /** Its servers are those of before. Otherwise it was never read whole, and has none. */
  readonly wasWhole: boolean;
}

export interface ReadScopes {
  readonly scopes: readonly RawScope[];
  readonly broken: readonly BrokenScope[];
}

/** The outcome of one look at a scope. */
interface Look {
  readonly raw: RawScope;
  readonly broken?: BrokenScope;
  /** The editor has read the current content of the file. */
  readonly isCurrent: boolean;
}

export class WholeScopes {
  readonly #editor: ConstructorParameters<typeof WholeScopes>[0];
  /** By scope, the settings of the file when it last parsed. */
  readonly #whole = new Map<string, RawScope>();
  /** Scopes whose settings the editor has from another file, such as that of a profile. */
  readonly #elsewhere = new Set<string>();
  /** The files were not read yet, or one of them did not parse at the last look. */
  #isDoubtful = true;

  constructor(editor: {
    /** The settings as the editor has them. */
    readonly readScopes: () => readonly RawScope[];
    /** Undefined for a scope without a file. */
    readonly fileOf: (scope: ConfigScope) => string | undefined;
  }) {
    this.#editor = editor;
  }

  /**
   * Returns the earlier settings for a scope whose file does not parse. A file is read when its settings have changed,
   * and again while the editor's settings differ from it: the editor may have read a half-written file.
   */
  async read(): Promise<ReadScopes> {
    let looks = await this.#lookAtAll();
    for (let pauses = 0; pauses < maxPauses && !looks.every(isCurrent); pauses += 1) {
      await delay(pauseMs);
      looks = await this.#lookAtAll();
    }
    looks
      .filter((look) => !isCurrent(look))
      .forEach(({ raw }) => this.#elsewhere.add(scopeKey(raw.scope)));
    const broken = looks.flatMap((look) => look.broken ?? []);
    this.#isDoubtful = broken.length > 0;
    const scopes = looks.map((look) => {
      const key = scopeKey(look.raw.scope);
      if (look.broken !== undefined) {
        return this.#whole.get(key) ?? { ...look.raw, servers: undefined, inputs: undefined };
      }
      this.#whole.set(key, look.raw);
      return look.raw;
    });
    return { scopes, broken };
  }

  #lookAtAll(): Promise<readonly Look[]> {
    return Promise.all(this.#editor.readScopes().map((raw) => this.#lookAt(raw)));
  }

  async #lookAt(raw: RawScope): Promise<Look> {
    const { scope } = raw;
    const key = scopeKey(scope);
    const whole = this.#whole.get(key);
    const isSame = whole !== undefined && stableStringify(whole) === stableStringify(raw);
    const file = isSame && !this.#isDoubtful ? undefined : this.#editor.fileOf(scope);
    if (file === undefined) {
      return { raw, isCurrent: true };
    }
    let text: ReadResult;
    try {
      text = readJsonWithComments(await readTextFile(file), 'allowed');
    } catch {
      return { raw, isCurrent: true }; // the editor alone knows where its settings are
    }
    const settings = settingsOf('problem' in text ? text.partial : text.value);
    const isAsInFile = (['servers', 'inputs'] as const).every(
      (name) => stableStringify(settings(name)) === stableStringify(raw[name]),
    );
    if (!isAsInFile) {
      return { raw, isCurrent: this.#elsewhere.has(key) };
    }
    this.#elsewhere.delete(key);
    if ('problem' in text) {
      const { problem } = text;
      const broken = { scope, file, problem, wasWhole: whole !== undefined };
      return { raw, broken, isCurrent: true };
    }
    return { raw, isCurrent: true };
  }
}

function isCurrent(look: Look): boolean {
  return look.isCurrent;
}

/**
 * The settings in a settings.json, or in a .code-workspace file, which has them in the member `settings`. Like the
 * editor, takes `{"mcpHost": {"servers": …}}` for `{"mcpHost.servers": …}`.
 */
function settingsOf(file: unknown): (name: string) => unknown {
  const own = isObject(file) ? file : {};
  const settings = isObject(own['settings']) ? own['settings'] : own;
  const nested = isObject(settings['mcpHost']) ? settings['mcpHost'] : {};
  return (name) => settings[`mcpHost.${name}`] ?? nested[name];
}
