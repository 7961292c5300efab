/**
 * `${workspaceFolder}`, `${workspaceFolder:name}`, `${userHome}`, `${env:NAME}` and `${input:id}` in texts of the
 * settings. A value is inserted unchanged: variables in it are not replaced, and no character is escaped, converted or
 * removed.
 */
import { t } from '../../base/l10n.ts';
import type { WorkspaceFolder } from './workspace.ts';
import { withoutUndefined } from '../../base/json.ts';
import { McpError } from '../../mcp/errors.ts';
import { didYouMean, nearest } from './entryReader.ts';
import type { ConfigScope } from './serverConfig.ts';

export type VariableReference = {
  /** The variable in the text, such as `${env:TOKEN}`. */
  readonly text: string;
} & (
  | { readonly kind: 'workspaceFolder'; readonly name?: string }
  | { readonly kind: 'userHome' }
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'input'; readonly id: string }
  | { readonly kind: 'unknown'; readonly name: string }
);

/** What variables stand for. A function may throw McpError `invalidConfig` without naming the field. */
export interface VariableValues {
  workspaceFolder(name: string | undefined): string;
  userHome(): string;
  env(name: string): string;
  input(id: string): Promise<string>;
}

const pattern = /\$\{([^{}]*)\}/gu;
const known = ['workspaceFolder', 'workspaceFolder:name', 'userHome', 'env:NAME', 'input:id'];

/** The variables of a text in order, one item for each occurrence. */
export function referencesIn(text: string): readonly VariableReference[] {
  return Array.from(text.matchAll(pattern), ([whole, inner]) => toReference(whole, inner ?? ''));
}

/** Replaces each variable by `valueOf` of it; a variable for which that is undefined stays. */
export function replaceReferences(
  text: string,
  valueOf: (reference: VariableReference) => string | undefined,
): string {
  // A function as replacement: in a string, `$&` and `$1` of a value would be expanded.
  return text.replaceAll(
    pattern,
    (whole, inner: string) => valueOf(toReference(whole, inner)) ?? whole,
  );
}

/** @throws McpError `invalidConfig` for a variable that is unknown or has no value. */
export async function substitute(text: string, values: VariableValues): Promise<string> {
  let result = '';
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const value = await resolve(toReference(match[0], match[1] ?? ''), values);
    result += text.slice(end, match.index) + value;
    end = match.index + match[0].length;
  }
  return result + text.slice(end);
}

function resolve(reference: VariableReference, values: VariableValues): string | Promise<string> {
  switch (reference.kind) {
    case 'workspaceFolder':
      return values.workspaceFolder(reference.name);
    case 'userHome':
      return values.userHome();
    case 'env':
      return values.env(reference.name);
    case 'input':
      return values.input(reference.id);
    case 'unknown':
      throw unknownVariable(reference);
  }
}

/** The error for an unknown variable, such as one meant for a shell. */
export function unknownVariable(reference: VariableReference & { kind: 'unknown' }): McpError {
  const { name, text } = reference;
  // Shells write `${HOME}`; no name of ours is similar to it by letters.
  const meant = /^[A-Z][A-Z0-9_]*$/u.test(name) ? `env:${name}` : guess(name);
  const hint = didYouMean(meant, (word) => `\${${word}}`);
  const list =
    meant === undefined ? t('; known are {0}', known.map((word) => `\${${word}}`).join(', ')) : '';
  return new McpError('invalidConfig', t('{0} is not a known variable', text) + hint + list);
}

function guess(name: string): string | undefined {
  const [prefix = '', ...rest] = name.split(':');
  const word = nearest(prefix, ['workspaceFolder', 'userHome', 'env', 'input']);
  return word === undefined ? undefined : [word, ...rest].join(':');
}

/**
 * The path of `${workspaceFolder}` (no name) or `${workspaceFolder:name}` for an entry of `scope`.
 * @throws McpError `invalidConfig` when there is no such folder, or more than one.
 */
export function folderPath(
  folders: readonly WorkspaceFolder[],
  scope: ConfigScope,
  name: string | undefined,
): string {
  if (name !== undefined) {
    return namedFolder(folders, name).path;
  }
  const own = folderOf(folders, scope);
  if (own !== undefined) {
    return own.path;
  }
  const [only, ...others] = folders;
  if (only === undefined) {
    throw new McpError(
      'invalidConfig',
      t('{0} has no value: no folder is open', '${workspaceFolder}'),
    );
  }
  if (others.length > 0) {
    throw new McpError(
      'invalidConfig',
      t(
        '{0} could be any of {1} folders: write {2} to name one',
        '${workspaceFolder}',
        folders.length,
        `\${workspaceFolder:${only.name}}`,
      ),
    );
  }
  return only.path;
}

/** The folder whose settings or file are `scope`; undefined for other scopes. */
export function folderOf<F extends Pick<WorkspaceFolder, 'uri'>>(
  folders: readonly F[],
  scope: ConfigScope,
): F | undefined {
  const own = scope.kind === 'followed' ? scope.folder : scope;
  return own !== undefined && 'uri' in own
    ? folders.find((folder) => folder.uri === own.uri)
    : undefined;
}

function namedFolder(folders: readonly WorkspaceFolder[], name: string): WorkspaceFolder {
  const variable = `\${workspaceFolder:${name}}`;
  const found = folders.filter((folder) => folder.name === name);
  if (found.length > 1) {
    throw new McpError(
      'invalidConfig',
      t(
        '{0} could be any of {1} folders of this name: give them different names in the workspace file',
        variable,
        found.length,
      ),
    );
  }
  const [folder] = found;
  if (folder === undefined) {
    const names = folders.map((other) => other.name);
    const text =
      names.length === 0
        ? t('{0} has no value: no folder is open', variable)
        : t('{0} has no value: open are {1}', variable, names.join(', '));
    throw new McpError('invalidConfig', text + didYouMean(nearest(name, names)));
  }
  return folder;
}

function toReference(text: string, inner: string): VariableReference {
  const [, kind, name] = /^(workspaceFolder|userHome|env|input)(?::(.+))?$/su.exec(inner) ?? [];
  if (kind === 'workspaceFolder') {
    return withoutUndefined({ text, kind, name });
  }
  if (kind === 'userHome' && name === undefined) {
    return { text, kind };
  }
  if (kind === 'env' && name !== undefined) {
    return { text, kind, name };
  }
  return kind === 'input' && name !== undefined
    ? { text, kind, id: name }
    : { text, kind: 'unknown', name: inner };
}
