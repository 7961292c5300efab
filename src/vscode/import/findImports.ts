/**
 * Finds and reads the files of other programs that configure MCP servers. Shows nothing, changes nothing.
 * parseImport.ts parses a file, translateServer.ts makes entries, importServers.ts asks, planImport.ts decides what to
 * write, and writeServers.ts writes it.
 */
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ImportedFile } from '../../host/import/importedServer.ts';
import { type ImportLocation, importLocations, maxBytesOf } from '../../host/import/locations.ts';
import { parseImport } from '../../host/import/parseImport.ts';

export interface FoundFile extends ImportedFile {
  readonly program: string;
  readonly path: string;
}

/** Files of a directory that are read at most. */
const maxFiles = 50;

/** Files with servers, or with problems; those of the workspace first. */
export async function findImports(userData: vscode.Uri | undefined): Promise<readonly FoundFile[]> {
  const found = await Promise.all(locationsHere(userData).map(readLocation));
  return found.flat().filter(({ servers, problems }) => servers.length > 0 || problems.length > 0);
}

/** Every known place on this machine and in these folders. */
export function locationsHere(userData: vscode.Uri | undefined): readonly ImportLocation[] {
  return importLocations({
    platform: process.platform,
    home: os.homedir(),
    env: process.env,
    folders: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
    ...(userData === undefined ? {} : { userData: userData.fsPath }),
  });
}

/** The files at one place; empty for none. */
export async function readLocation(location: ImportLocation): Promise<readonly FoundFile[]> {
  const { extensions } = location;
  if (extensions === undefined) {
    return readFile(location, location.path);
  }
  const names = await fs.readdir(location.path).catch(() => []);
  const files = names
    .filter((name) => extensions.some((extension) => name.endsWith(extension)))
    .toSorted()
    .slice(0, maxFiles)
    .map((name) => readFile(location, path.join(location.path, name)));
  return (await Promise.all(files)).flat();
}

async function readFile(location: ImportLocation, file: string): Promise<readonly FoundFile[]> {
  const { program, format, folder } = location;
  let text: string;
  try {
    const stat = await fs.stat(file);
    if (!stat.isFile()) {
      return []; // reading a pipe would never end
    }
    const maxBytes = maxBytesOf(location, file);
    if (stat.size > maxBytes) {
      const problems = [vscode.l10n.t('is not read: it is larger than {0} KiB', maxBytes / 1024)];
      return [{ program, path: file, servers: [], problems }];
    }
    text = await fs.readFile(file, 'utf8');
  } catch {
    return []; // most programs are not installed
  }
  const around = {
    platform: process.platform,
    env: process.env,
    ...(folder === undefined ? {} : { folder }),
  };
  return [{ program, path: file, ...parseImport(format, file, text, around) }];
}
