/** What there is in a window that has no server: the extension, its commands, and nothing else loaded. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import * as vscode from 'vscode';
import { isObject } from '../../src/base/json.ts';
import { commandId, commandNames, extensionId } from '../../src/vscode/ids.ts';
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

interface OwnMark {
  /** In the editor's time, in milliseconds. */
  readonly at: number;
  /** Milliseconds that the process has worked by then. */
  readonly cpuMs: number;
}

/** What the extension itself notes (src/vscode/activation/startMarks.ts). */
function ownMark(step: string): OwnMark {
  const [mark] = performance.getEntriesByName(`mcpHost/${step}`);
  assert.ok(mark instanceof PerformanceMark, `${step} was not noted`);
  const { detail } = mark;
  assert.ok(isObject(detail));
  return {
    at: performance.timeOrigin + mark.startTime,
    cpuMs: (Number(detail['user']) + Number(detail['system'])) / 1_000,
  };
}

/** The extension's files that are loaded. */
function loadedFiles(): readonly string[] {
  const own = join(extension().extensionPath, 'dist');
  return Object.keys(require.cache).filter((file) => dirname(file) === own);
}

/** How many times as long as a quiet machine of today this one takes to compile what is loaded to activate: at least 1. */
function slowness(): number {
  const text = readFileSync(join(extension().extensionPath, 'dist/extension.cjs'), 'utf8');
  const times = Array.from({ length: 5 }, (_, index) => {
    const start = performance.now();
    // Another text each time: compiled code is kept.
    const script = new Script(`${text}\n// ${index}`);
    assert.ok(script);
    return performance.now() - start;
  });
  const msPerKb = Math.min(...times) / (text.length / 1_000);
  return Math.max(1, msPerKb / quietMsPerKb);
}

const quietMsPerKb = 0.025;
/** Four times the goal of the benchmark, in milliseconds: there is one window, and none to try again with. */
const limitMs = 120;

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

  it('takes little time', function () {
    const loading = ownMark('loading');
    const active = ownMark('active');
    const loadMs = timeOf('didLoadExtensionCode') - timeOf('willLoadExtensionCode');
    const runMs = timeOf('didActivateExtension') - timeOf('willActivateExtension');
    const ownLoadMs = timeOf('didLoadExtensionCode') - loading.at;
    const ownRunMs = active.at - timeOf('willActivateExtension');
    const kb = loaded.reduce((sum, file) => sum + statSync(file).size, 0) / 1_000;
    const test = this.test;
    assert.ok(test);
    test.title += ` (${loadMs.toFixed(0)} ms to load the code, ${runMs.toFixed(0)} ms to run it`;
    // bench/activation.mjs reads this.
    test.title += `; of these from the first line to the last ${ownLoadMs.toFixed(1)} + ${ownRunMs.toFixed(1)} ms, ${kb.toFixed(1)} kB)`;
    // Whatever else has taken the machine meanwhile, the process has not worked longer than that.
    const ms = Math.min(ownLoadMs + ownRunMs, active.cpuMs - loading.cpuMs);
    const times = slowness();
    assert.ok(ms < limitMs * times, `${ms} ms, on a machine that takes ${times} times as long`);
  });
});
