/**
 * A draft of an entry of `mcpHost.servers`, with messages about it. It replaces the variables of other programs by ours; one
 * without counterpart becomes an input, so that the user is asked for its value instead of a guess. Knows no field of any
 * program.
 */
import { t } from '../../base/l10n.ts';
import path from 'node:path';
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { trimmedOf } from '../../base/text.ts';
import { lookUp } from '../config/environment.ts';
import type { ImportedInput, Surroundings } from './importedServer.ts';

/**
 * The spellings of variables that a program has besides `${NAME}`: `$NAME`, as in Gemini CLI, or `${{ secrets.NAME }}`, as
 * in Continue. `none`: it has no variables at all.
 */
type VariableDialect = 'bareNames' | 'templates' | 'none';

/** The special rules of a program. */
export interface ProgramRules {
  readonly variables?: VariableDialect;
  /** The unit of `timeout`, a limit on one request. */
  readonly timeoutUnit?: 'seconds' | 'milliseconds';
  /** `url` means HTTP+SSE; another field means Streamable HTTP. */
  readonly urlMeansSse?: boolean;
}

/** The inputs that a file defines, by their id there. */
export type FileInputs = ReadonlyMap<string, ImportedInput>;

export class ServerDraft {
  readonly rules: ProgramRules;
  readonly around: Surroundings;
  /** Each once, in order. */
  readonly problems = new Set<string>();
  readonly inputs = new Map<string, ImportedInput>();
  readonly #fields = new Map<string, unknown>();
  readonly #fileInputs: FileInputs;

  constructor(rules: ProgramRules, around: Surroundings, fileInputs: FileInputs) {
    this.rules = rules;
    this.around = around;
    this.#fileInputs = fileInputs;
  }

  get entry(): JsonObject {
    return Object.fromEntries(this.#fields);
  }

  has(field: string): boolean {
    return this.#fields.has(field);
  }

  set(field: string, value: unknown): void {
    this.#fields.set(field, value);
  }

  /** Adds members to a field that is an object. */
  merge(field: string, members: JsonObject): void {
    const present = this.#fields.get(field);
    this.#fields.set(field, { ...(isObject(present) ? present : {}), ...members });
  }

  problem(field: string, text: string): void {
    this.problems.add(`${field}: ${text}`);
  }

  /** Adds an input, unless it exists. */
  input(input: ImportedInput): void {
    if (!this.inputs.has(input.id)) {
      this.inputs.set(input.id, input);
    }
  }

  /** Our id for the file's own input of this id. */
  inputId(id: string): string | undefined {
    const input = this.#fileInputs.get(id);
    if (input !== undefined) {
      this.inputs.set(input.id, input);
    }
    return input?.id;
  }

  /** Replaces the variables in all texts of a value. Other values stay, for the checks to judge. */
  translated(field: string, value: unknown): unknown {
    if (isString(value)) {
      return translateVariables(value, field, this);
    }
    if (Array.isArray(value)) {
      return value.map((item, index) => this.translated(`${field}[${index}]`, item));
    }
    return isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([key, inner]) => [
            key,
            this.translated(`${field}.${key}`, inner),
          ]),
        )
      : value;
  }
}

const pattern = /\$\{\{([^{}]*)\}\}|\$\{([^{}]*)\}|\$([A-Za-z_]\w*)/gu;
/** `NAME` and `NAME:-default`, as in shells. */
const shellVariable = /^([A-Za-z_]\w*)(?::?-(.*))?$/su;
const own = /^(?:workspaceFolder(?::.+)?|userHome)$/u;

function translateVariables(text: string, field: string, draft: ServerDraft): string {
  const { around } = draft;
  const dialect = draft.rules.variables;
  if (dialect === 'none') {
    for (const [whole] of text.matchAll(/\$\{[^{}]*\}/gu)) {
      draft.problem(field, t('`{0}` is plain text for that program; here it is a variable', whole));
    }
    return text;
  }
  if (/\$\{[^{}]*\$\{/u.test(text)) {
    draft.problem(field, t('has a variable inside another one, which is not translated'));
    return text;
  }
  return text.replaceAll(
    pattern,
    (whole, template?: string, braced?: string, bare?: string): string => {
      if (bare !== undefined) {
        return dialect === 'bareNames' ? environmentVariable(bare, undefined) : whole;
      }
      if (template !== undefined) {
        return dialect === 'templates'
          ? asked(whole, template.trim().replace(/^.*\./u, ''))
          : whole;
      }
      return translate(whole, braced ?? '');
    },
  );

  function translate(whole: string, inner: string): string {
    if (own.test(inner) || /^env:./u.test(inner)) {
      return whole;
    }
    const inputId = /^input:(.+)$/u.exec(inner)?.[1];
    if (inputId !== undefined) {
      const known = draft.inputId(inputId);
      return known === undefined ? asked(whole, inputId) : `\${input:${known}}`;
    }
    const fixed = fixedValue(inner, around);
    if (fixed !== undefined) {
      return fixed;
    }
    const [, name, fallback] = shellVariable.exec(inner) ?? [];
    return name === undefined ? asked(whole, inner) : environmentVariable(name, fallback);
  }

  function environmentVariable(name: string, fallback: string | undefined): string {
    const platform = around.platform === 'win32' ? 'win32' : 'posix';
    if (lookUp(platform, around.env, name) === undefined) {
      if (fallback !== undefined) {
        draft.problem(
          field,
          t('the default of `{0}` is taken, because the variable is not set', name),
        );
        return fallback;
      }
      draft.problem(field, t('the variable {0} is not set where the editor runs', name));
    } else if (fallback !== undefined) {
      draft.problem(
        field,
        t('the default of `{0}` is left out, because the variable is set', name),
      );
    }
    return `\${env:${name}}`;
  }

  function asked(whole: string, name: string): string {
    const input = inputFor(whole, name);
    draft.input(input);
    draft.problem(field, t('`{0}` is not known here: you are asked for its value', whole));
    return `\${input:${input.id}}`;
  }
}

/** An input for the value of a variable that nobody defines. A consent is bound to its description: no language in it. */
export function inputFor(variable: string, name: string): ImportedInput {
  const description = variable.replace(/^\$/u, '');
  return { id: toInputId(name), type: 'promptString', description, password: true };
}

/** Only letters, digits, dots, hyphens and underscores, as in ids of inputs. */
export function toInputId(text: string): string {
  return trimmedOf(text.replaceAll(/[^A-Za-z0-9_.-]+/gu, '-'), '-') || 'value';
}

function fixedValue(inner: string, { platform, folder }: Surroundings): string | undefined {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  switch (inner) {
    case 'pathSeparator':
    case '/':
      return paths.sep;
    case 'workspaceFolderBasename':
      return folder === undefined ? undefined : paths.basename(folder);
    case 'workspaceRoot':
      return '${workspaceFolder}';
    default:
      // Claude Code: the folder of the project.
      return /^CLAUDE_PROJECT_DIR(?::-.*)?$/su.test(inner) ? '${workspaceFolder}' : undefined;
  }
}
