/** A zip file of stored entries, as a hostile hand writes it: names and modes are not checked. */
import { crc32 } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly text?: string;
  /** As of a file in Unix; default: of a regular file. */
  readonly mode?: number;
  /** The size that is said, of a text that is said to be deflated. */
  readonly size?: number;
}

export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, text = '', mode = 0o100_644, size } of entries) {
    const [nameBytes, data] = [Buffer.from(name), Buffer.from(text)];
    // From the version to the length of the extra field: the same in both headers.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(size === undefined ? 0 : 8, 4);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(size ?? data.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const record = Buffer.alloc(14);
    record.writeUInt32LE((mode << 16) >>> 0, 6);
    record.writeUInt32LE(at, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, nameBytes, data]);
    parts.push(local);
    central.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, record, nameBytes]),
    );
    at += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, directory, end]);
}
