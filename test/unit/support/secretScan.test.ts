import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { filesThatHold } from '../../support/secretScan.ts';

const secret = 'wQ7-f_aZ0+/9~x.Lk2mN4pR6';

describe('filesThatHold', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'secret-scan-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  for (const [form, write] of [
    ['as it is', (text) => text],
    ['in two bytes a character', (text) => Buffer.from(text, 'utf16le')],
    ['in the query of a URL', (text) => encodeURIComponent(text)],
    ['in hexadecimal', (text) => Buffer.from(text).toString('hex')],
    ['in base64', (text) => Buffer.from(text).toString('base64')],
    ['in base64, a byte further', (text) => Buffer.from(`x${text}y`).toString('base64')],
    ['in base64, two bytes further', (text) => Buffer.from(`xx${text}yy`).toString('base64')],
    ['in base64url', (text) => Buffer.from(`{"a":"${text}"}`).toString('base64url')],
  ] as const satisfies readonly (readonly [string, (text: string) => string | Buffer])[]) {
    it(`finds one in the middle of a file: ${form}`, async () => {
      const file = path.join(folder, 'deep', 'state.vscdb');
      await mkdir(path.dirname(file));
      const around = Buffer.from([0, 255, 7]);
      await writeFile(file, Buffer.concat([around, Buffer.from(write(secret)), around]));
      await writeFile(path.join(folder, 'other.log'), write(secret.toLowerCase()));
      assert.deepEqual(await filesThatHold(['another', secret], [folder]), [file]);
      assert.deepEqual(await filesThatHold([secret], [folder], (at) => at.endsWith('deep')), []);
    });
  }

  it('looks at nothing where there is nothing', async () => {
    assert.deepEqual(await filesThatHold([secret], [path.join(folder, 'none')]), []);
  });
});
