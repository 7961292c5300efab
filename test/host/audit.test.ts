/** The audit as it is in the extension's storage, seen through the command that exports it. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { isObject } from '../../src/base/json.ts';
import { commandId } from '../../src/vscode/ids.ts';
import { clear, configure, probe, untilState } from './support/host.ts';

async function exported(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'audit-'));
  try {
    const file = path.join(folder, 'audit.jsonl');
    await vscode.commands.executeCommand(commandId('exportAuditLog'), vscode.Uri.file(file));
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    return lines.map((line): unknown => JSON.parse(line)).filter(isObject);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('audit', () => {
  before(clear);
  after(clear);

  it('HOST-07: a start leaves its line, and the newest file opens to be read alone', async () => {
    await configure({ audited: probe() });
    await untilState('audited', 'ready');
    const line = (await exported()).find(({ server }) => server === 'audited');
    assert.equal(line?.['event'], 'start');
    assert.equal(line?.['outcome'], 'allowed');
    assert.equal(line?.['by'], 'rule');
    await vscode.commands.executeCommand(commandId('openAuditLog'));
    const shown = vscode.window.activeTextEditor?.document;
    assert.match(shown?.fileName ?? '', /audit-\d{6}\.jsonl$/);
    assert.match(shown?.getText() ?? '', /"server":"audited"/);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
