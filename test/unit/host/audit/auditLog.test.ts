import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEntry } from '../../../../src/host/audit/audit.ts';
import { auditLimits, AuditLog } from '../../../../src/host/audit/auditLog.ts';

const entry: AuditEntry = {
  event: 'toolCall',
  server: 'notes',
  scope: 'user',
  caller: 'model',
  tool: 'add_note',
  outcome: 'done',
  durationMs: 12,
  inputNames: ['text'],
  inputSize: 20,
  resultSize: 34,
};

const full = ' '.repeat(auditLimits.fileBytes);

describe('AuditLog', () => {
  let parent: string;
  let folder: string;

  beforeEach(async () => {
    parent = await mkdtemp(path.join(tmpdir(), 'audit-'));
    folder = path.join(parent, 'storage/audit');
  });

  afterEach(() => rm(parent, { recursive: true, force: true }));

  function open(workspace = 'work') {
    const failures: unknown[] = [];
    const log = new AuditLog({
      folder,
      workspace,
      now: () => new Date('2026-01-02T03:04:05.678Z'),
      onFailure: (error) => failures.push(error),
    });
    const record = async (...entries: readonly AuditEntry[]): Promise<void> => {
      entries.forEach((one) => log.record(one));
      await log.flush();
    };
    return { log, failures, record };
  }

  const fill = (file: string): Promise<void> => writeFile(path.join(folder, file), full);

  async function text(): Promise<string> {
    const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).toSorted();
    const texts = files.map((name) => readFile(path.join(folder, name), 'utf8'));
    return (await Promise.all(texts)).join('');
  }

  async function lines(): Promise<readonly Record<string, unknown>[]> {
    return (await text())
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line): Record<string, unknown> => JSON.parse(line));
  }

  it('HOST-07, TOOL-16: an entry is one line of JSON with its time and its workspace', async () => {
    const { log, record } = open();
    assert.deepEqual(await log.files(), []);
    await record(entry);
    assert.deepEqual(await lines(), [
      { time: '2026-01-02T03:04:05.678Z', workspace: 'work', ...entry },
    ]);
    assert.deepEqual(await log.files(), ['audit-000001.jsonl']);
    if (process.platform !== 'win32') {
      const { mode } = await stat(path.join(folder, 'audit-000001.jsonl'));
      assert.equal(mode & 0o077, 0);
    }
  });

  it('a full file is followed by the next, and the oldest goes; other files stay', async () => {
    const { log, record } = open();
    await record(entry);
    await writeFile(path.join(folder, 'readme.txt'), 'mine');
    for (let count = 0; count < auditLimits.files + 2; count += 1) {
      await fill((await log.files()).at(-1) ?? '');
      await record(entry);
    }
    const files = await log.files();
    assert.equal(files.length, auditLimits.files);
    assert.equal(files[0], 'audit-000004.jsonl');
    assert.equal(files.at(-1), 'audit-000013.jsonl');
    assert.equal(await readFile(path.join(folder, 'readme.txt'), 'utf8'), 'mine');
  });

  it('two windows write whole lines to the same file, and go on to the same next one', async () => {
    const [one, other] = [open('one'), open('other')];
    const many = async ({ record }: typeof one): Promise<void> => {
      for (let count = 0; count < 100; count += 1) {
        await record(entry);
      }
    };
    await Promise.all([many(one), many(other)]);
    const from = (await lines()).map(({ workspace }) => workspace);
    assert.equal(from.filter((workspace) => workspace === 'one').length, 100);
    assert.equal(from.filter((workspace) => workspace === 'other').length, 100);
    assert.deepEqual(await one.log.files(), ['audit-000001.jsonl']);
    await fill('audit-000001.jsonl');
    await one.record(entry);
    await other.record(entry);
    assert.deepEqual(await other.log.files(), ['audit-000001.jsonl', 'audit-000002.jsonl']);
  });

  it('a window whose file another one removed goes on in the newest', async () => {
    const [one, other] = [open('one'), open('other')];
    await one.record(entry);
    for (let count = 0; count < auditLimits.files; count += 1) {
      await fill((await other.log.files()).at(-1) ?? '');
      await other.record(entry);
    }
    await one.record(entry);
    const files = await one.log.files();
    assert.deepEqual([files[0], files.length], ['audit-000002.jsonl', auditLimits.files]);
    const newest = await readFile(path.join(folder, files.at(-1) ?? ''), 'utf8');
    assert.match(newest, /"other"[^]*"one"/);
  });

  it('HOST-08: a server that is refused without end takes no room from what others did', async () => {
    const { log, record } = open();
    const refused: AuditEntry = { ...entry, server: 'flood', outcome: 'refused' };
    const { refusalsPerMinute } = auditLimits;
    for (let count = 0; count < refusalsPerMinute + 5_000; count += 1) {
      log.record(refused);
    }
    await log.flush();
    await record({ ...refused, server: 'other' }, { ...entry, server: 'flood' });
    const all = await lines();
    const count = (server: string): number =>
      all.filter((line) => line['server'] === server).length;
    assert.deepEqual([count('flood'), count('other')], [refusalsPerMinute + 1, 1]);
    const lost = all.filter(({ event }) => event === 'lost');
    assert.deepEqual(
      lost.map((line) => line['count']),
      [5_000],
    );
  });

  it('a folder that cannot be written fails no caller, is told once, and the gap is told later', async () => {
    const { failures, record } = open();
    const obstacle = path.join(parent, 'storage');
    await writeFile(obstacle, '');
    await record(entry);
    await record(entry);
    assert.equal(failures.length, 1);
    await rm(obstacle);
    await record(entry);
    assert.deepEqual(
      (await lines()).map(({ event, count }) => [event, count]),
      [
        ['toolCall', undefined],
        ['lost', 2],
      ],
    );
  });

  it('a disk that does not answer costs lines, not memory', async () => {
    const { record } = open();
    const more = 5_000;
    await record(...Array.from({ length: auditLimits.pendingLines + more }, () => entry));
    const all = await lines();
    const [lost] = all.filter(({ event }) => event === 'lost').map(({ count }) => count);
    const kept = all.filter(({ event }) => event === 'toolCall').length;
    assert.equal(kept + Number(lost), auditLimits.pendingLines + more);
    assert.ok(kept <= auditLimits.pendingLines * 2);
  });

  it('HOST-07: entries are written together, and 200 ms later they are on the disk', async () => {
    const { log } = open();
    for (let count = 0; count < 3; count++) {
      log.record(entry);
      await delay(10);
      assert.deepEqual(await log.files(), []);
    }
    await delay(200);
    assert.equal((await lines()).length, 3);
  });

  it('HOST-06: a name is cut, ends no line, and hides nothing', async () => {
    const { record } = open();
    await record({ ...entry, tool: `a\nb\u202ec\u{e0041}${'x'.repeat(1_000)}` });
    const written = await text();
    assert.equal(written.split('\n').length, 2);
    assert.doesNotMatch(written, /[\u202e\u{e0041}]/u);
    assert.match(String((await lines())[0]?.['tool']), /^a\nb\u202ec\u{e0041}x+…$/u);
    assert.ok(written.length < 600);
  });
});
