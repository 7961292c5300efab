// Reads a VSIX (a zip file): list its entries, or write them to a folder. Enough of the format for what vsce writes:
// stored and deflated entries, no encryption, no zip64.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';

/** @returns {Promise<{ name: string, size: number, packed: number, read: () => Buffer }[]>} */
export async function readZip(file) {
  const bytes = await readFile(file);
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0) throw new Error(`${file} is not a zip file`);
  const entries = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const method = bytes.readUInt16LE(at + 10);
    const packed = bytes.readUInt32LE(at + 20);
    const size = bytes.readUInt32LE(at + 24);
    const nameLength = bytes.readUInt16LE(at + 28);
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const read = () => {
      const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
      const data = bytes.subarray(start, start + packed);
      return method === 0 ? data : inflateRawSync(data);
    };
    entries.push({ name, size, packed, read });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

/** Writes the entries below `prefix` (such as `extension/`) into `folder`. */
export async function unpack(file, prefix, folder) {
  for (const entry of await readZip(file)) {
    if (!entry.name.startsWith(prefix) || entry.name.endsWith('/')) continue;
    const target = path.resolve(folder, entry.name.slice(prefix.length));
    if (!target.startsWith(path.resolve(folder) + path.sep)) {
      throw new Error(`${file} has an entry outside its folder: ${entry.name}`);
    }
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, entry.read());
  }
}
