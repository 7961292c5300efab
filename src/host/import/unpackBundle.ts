/** Unpacks an MCPB bundle, which is a zip file, into a folder of its own. Nothing of a bundle that is refused stays. */
import { t } from '../../base/l10n.ts';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { toError } from '../../base/async.ts';
import { isObject, isString } from '../../base/json.ts';
import { isMcpError, McpError } from '../../mcp/errors.ts';
import { readJson } from './readText.ts';

export const bundleLimits = {
  /** Bytes of the file. */
  packedBytes: 256 * 1024 * 1024,
  files: 8_000,
  /** Bytes of all files. */
  bytes: 1024 * 1024 * 1024,
  manifestBytes: 1024 * 1024,
} as const;

/** A bundle whose files are in a folder. */
export interface BundleFiles {
  readonly folder: string;
  readonly manifest: unknown;
}

export interface UnpackedBundle extends BundleFiles {
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly digest: string;
  /** The folder was not there before. */
  readonly isNew: boolean;
}

/** Of the digest, in the name of its folder. */
const nameChars = 32;

/**
 * @param storage folder of unpacked bundles, each under its digest
 * @param expected digest that a registry names
 * @throws McpError `invalidConfig` for a file that is no bundle, is beyond {@link bundleLimits}, would write outside of its
 *   folder, has links in it, or has another digest
 */
export async function unpackBundle(
  file: string,
  storage: string,
  expected?: string,
): Promise<UnpackedBundle> {
  try {
    const { size } = await stat(file);
    demand(
      size <= bundleLimits.packedBytes,
      t('is larger than {0}', megabytes(bundleLimits.packedBytes)),
    );
    const digest = await digestOf(file);
    demand(
      expected === undefined || expected.toLowerCase() === digest,
      t('has the SHA-256 {0}, where {1} was expected', digest, expected ?? ''),
    );
    await mkdir(storage, { recursive: true });
    const folder = path.join(storage, digest.slice(0, nameChars));
    const staging = await mkdtemp(path.join(storage, '.new-'));
    try {
      await unpack(file, staging);
      const manifest = await readManifest(staging);
      const isNew = await stat(folder).then(
        () => false,
        () => true,
      );
      // Also over an earlier one: its files may have been changed since.
      await rm(folder, { recursive: true, force: true });
      await rename(staging, folder);
      return { folder, digest, manifest, isNew };
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  } catch (error) {
    const why = isMcpError(error)
      ? error.message
      : t('cannot be unpacked: {0}', toError(error).message);
    throw new McpError('invalidConfig', `${path.basename(file)} ${why}`, { cause: error });
  }
}

/**
 * The bundle whose files an entry runs.
 * @param entry of `mcpHost.servers`
 * @param storage as for {@link unpackBundle}
 */
export async function bundleOf(entry: unknown, storage: string): Promise<BundleFiles | undefined> {
  const { command, args } = isObject(entry) ? entry : {};
  const below = storage + path.sep;
  for (const text of [command, args].flat().filter(isString)) {
    const name = text.split(below)[1]?.slice(0, nameChars) ?? '';
    if (/^[a-f\d]{32}$/u.test(name)) {
      const folder = below + name;
      const manifest = await readManifest(folder).catch(() => undefined);
      return manifest === undefined ? undefined : { folder, manifest };
    }
  }
  return undefined;
}

function demand(isTrue: boolean, otherwise: string): void {
  if (!isTrue) {
    throw new McpError('invalidConfig', otherwise);
  }
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function unpack(file: string, folder: string): Promise<void> {
  // Refuses names that lead out of the folder, and contents of another size than was said.
  const zip = await openPromise(file, { strictFileNames: true });
  let files = 0;
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    files += 1;
    bytes += entry.uncompressedSize;
    demand(files <= bundleLimits.files, t('has more than {0} files', bundleLimits.files));
    demand(bytes <= bundleLimits.bytes, t('takes more than {0}', megabytes(bundleLimits.bytes)));
    await writeEntry(zip, entry, folder);
  }
}

const typeBits = 0o170_000;
const regularFile = 0o100_000;
const execution = 0o111;

async function writeEntry(zip: ZipFile, entry: Entry, folder: string): Promise<void> {
  const { fileName } = entry;
  const target = path.join(folder, fileName);
  if (fileName.endsWith('/')) {
    await mkdir(target, { recursive: true });
    return;
  }
  const mode = entry.externalFileAttributes >>> 16;
  const type = mode & typeBits;
  demand(type === 0 || type === regularFile, t('has a link or a device in it: {0}', fileName));
  await mkdir(path.dirname(target), { recursive: true });
  const isProgram = (mode & execution) !== 0;
  const input = await zip.openReadStreamPromise(entry);
  // After that, so that nobody misses its error. A second entry of the same name does not take the place of the first.
  const output = createWriteStream(target, { flags: 'wx', mode: isProgram ? 0o755 : 0o644 });
  await pipeline(input, output);
}

async function readManifest(folder: string): Promise<unknown> {
  const file = path.join(folder, 'manifest.json');
  const size = await stat(file).then(
    (found) => found.size,
    () => Infinity,
  );
  demand(size <= bundleLimits.manifestBytes, t('has no manifest.json'));
  const read = readJson(await readFile(file, 'utf8'));
  if ('problem' in read) {
    throw new McpError('invalidConfig', t('has a manifest.json that {0}', read.problem));
  }
  return read.value;
}

function megabytes(bytes: number): string {
  return `${bytes / 1024 / 1024} MiB`;
}
