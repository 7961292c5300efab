// `npm test`: installs what is missing and runs the suites, two at a time. A suite that passes takes one line, one for each
// job whose clicks and keys it counted, and one for each file that needed a second try; of one that fails the whole output is
// shown. The last line is the total over all tests. With `--all` (`npm run test:all`), those run that `npm test` leaves out:
// every variant in the browser, every revision of the conformance suite, the longest loads, the benchmark in an editor, and
// the oldest editor.
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
import { filesLeftOut } from '../test/run/leftOut.mjs';
import { bothTries, describeFailures, filesToTryAgain } from '../test/run/secondTry.mjs';

const minute = 60_000;
const bin = (...parts) => path.join(nodeModules, ...parts);

/** For suites of many files that have nothing in common: one that waits lets another one run. */
const sideBySide = ['--parallel', '--jobs', String(Math.max(2, availableParallelism()))];

/** @type {Record<string, { commands: string[][], isMocha?: boolean, limitMs: number, counts: boolean, needsEditor?: boolean }>} */
const suites = {
  check: {
    commands: [['check-types'], ['lint'], ['format:check']],
    limitMs: 10 * minute,
    counts: false,
  },
  unit: mochaSuite('test/unit/**/*.test.ts', 10, ...sideBySide),
  protocol: mochaSuite('test/protocol/**/*.test.ts', 30, ...sideBySide),
  fuzz: mochaSuite('test/fuzz/**/*.test.ts', 10),
  faults: mochaSuite('test/faults/**/*.test.ts', 10),
  soak: mochaSuite('test/soak/**/*.test.ts', 10),
  bench: { ...mochaSuite('test/bench/**/*.test.mjs', 10), needsEditor: true },
  host: suiteOf('test/run/hostWeb.mjs', 20),
  browser: suiteOf('test/run/browser.mjs', 50),
  editorBench: suiteOf('bench/editor/main.mjs', 10, '--quick'),
  // The oldest editor.
  smoke: suiteOf('test/run/hostWeb.mjs', 10, '--oldest'),
};

const daily = ['check', 'unit', 'protocol', 'fuzz', 'faults', 'soak', 'bench', 'host', 'browser'];
const leftOut = ['protocol', 'faults', 'browser', 'editorBench', 'smoke'];

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
  const chosen = named.length > 0 ? named : isAll ? leftOut : daily;
  if (isAll) {
    // Read by the tests themselves.
    process.env.MCP_HOST_TESTS = 'all';
    for (const name of ['protocol', 'faults']) {
      suites[name].commands = [
        mocha(await filesLeftOut(path.join(root, 'test', name)), ...sideBySide),
      ];
    }
  }
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
  for (const stage of stages) {
    const names = stage.filter((name) => chosen.includes(name));
    const again = [];
    const add = (counts) => {
      for (const key of Object.keys(total)) total[key] += counts[key];
    };
    const runEach = async () => {
      for (let name = names.shift(); name !== undefined; name = names.shift()) {
        // It has been said why an editor is missing; as many failures as there are suites that could not run.
        const canRun = isReady || !suites[name].needsEditor;
        const first = canRun ? await runSuite(name) : { failed: 1, passed: 0, skipped: 0 };
        if (suites[name].isMocha && filesToTryAgain(first).length > 0) again.push({ name, first });
        else add(first);
      }
    };
    await Promise.all([runEach(), runEach()]);
    for (const { name, first } of again) add(await tryAgain(name, first));
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
  const { commands, isMocha } = suites[name];
  const ended = await runCommands(name, name, commands);
  const isOver = !isMocha || filesToTryAgain(ended.counts).length === 0;
  if (isOver) report(name, ended);
  return ended.counts;
}

/** When the others of its stage are done. */
async function tryAgain(name, first) {
  const files = filesToTryAgain(first);
  for (const line of describeFailures(first, files)) say(`↻ a second try of ${line}`);
  const ended = await runCommands(name, `${name}-again`, [mocha(files)]);
  // Without counts of files it broke off.
  if (ended.counts.files !== undefined) ended.counts = bothTries(first, ended.counts, files);
  report(name, ended);
  return ended.counts;
}

async function runCommands(name, logName, commands) {
  const { limitMs, counts: hasCounts } = suites[name];
  const started = Date.now();
  const countsFile = path.join(results, `${logName}.json`);
  const log = path.join(results, `${logName}.log`);
  const env = projectEnv({ MCP_HOST_TEST_COUNTS: countsFile });
  let output = '';
  let isGood = true;
  for (const command of commands) {
    const [program, ...args] = hasCounts
      ? [localNode, ...command]
      : [localNode, '--run', ...command];
    const ended = await run(program, args, { env, log, timeoutMs: limitMs, graceMs: 25_000 });
    output += ended.output;
    isGood &&= ended.code === 0;
  }
  const counts = {
    passed: 0,
    failed: 0,
    skipped: 0,
    ...(hasCounts && (await readCounts(countsFile))),
  };
  if (hasCounts && counts.passed + counts.failed === 0) {
    output += '\nNo test has run.\n';
    isGood = false;
  }
  // A suite can fail without a failed test: a type error, a crash, a time limit.
  if (!isGood && counts.failed === 0) counts.failed = 1;
  if (Date.now() - started > limitMs) output += `\nStopped after ${limitMs / minute} minutes.\n`;
  return { counts, output, started };
}

function report(name, { counts, output, started }) {
  if (counts.failed > 0) {
    say(`${output.trimEnd()}\n`);
    say(`${name} FAILED, ${describe(counts)}, ${seconds(started)}`);
  } else {
    say(`${name}: ${suites[name].counts ? describe(counts) : 'good'}, ${seconds(started)}`);
  }
  for (const line of counts.steps ?? []) say(`  ${line}`);
  for (const line of counts.secondTries ?? []) say(`  needed a second try: ${line}`);
}

async function readCounts(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    // It broke off before its end.
    return {};
  }
}

function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** Files that fail in it get a second try. */
function mochaSuite(glob, minutes, ...flags) {
  return {
    commands: [mocha([glob], ...flags)],
    isMocha: true,
    limitMs: minutes * minute,
    counts: true,
  };
}

function mocha(files, ...flags) {
  return [bin('mocha', 'bin', 'mocha.js'), '--reporter', reporter(), ...flags, ...files];
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
