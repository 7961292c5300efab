import assert from 'node:assert/strict';
import type { AuditEntry } from '../../../../src/host/audit/audit.ts';
import { type AuditFolder, auditLimits, AuditLog } from '../../../../src/host/audit/auditLog.ts';
import { deferred } from '../../../support/deferred.ts';

/** Files in memory; several logs may share one, as windows do. */
class FakeFolder implements AuditFolder {
  readonly files = new Map<string, string>();
  failure: Error | undefined;
  gate: Promise<void> = Promise.resolve();
  appends = 0;

  async list(): Promise<readonly { name: string; size: number }[]> {
    await this.gate;
    return [...this.files].map(([name, text]) => ({ name, size: Buffer.byteLength(text) }));
  }

  async append(name: string, text: string): Promise<void> {
    if (this.failure !== undefined) {
      throw this.failure;
    }
    this.appends += 1;
    this.files.set(name, (this.files.get(name) ?? '') + text);
  }

  async remove(name: string): Promise<void> {
    this.files.delete(name);
  }

  get lines(): readonly Record<string, unknown>[] {
    return [...this.files.values()]
      .flatMap((text) => text.split('\n').filter((line) => line !== ''))
      .map((line): Record<string, unknown> => JSON.parse(line));
  }
}

const byText = (a: string, b: string): number => a.localeCompare(b);

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

function logOver(folder: FakeFolder, workspace = 'work') {
  const failures: unknown[] = [];
  const log = new AuditLog({
    folder,
    source: { workspace },
    now: () => new Date('2026-01-02T03:04:05.678Z'),
    onFailure: (error) => failures.push(error),
  });
  return { log, failures };
}

describe('AuditLog', () => {
  it('HOST-07, TOOL-16: an entry is one line of JSON with its time and its workspace', async () => {
    const folder = new FakeFolder();
    const { log } = logOver(folder);
    log.record(entry);
    await log.flush();
    assert.deepEqual(folder.lines, [
      { time: '2026-01-02T03:04:05.678Z', workspace: 'work', ...entry },
    ]);
    assert.deepEqual(await log.files(), ['audit-000001.jsonl']);
  });

  it('what comes while a write is under way goes together with the next', async () => {
    const folder = new FakeFolder();
    const gate = deferred<void>();
    folder.gate = gate.promise;
    const { log } = logOver(folder);
    for (let count = 0; count < 100; count += 1) {
      log.record(entry);
    }
    assert.equal(folder.appends, 0);
    gate.resolve();
    await log.flush();
    assert.equal(folder.lines.length, 100);
    assert.equal(folder.appends, 2);
  });

  it('a full file is followed by the next, and the oldest goes; other files stay', async () => {
    const folder = new FakeFolder();
    folder.files.set('readme.txt', 'mine');
    const { log } = logOver(folder);
    for (let count = 0; count < auditLimits.files + 3; count += 1) {
      const newest = (await log.files()).at(-1);
      if (newest !== undefined) {
        folder.files.set(newest, ' '.repeat(auditLimits.fileBytes));
      }
      log.record(entry);
      await log.flush();
    }
    const files = await log.files();
    assert.equal(files.length, auditLimits.files);
    assert.equal(files[0], 'audit-000004.jsonl');
    assert.equal(files.at(-1), 'audit-000013.jsonl');
    assert.equal(folder.files.get('readme.txt'), 'mine');
  });

  it('two windows write whole lines to the same file, and go on to the same next one', async () => {
    const folder = new FakeFolder();
    const [one, other] = [logOver(folder, 'one').log, logOver(folder, 'other').log];
    for (const log of [one, other, one, other]) {
      log.record(entry);
    }
    await Promise.all([one.flush(), other.flush()]);
    assert.deepEqual(folder.lines.map(({ workspace }) => String(workspace)).toSorted(byText), [
      'one',
      'one',
      'other',
      'other',
    ]);
    folder.files.set('audit-000001.jsonl', ' '.repeat(auditLimits.fileBytes));
    one.record(entry);
    await one.flush();
    other.record(entry);
    await other.flush();
    assert.deepEqual(await other.files(), ['audit-000001.jsonl', 'audit-000002.jsonl']);
  });

  it('HOST-08: a server that is refused without end takes no room from what others did', async () => {
    const folder = new FakeFolder();
    const { log } = logOver(folder);
    const refused: AuditEntry = { ...entry, server: 'flood', outcome: 'refused' };
    const { refusalsPerMinute } = auditLimits;
    for (let count = 0; count < refusalsPerMinute + 5_000; count += 1) {
      log.record(refused);
      await log.flush();
    }
    log.record({ ...refused, server: 'other' });
    log.record({ ...entry, server: 'flood' });
    await log.flush();
    const { lines } = folder;
    assert.equal(lines.length, refusalsPerMinute + 3);
    assert.deepEqual(
      lines.slice(refusalsPerMinute).map(({ event, server, count }) => [event, server, count]),
      [
        ['toolCall', 'other', undefined],
        ['lost', undefined, 5_000],
        ['toolCall', 'flood', undefined],
      ],
    );
  });

  it('a folder that cannot be written fails no caller, is told once, and the gap is told later', async () => {
    const folder = new FakeFolder();
    const { log, failures } = logOver(folder);
    folder.failure = new Error('disk full');
    log.record(entry);
    await log.flush();
    log.record(entry);
    await log.flush();
    assert.deepEqual(failures, [folder.failure]);
    folder.failure = undefined;
    log.record(entry);
    await log.flush();
    assert.deepEqual(
      folder.lines.map(({ event, count }) => [event, count]),
      [
        ['toolCall', undefined],
        ['lost', 2],
      ],
    );
  });

  it('a disk that does not answer costs lines, not memory', async () => {
    const folder = new FakeFolder();
    const gate = deferred<void>();
    folder.gate = gate.promise;
    const { log } = logOver(folder);
    const more = 500;
    for (let count = 0; count < auditLimits.pendingLines + more; count += 1) {
      log.record(entry);
    }
    gate.resolve();
    await log.flush();
    const lost = folder.lines.filter(({ event }) => event === 'lost').map(({ count }) => count);
    const kept = folder.lines.filter(({ event }) => event === 'toolCall').length;
    assert.equal(kept + Number(lost[0]), auditLimits.pendingLines + more);
    assert.ok(kept <= auditLimits.pendingLines + 1);
  });

  it('HOST-06: a name is cut, ends no line, and hides nothing', async () => {
    const folder = new FakeFolder();
    const { log } = logOver(folder);
    log.record({ ...entry, tool: `a\nb\u202ec\u{e0041}${'x'.repeat(1_000)}` });
    await log.flush();
    const [text = ''] = folder.files.values();
    assert.equal(text.split('\n').length, 2);
    assert.doesNotMatch(text, /[\u202e\u{e0041}]/u);
    assert.match(String(folder.lines[0]?.['tool']), /^a\nb\u202ec\u{e0041}x+…$/u);
    assert.ok(text.length < 600);
  });
});
