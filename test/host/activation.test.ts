/** What there is in a window that has no server: the extension, its commands, and nothing else loaded. */
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { isObject } from '../../src/base/json.ts';
import { commandIds, extensionId } from '../../src/vscode/ids.ts';
import { clear, extension, servers, until } from './support/host.ts';

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

/** What the extension itself notes (src/vscode/startMarks.ts), in the editor's time. */
function ownTimeOf(step: string): number {
  const [mark] = performance.getEntriesByName(`mcpHost/${step}`);
  assert.ok(mark, `${step} was not noted`);
  return performance.timeOrigin + mark.startTime;
}

describe('activation', () => {
  before(clear);

  it('is active after the start of the window, without a server (@smoke)', async () => {
    await until('the extension', () => extension().isActive);
    assert.deepEqual(servers(), []);
  });

  it('has registered every command (@smoke)', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = Object.values(commandIds).filter((id) => !registered.has(id));
    assert.deepEqual(missing, []);
  });

  it('has loaded neither the protocol nor the schema checker', () => {
    const own = extension().extensionPath;
    const loaded = Object.keys(require.cache)
      .filter((file) => file.startsWith(own))
      .map((file) => basename(file));
    assert.ok(loaded.includes('extension.cjs'), loaded.join());
    assert.ok(!loaded.includes('protocol.cjs'), loaded.join());
    assert.ok(!loaded.includes('schemas.cjs'), loaded.join());
    assert.ok(!loaded.includes('chat.cjs'), loaded.join());
    assert.ok(!loaded.includes('bridge.cjs'), loaded.join());
  });

  it('takes little time', function () {
    const loadMs = timeOf('didLoadExtensionCode') - timeOf('willLoadExtensionCode');
    const runMs = timeOf('didActivateExtension') - timeOf('willActivateExtension');
    const ownLoadMs = timeOf('didLoadExtensionCode') - ownTimeOf('loading');
    const ownRunMs = ownTimeOf('active') - timeOf('willActivateExtension');
    const test = this.test;
    assert.ok(test);
    test.title += `: ${loadMs.toFixed(0)} ms to load the code, ${runMs.toFixed(0)} ms to run it`;
    // bench/activation.mjs reads this.
    test.title += `; of these from the first line to the last ${ownLoadMs.toFixed(1)} + ${ownRunMs.toFixed(1)} ms`;
    assert.ok(loadMs + runMs < 2_000, `${loadMs + runMs} ms`);
  });
});
