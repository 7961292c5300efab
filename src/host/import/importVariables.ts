/**
 * Variables in texts of other programs' settings → ours. A variable without counterpart becomes an input, so that the
 * user is asked for its value instead of a guess.
 */
import path from 'node:path';
import { trimmedOf } from '../../base/text.ts';
import { lookUp } from '../config/environment.ts';
import type { ImportedInput, Surroundings } from './importedServer.ts';

/**
 * The spellings of variables that a program has besides `${NAME}`: `$NAME`, as in Gemini CLI, or `${{ secrets.NAME }}`, as
 * in Continue. `none`: it has no variables at all.
 */
export type VariableDialect = 'bareNames' | 'templates' | 'none';

/** Collects the findings of the translation of one server's texts. */
export interface VariableNotes {
  problem(field: string, text: string): void;
  /** Adds an input, unless it exists. */
  input(input: ImportedInput): void;
  /** Our id for the file's own input of this id. */
  inputId(id: string): string | undefined;
}

const pattern = /\$\{\{([^{}]*)\}\}|\$\{([^{}]*)\}|\$([A-Za-z_]\w*)/gu;
/** `NAME` and `NAME:-default`, as in shells. */
const shellVariable = /^([A-Za-z_]\w*)(?::?-(.*))?$/su;
const own = /^(?:workspaceFolder(?::.+)?|userHome)$/u;

export function translateVariables(
  text: string,
  field: string,
  dialect: VariableDialect | undefined,
  around: Surroundings,
  notes: VariableNotes,
): string {
  if (dialect === 'none') {
    for (const [whole] of text.matchAll(/\$\{[^{}]*\}/gu)) {
      notes.problem(field, `\`${whole}\` is plain text for that program; here it is a variable`);
    }
    return text;
  }
  if (/\$\{[^{}]*\$\{/u.test(text)) {
    notes.problem(field, 'has a variable inside another one, which is not translated');
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
      const known = notes.inputId(inputId);
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
        notes.problem(
          field,
          `the default of \`${name}\` is taken, because the variable is not set`,
        );
        return fallback;
      }
      notes.problem(field, `the variable ${name} is not set where the editor runs`);
    } else if (fallback !== undefined) {
      notes.problem(field, `the default of \`${name}\` is left out, because the variable is set`);
    }
    return `\${env:${name}}`;
  }

  function asked(whole: string, name: string): string {
    const input = inputFor(whole, name);
    notes.input(input);
    notes.problem(field, `\`${whole}\` is not known here: you are asked for its value`);
    return `\${input:${input.id}}`;
  }
}

/** An input for the value of a variable that nobody defines. */
export function inputFor(variable: string, name: string): ImportedInput {
  const description = `Value of ${variable.replace(/^\$/u, '')}`;
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
