// `npm test`: installs what is missing and runs the suites, two at a time. A suite that passes takes one line, and one for
// each file of browser tests that needed a second try; of one that fails the whole output is shown. The last line is the
// total over all tests. With `--all` (`npm run test:all`), suites run whole: every variant in the browser, every revision
// of the conformance suite, and the oldest editor.
//   npm test [-- [--all] SUITE …]   check, unit, protocol, fuzz, faults, soak, bench, host, browser,
//                                   editorBench, smoke
import { mkdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { packageExtension } from './package.mjs';
import { provisionBrowser } from './provision/browser.mjs';
import { provisionEditor } from './provision/editor.mjs';
import { provisionSandbox } from './provision/sandbox.mjs';
import { printFailure, say, seconds, step } from './support/output.mjs';
import { must, projectEnv, run } from './support/processes.mjs';
import { localNode, nodeModules, results, root } from './support/project.mjs';
import { runOnLocalNode } from './support/runtime.mjs';

const minute = 60_000;
const bin = (...parts) => path.join(nodeModules, ...parts);

/** For suites of many files that have nothing in common: one that waits lets another one run. */
const sideBySide = ['--parallel', '--jobs', String(Math.max(2, availableParallelism()))];

/** @type {Record<string, { commands: string[][], limitMs: number, counts: boolean, needsEditor?: boolean, isOnlyInAll?: boolean }>} */
const suites = {
  check: {
    commands: [['check-types'], ['lint'], ['format:check']],
    limitMs: 10 * minute,
    counts: false,
  },
  unit: {
    commands: [mocha('test/unit/**/*.test.ts', ...sideBySide)],
    limitMs: 10 * minute,
    counts: true,
  },
  protocol: {
    commands: [mocha('test/protocol/**/*.test.ts', ...sideBySide)],
    limitMs: 30 * minute,
    counts: true,
  },
  fuzz: { commands: [mocha('test/fuzz/**/*.test.ts')], limitMs: 10 * minute, counts: true },
  faults: { commands: [mocha('test/faults/**/*.test.ts')], limitMs: 10 * minute, counts: true },
  soak: { commands: [mocha('test/soak/**/*.test.ts')], limitMs: 10 * minute, counts: true },
  bench: {
    commands: [mocha('test/bench/**/*.test.mjs')],
    limitMs: 10 * minute,
    counts: true,
    needsEditor: true,
  },
  host: suiteOf('test/run/hostWeb.mjs', 20),
  browser: suiteOf('test/run/browser.mjs', 50),
  editorBench: { ...suiteOf('bench/editor/main.mjs', 10, '--quick'), isOnlyInAll: true },
  // The oldest editor.
  smoke: { ...suiteOf('test/run/hostWeb.mjs', 10, '--oldest'), isOnlyInAll: true },
};

/**
 * What runs after each other. The suites of a stage run two at a time, the longest first: those in an editor mostly wait.
 * The unit tests, which keep all cores busy and have limits of seconds, the faults, whose servers send as much as they can,
 * and the benchmark have the machine for themselves.
 */
const stages = [
  ['check'],
  ['browser', 'protocol', 'host', 'fuzz', 'soak', 'smoke'],
  ['unit'],
  ['faults'],
  ['bench'],
  ['editorBench'],
];

await runOnLocalNode(async (args) => {
  const isAll = args.includes('--all');
  const named = args.filter((arg) => arg !== '--all');
  const daily = Object.keys(suites).filter((name) => isAll || suites[name].isOnlyInAll !== true);
  const chosen = named.length > 0 ? named : daily;
  // Read by the tests themselves.
  if (isAll) process.env.MCP_HOST_TESTS = 'all';
  const unknown = chosen.filter((name) => !(name in suites));
  if (unknown.length > 0) {
    say(`There is no suite ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}.`);
    return 1;
  }
  await rm(results, { recursive: true, force: true });
  await mkdir(results, { recursive: true });
  const total = { passed: 0, failed: 0, skipped: 0 };
  const isReady = !chosen.some((name) => suites[name].needsEditor) || (await prepare(chosen));
  // What cannot be had is said here, and the tests that need it fail.
  if (chosen.includes('protocol')) await provisionSandbox().catch(printFailure);
  const runEach = async (names) => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      // It has been said why an editor is missing; as many failures as there are suites that could not run.
      const canRun = isReady || !suites[name].needsEditor;
      const counts = canRun ? await runSuite(name) : { passed: 0, failed: 1, skipped: 0 };
      for (const key of Object.keys(total)) total[key] += counts[key];
    }
  };
  for (const stage of stages) {
    const names = stage.filter((name) => chosen.includes(name));
    await Promise.all([runEach(names), runEach(names)]);
  }
  say(`\n${describe(total)}`);
  return total.failed > 0 ? 1 : 0;
});

/** What runs in an editor needs the packed extension, the editors and a browser. */
async function prepare(chosen) {
  try {
    await provisionBrowser();
    if (chosen.some((name) => ['host', 'browser', 'bench'].includes(name))) {
      await provisionEditor('newest');
    }
    if (chosen.includes('smoke')) await provisionEditor('oldest');
    await step('Packing the extension and building the host tests', async () => {
      await packageExtension();
      await must('Building the host tests', localNode, ['esbuild.mjs', '--tests'], {
        env: projectEnv(),
      });
    });
    return true;
  } catch (error) {
    printFailure(error);
    return false;
  }
}

async function runSuite(name) {
  const { commands, limitMs, counts } = suites[name];
  const started = Date.now();
  const countsFile = path.join(results, `${name}.json`);
  const log = path.join(results, `${name}.log`);
  const env = projectEnv({ MCP_HOST_TEST_COUNTS: countsFile });
  const total = { passed: 0, failed: 0, skipped: 0 };
  let output = '';
  let isGood = true;
  for (const command of commands) {
    const [program, ...args] = counts ? [localNode, ...command] : [localNode, '--run', ...command];
    const ended = await run(program, args, { env, log, timeoutMs: limitMs, graceMs: 25_000 });
    output += ended.output;
    isGood &&= ended.code === 0;
  }
  const { secondTries = [], ...numbers } = counts ? await readCounts(countsFile) : {};
  Object.assign(total, numbers);
  if (counts && total.passed + total.failed === 0) {
    output += '\nNo test has run.\n';
    isGood = false;
  }
  // A suite can fail without a failed test: a type error, a crash, a time limit.
  if (!isGood && total.failed === 0) total.failed = 1;
  if (Date.now() - started > limitMs) output += `\nStopped after ${limitMs / minute} minutes.\n`;
  if (total.failed > 0) {
    say(`${output.trimEnd()}\n`);
    say(`${name} FAILED, ${describe(total)}, ${seconds(started)}`);
  } else {
    say(`${name}: ${counts ? describe(total) : 'good'}, ${seconds(started)}`);
  }
  for (const line of secondTries) say(`  needed a second try: ${line}`);
  return total;
}

async function readCounts(file) {
  try {
    const { passed, failed, skipped, secondTries } = JSON.parse(await readFile(file, 'utf8'));
    return { passed, failed, skipped, secondTries };
  } catch {
    // It broke off before its end.
    return {};
  }
}

function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

function mocha(files, ...flags) {
  return [bin('mocha', 'bin', 'mocha.js'), '--reporter', reporter(), ...flags, files];
}

function reporter() {
  return path.join(root, 'test/run/reporter.cjs');
}

function suiteOf(script, minutes, ...flags) {
  return {
    commands: [[path.join(root, script), '--no-build', ...flags]],
    limitMs: minutes * minute,
    counts: true,
    needsEditor: true,
  };
}
