/** What there is in a window that has no server: the extension, its commands, and nothing else loaded. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { isObject } from '../../src/base/json.ts';
import { commandId, commandNames, extensionId } from '../../src/vscode/ids.ts';
import { clear, configure, extension, probe, servers, until, untilState } from './support/host.ts';

/** What the extension host notes of each extension that it activates: no API tells it, the editor keeps it here. */
function timeOf(name: string): number {
  const whole = `code/extHost/${name}/${extensionId}`;
  const keeper: unknown = Reflect.get(globalThis, 'MonacoPerformanceMarks');
  assert.ok(isObject(keeper) && typeof keeper['getMarks'] === 'function');
  const marks: unknown = keeper['getMarks']();
  assert.ok(Array.isArray(marks));
  const found: unknown = marks.find((mark: unknown) => isObject(mark) && mark['name'] === whole);
  assert.ok(isObject(found) && typeof found['startTime'] === 'number', `${whole} was not noted`);
  return found['startTime'];
}

/** When the extension itself notes a step (src/vscode/activation/startMarks.ts), in the editor's time in milliseconds. */
function ownTimeOf(step: string): number {
  const [mark] = performance.getEntriesByName(`mcpHost/${step}`);
  assert.ok(mark, `${step} was not noted`);
  return performance.timeOrigin + mark.startTime;
}

/** The extension's files that are loaded. */
function loadedFiles(): readonly string[] {
  const own = join(extension().extensionPath, 'dist');
  return Object.keys(require.cache).filter((file) => dirname(file) === own);
}

describe('activation', () => {
  let loaded: readonly string[];

  before(async () => {
    await until('the extension', () => extension().isActive);
    // Before anything else: soon after the start the settings files are looked at, which loads more.
    loaded = loadedFiles();
    await clear();
  });

  it('is active after the start of the window, without a server (@smoke)', () => {
    assert.deepEqual(servers(), []);
  });

  it('has registered every command (@smoke)', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = commandNames.map(commandId).filter((id) => !registered.has(id));
    assert.deepEqual(missing, []);
  });

  it('has loaded neither the protocol nor the schema checker', () => {
    const names = loaded.map((file) => basename(file));
    assert.ok(names.includes('extension.cjs'), names.join());
    for (const later of ['servers.cjs', 'workbench.cjs', 'schemas.cjs', 'chat.cjs']) {
      assert.ok(!names.includes(later), names.join());
    }
  });

  it('starts a server without what views and questions need', async () => {
    await configure({ started: probe() });
    await untilState('started', 'ready');
    const names = loadedFiles().map((file) => basename(file));
    assert.ok(names.includes('servers.cjs'), names.join());
    for (const later of ['workbench.cjs', 'chat.cjs']) {
      assert.ok(!names.includes(later), names.join());
    }
    await clear();
  });

  it('says what it takes', function () {
    const loadMs = timeOf('didLoadExtensionCode') - timeOf('willLoadExtensionCode');
    const runMs = timeOf('didActivateExtension') - timeOf('willActivateExtension');
    const ownLoadMs = timeOf('didLoadExtensionCode') - ownTimeOf('loading');
    const ownRunMs = ownTimeOf('active') - timeOf('willActivateExtension');
    const kb = loaded.reduce((sum, file) => sum + statSync(file).size, 0) / 1_000;
    const test = this.test;
    assert.ok(test);
    test.title += ` (${loadMs.toFixed(0)} ms to load the code, ${runMs.toFixed(0)} ms to run it`;
    // bench/activation.mjs reads this. It is judged there: suites that run beside this one take time, too.
    test.title += `; of these from the first line to the last ${ownLoadMs.toFixed(1)} + ${ownRunMs.toFixed(1)} ms, ${kb.toFixed(1)} kB)`;
    assert.ok(ownLoadMs > 0 && ownRunMs > 0);
  });
});
