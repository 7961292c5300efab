/**
 * Looks for secrets in whatever a run leaves behind: in any file, as they are and in the forms that
 * programs give to texts. Says where, never what. Compressed and encrypted files are not opened.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The paths of files below `folders` that hold one of `secrets`, each of which has 8 characters at least. */
export async function filesThatHold(
  secrets: Iterable<string>,
  folders: readonly string[],
  isSkipped: (file: string) => boolean = () => false,
): Promise<readonly string[]> {
  const holdsOne = searchFor([...secrets].flatMap((secret) => formsOf(secret)));
  const found: string[] = [];
  for (const folder of folders) {
    for (const file of await filesIn(folder, isSkipped)) {
      const content = await readFile(file).catch(() => undefined); // it may have gone meanwhile
      if (content !== undefined && holdsOne(content)) {
        found.push(file);
      }
    }
  }
  return found.toSorted();
}

/** One pass, however many forms there are: they are told by their first four bytes. */
function searchFor(forms: readonly Buffer[]): (content: Buffer) => boolean {
  const byStart = Map.groupBy(forms, (form) => form.readUInt32BE(0));
  const mayStart = new Uint8Array(0x1_00_00);
  for (const start of byStart.keys()) {
    mayStart[shortened(start)] = 1;
  }
  return (content) => {
    let last = 0;
    for (let index = 0; index < content.length; index += 1) {
      last = ((last << 8) | (content[index] ?? 0)) >>> 0;
      if (mayStart[shortened(last)] === 1) {
        const rest = content.subarray(Math.max(0, index - 3));
        const isHeld = byStart
          .get(last)
          ?.some((form) => rest.subarray(0, form.length).equals(form));
        if (isHeld === true) {
          return true;
        }
      }
    }
    return false;
  };
}

function shortened(start: number): number {
  return (start ^ (start >>> 16)) & 0xff_ff;
}

async function filesIn(
  folder: string,
  isSkipped: (file: string) => boolean,
): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files: string[] = [];
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (isSkipped(file)) {
      continue;
    }
    if (entry.isDirectory()) {
      files.push(...(await filesIn(file, isSkipped)));
    } else if (entry.isFile()) {
      files.push(file);
    }
  }
  return files;
}

/** As text, in the editor's two-byte texts, in a URL, in hexadecimal, and within anything in base64. */
function formsOf(secret: string): readonly Buffer[] {
  const text = Buffer.from(secret);
  const forms = new Set([
    secret,
    Buffer.from(secret, 'utf16le').toString('latin1'),
    encodeURIComponent(secret),
    text.toString('hex'),
  ]);
  // Where it begins within what was encoded decides its characters, all but those that it shares.
  for (const before of [0, 1, 2]) {
    const whole = Buffer.concat([Buffer.alloc(before), text]);
    const own = [Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6)] as const;
    forms.add(whole.toString('base64').slice(...own));
    forms.add(whole.toString('base64url').slice(...own));
  }
  return [...forms].map((form) => Buffer.from(form, 'latin1'));
}
