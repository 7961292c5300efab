/**
 * Sorts resources into folders by scheme, authority and path segments of their URIs. A chain of folders with one child
 * each is one folder, as in a file explorer. Pure; sorts a list once: 100,000 resources
 * in 100 folders take about 0.1 s.
 */
import { lazily, perObject } from '../../base/lazily.ts';
import { trimmedEnd } from '../../base/text.ts';
import type { Resource } from '../../mcp/types/lists.ts';

export interface ResourceFolder {
  /** The common beginning of its URIs, up to the last slash or colon; unique in the list, empty for the top. */
  readonly key: string;
  /** The part of the key that the parent folder does not show. */
  readonly label: string;
  /** Resources in it and in all folders below. */
  readonly count: number;
}

export interface FolderContents {
  /** By label, with numbers by their value. */
  readonly folders: readonly ResourceFolder[];
  /** In the server's order. */
  readonly resources: readonly Resource[];
}

/**
 * @param key of a folder; empty for the top, which leaves out what all have in common ({@link commonFolder})
 * @returns nothing for a key without folder
 */
export function folderContents(resources: readonly Resource[], key: string): FolderContents {
  const byFolder = sorted(resources);
  const within = [...byFolder.keys()].filter((folder) => isWithin(folder, key));
  const base = commonOf(within);
  const inFolders = (folders: readonly string[]): readonly Resource[] =>
    folders.flatMap((folder) => byFolder.get(folder) ?? []);
  const children = Map.groupBy(within, (folder) => childOf(base, folder));
  const own = children.get(base) ?? [];
  children.delete(base);
  const folders = [...children.values()]
    .map((child): ResourceFolder => {
      const end = commonOf(child);
      const label = end.slice(base.length).replace(/^\/+/u, '');
      return { key: end, label, count: inFolders(child).length };
    })
    .toSorted((one, other) => order().compare(one.label, other.label));
  return { folders, resources: inFolders(own) };
}

/** The folder of all resources, as the beginning of their URIs; empty where there is none, and for few resources. */
export function commonFolder(resources: readonly Resource[]): string {
  return resources.length < 2 ? '' : commonOf([...sorted(resources).keys()]);
}

/** The folders of each list that is still in use: one is drawn folder by folder. */
const sorted = perObject((resources: readonly Resource[]) =>
  Map.groupBy(resources, ({ uri }) => folderOf(uri)),
);

function commonOf(folders: readonly string[]): string {
  let [common = ''] = folders;
  for (const folder of new Set(folders)) {
    if (!isWithin(folder, common)) {
      common = commonOfTwo(folder, common);
    }
  }
  return common;
}

function commonOfTwo(one: string, other: string): string {
  let end = 0;
  while (end < one.length && one[end] === other[end]) {
    end += 1;
  }
  const shared = one.slice(0, end);
  const fits = (outer: string): boolean => isWithin(one, outer) && isWithin(other, outer);
  return [shared, folderOf(`${shared}x`)].find(fits) ?? '';
}

function isWithin(folder: string, outer: string): boolean {
  if (outer === '' || folder === outer) {
    return true;
  }
  if (!folder.startsWith(outer)) {
    return false; // most folders: their heads need no look
  }
  // "file:///home" is not in "file://", nor "urn:a" in "u".
  const start = headOf(folder);
  return start === outer || (start.length < outer.length && folder[outer.length] === '/');
}

/** Lazy: it takes 10 ms to create. */
const order = lazily(() => new Intl.Collator(undefined, { numeric: true }));

/** Scheme and slashes, the first folder: "file:///", "demo://", "urn:". */
function headOf(uri: string): string {
  return /^(?:[a-z][\w+.-]*:)?(?:\/\/\/?)?/iu.exec(uri)?.[0] ?? '';
}

/**
 * The folder that a resource, or another folder, is in: "file:///a/b/c.md" is in "file:///a/b", "demo://notes" in
 * "demo://", "urn:isbn:1" in "urn:", and "demo://" in itself. Query and fragment do not count.
 */
function folderOf(uri: string): string {
  const start = headOf(uri);
  const path = trimmedEnd(uri.slice(start.length).replace(/[?#].*$/su, ''), '/');
  return start + trimmedEnd(path.slice(0, Math.max(0, path.lastIndexOf('/'))), '/');
}

/** The first folder in `base` on the way to a folder below it; the base for itself. */
function childOf(base: string, folder: string): string {
  const start = headOf(folder);
  if (folder === base || start.length > base.length) {
    return base === folder ? base : start;
  }
  const name = /\/*[^/]+/uy;
  name.lastIndex = base.length;
  return base + (name.exec(folder)?.[0] ?? '');
}
