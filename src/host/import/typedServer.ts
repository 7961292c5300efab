/**
 * What people type or paste to name a server → what it may mean, the likeliest first. A single word may be an npm package,
 * a PyPI package, an image or a program. Pure.
 */
import { isImage } from './imageTags.ts';
import type { ImportedFile, Surroundings } from './importedServer.ts';
import { parsePasted } from './pasted.ts';
import { commandOf, type PackageName, readPackageName } from './packages.ts';

export type Reading =
  /** An MCPB bundle: its path or URL. */
  | { readonly kind: 'bundle'; readonly text: string }
  /** A package of npm or PyPI; `text` is what runs it. */
  | { readonly kind: 'package'; readonly text: string; readonly name: PackageName }
  /** `text` is what is reached, or run with its arguments. */
  | { readonly kind: 'url' | 'command'; readonly text: string; readonly file: ImportedFile }
  /** The text holds servers: JSON, a link, a command that adds one. */
  | { readonly kind: 'held'; readonly text: string; readonly file: ImportedFile };

export function readTyped(typed: string, around: Surroundings): readonly Reading[] {
  const text = typed.trim();
  if (text === '') {
    return [];
  }
  // As Windows copies a path.
  const path = text.replace(/^"([^"]*)"$/u, '$1');
  if (/^(?:https?:\/\/\S+|[^{}]+)\.(?:mcpb|dxt)$/iu.test(path)) {
    return [{ kind: 'bundle', text: path }];
  }
  const { kind, ...file } = parsePasted(text, around);
  if (kind !== 'command') {
    return [{ kind, text, file }];
  }
  const asCommand = (line: string): Reading => ({
    kind: 'command',
    text: line,
    file: parsePasted(line, around),
  });
  const packages = (['npm', 'pypi'] as const).flatMap((registry) => {
    const name = readPackageName(registry, text);
    const { command, args } = commandOf(registry, text);
    return name === undefined
      ? []
      : [{ kind: 'package', text: [command, ...args].join(' '), name } as const];
  });
  return [
    ...packages,
    // A plain word is rather a package.
    ...(/[/:]/u.test(text) && isImage(text) ? [asCommand(`docker run -i --rm ${text}`)] : []),
    ...(text.startsWith('@') ? [] : [{ kind, text, file }]),
  ];
}
