// Measures the time that the extension takes in the extension host of a real editor, from the first line of
// its bundle to the end of `activate`, and writes activation.md.
//   node activation.mjs [--reps=10]
// What the editor does between the two, such as reading the state of the extension, is not counted.
import { execFile } from 'node:child_process';
import { stat, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { median } from './report.mjs';

const { values: flags } = parseArgs({ options: { reps: { type: 'string', default: '10' } } });
const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const goalMs = 30;
const goalKb = 150;

const run = promisify(execFile);

/** @returns what the program prints. @throws when it fails */
async function output(...args) {
  const { stdout } = await run(process.execPath, args, { cwd: pathOf('..') });
  return stdout;
}

await output('esbuild.mjs', '--production');
await output('esbuild.mjs', '--tests');
const test = ['--grep', 'takes little time', '--repeat', flags.reps];
const printed = await output('test/run/hostWeb.mjs', '--no-build', ...test);
const found = [...printed.matchAll(/to the last ([\d.]+) \+ ([\d.]+) ms/gu)];
if (found.length !== Number(flags.reps)) {
  throw new Error(`Only ${found.length} of ${flags.reps} windows told their times:\n${printed}`);
}
const loads = found.map(([, ms]) => Number(ms));
const runs = found.map(([, , ms]) => Number(ms));
const sums = found.map((_, index) => loads[index] + runs[index]);
const kb = (await stat(pathOf('../dist/extension.cjs'))).size / 1000;

const verdict = (isMet) => (isMet ? 'met' : '**missed**');
const row = (name, values) =>
  `| ${name} | ${median(values).toFixed(1)} | ${Math.min(...values).toFixed(1)} | ${Math.max(...values).toFixed(1)} |`;
const text = [
  '# Activation',
  '',
  `In the extension host of a real editor that opens a window, ${flags.reps} times; ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node} beside it.`,
  '`node bench/activation.mjs` makes this file.',
  '',
  '| | goal | ours | |',
  '|---|---|---|---|',
  `| activation path, minified: kB | < ${goalKb} | ${kb.toFixed(0)} | ${verdict(kb < goalKb)} |`,
  `| from the first line of the bundle to the end of \`activate\`: ms | < ${goalMs} | ${median(sums).toFixed(1)} | ${verdict(median(sums) < goalMs)} |`,
  '',
  '| ms | median | smallest | largest |',
  '|---|---|---|---|',
  row('running the code of the bundle', loads),
  row('`activate`', runs),
  row('both', sums),
  '',
].join('\n');
console.log(text);
await writeFile(pathOf('activation.md'), text);
