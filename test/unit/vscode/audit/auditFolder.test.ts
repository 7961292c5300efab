import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { auditFolder } from '../../../../src/vscode/audit/auditFolder.ts';

describe('auditFolder', () => {
  let parent: string;

  beforeEach(async () => {
    parent = await mkdtemp(path.join(tmpdir(), 'audit-'));
  });

  afterEach(() => rm(parent, { recursive: true, force: true }));

  it('is empty before anything is recorded, and made with the first line, for its user alone', async () => {
    const place = path.join(parent, 'storage/audit');
    const folder = auditFolder(place);
    assert.deepEqual(await folder.list(), []);
    await folder.append('audit-000001.jsonl', '{}\n');
    assert.deepEqual(await folder.list(), [{ name: 'audit-000001.jsonl', size: 3 }]);
    if (process.platform !== 'win32') {
      const { mode } = await stat(path.join(place, 'audit-000001.jsonl'));
      assert.equal(mode & 0o077, 0);
    }
    await folder.remove('audit-000001.jsonl');
    await folder.remove('audit-000001.jsonl');
    assert.deepEqual(await folder.list(), []);
  });

  it('two windows that write at the same time leave whole lines', async () => {
    const windows = ['one', 'other'].map((name) => ({ name, folder: auditFolder(parent) }));
    await Promise.all(
      windows.flatMap(({ name, folder }) =>
        Array.from({ length: 100 }, (_, index) =>
          folder.append('audit-000001.jsonl', `${JSON.stringify({ name, index })}\n`),
        ),
      ),
    );
    const text = await readFile(path.join(parent, 'audit-000001.jsonl'), 'utf8');
    const lines = text.trimEnd().split('\n');
    assert.equal(new Set(lines).size, 200);
    assert.ok(lines.every((line) => JSON.stringify(JSON.parse(line)) === line));
  });

  it('says so when it cannot write', async () => {
    const file = path.join(parent, 'file');
    await writeFile(file, '');
    await assert.rejects(auditFolder(file).append('audit-000001.jsonl', '{}\n'));
  });
});
