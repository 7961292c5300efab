/**
 * The settings of every scope, as they were before their file was broken: the editor reads what it can of a
 * settings.json that is half written, and servers that run would end, or start with half of their entry.
 */
import { delay } from '../../base/async.ts';
import { isObject, type JsonObject, stableStringify } from '../../base/json.ts';
import type { ReadResult } from './jsonWithComments.ts';
import { type ConfigScope, type RawScope, scopeKey } from './serverConfig.ts';
import { readTextFile } from './textFile.ts';

/** Milliseconds until a file is looked at again that the editor has not read yet, and how often that is done. */
const pauseMs = 200;
const maxPauses = 5;

/** A scope whose file does not parse. */
export interface BrokenScope {
  readonly scope: ConfigScope;
  readonly file: string;
  /** Completes a sentence that begins with the file. */
  readonly problem: string;
  /** Its servers are those of before. Otherwise nobody has seen it whole, and it has none. */
  readonly wasWhole: boolean;
}

export interface ReadScopes {
  readonly scopes: readonly RawScope[];
  readonly broken: readonly BrokenScope[];
}

/** A scope whose settings have changed. */
interface Look {
  readonly raw: RawScope;
  readonly broken?: BrokenScope;
  /** The editor has read what its file says now. */
  readonly isCurrent: boolean;
}

export class WholeScopes {
  readonly #editor: ConstructorParameters<typeof WholeScopes>[0];
  /** By scope, what its file said when it was last whole. */
  readonly #whole = new Map<string, RawScope>();
  /** Nobody has looked at the files yet, or one of them was broken at the last look. */
  #isDoubtful = true;

  constructor(editor: {
    /** As the editor has them. */
    readonly readScopes: () => readonly RawScope[];
    /** Undefined for a scope without one. */
    readonly fileOf: (scope: ConfigScope) => string | undefined;
    readonly readText: (text: string) => ReadResult;
  }) {
    this.#editor = editor;
  }

  /**
   * With the earlier settings of a scope whose file does not parse. A file is looked at when its settings have changed,
   * and again while the editor has others than it: the editor may have read what was half written.
   */
  async read(): Promise<ReadScopes> {
    let looks = await this.#lookAtAll();
    for (let pauses = 0; pauses < maxPauses && !looks.every(isCurrent); pauses += 1) {
      await delay(pauseMs);
      looks = await this.#lookAtAll();
    }
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
    const whole = this.#whole.get(scopeKey(scope));
    const isSame = whole !== undefined && stableStringify(whole) === stableStringify(raw);
    const file = isSame && !this.#isDoubtful ? undefined : this.#editor.fileOf(scope);
    if (file === undefined) {
      return { raw, isCurrent: true };
    }
    let text: ReadResult;
    try {
      text = this.#editor.readText(await readTextFile(file));
    } catch {
      return { raw, isCurrent: true }; // the editor alone knows where its settings are
    }
    if ('problem' in text) {
      const { problem } = text;
      const broken = { scope, file, problem, wasWhole: whole !== undefined };
      return { raw, broken, isCurrent: true };
    }
    const settings = settingsOf(text.value);
    const isAsInFile = (['servers', 'inputs'] as const).every(
      (name) => stableStringify(settings[`mcpHost.${name}`]) === stableStringify(raw[name]),
    );
    return { raw, isCurrent: isAsInFile };
  }
}

function isCurrent(look: Look): boolean {
  return look.isCurrent;
}

/** Of a settings.json, or of a workspace's own file, which has them in a member. */
function settingsOf(file: unknown): JsonObject {
  const settings = isObject(file) ? file : {};
  return isObject(settings['settings']) ? settings['settings'] : settings;
}
