// `npm run figures`: how large the house is. Files, code lines, bundles with their size and the time to load them, folders
// that import each other, the longest document.
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { say } from './support/output.mjs';
import { mutualFolders } from './support/mutualFolders.mjs';
import { root } from './support/project.mjs';

const runs = 9;
/** Prints the milliseconds that `require` of its argument takes, with an editor of which everything is there. */
const probe = `
const modules = require('node:module');
const load = modules._load;
const editor = new Proxy(function () {}, {
  get: (_, name) => (name === 'prototype' ? {} : editor),
  construct: () => ({}),
  apply: () => editor,
});
modules._load = (id, ...rest) => (id === 'vscode' ? editor : load(id, ...rest));
const start = performance.now();
require(process.argv[1]);
process.stdout.write(String(performance.now() - start));
process.exit(0);`;

const sources = await filesBelow('src', '.ts');
const texts = new Map();
for (const file of sources) texts.set(file, await readFile(path.join(root, file), 'utf8'));
const lines = sources.map((file) => codeLines(texts.get(file))).toSorted((a, b) => a - b);
say(`files           ${sources.length}`);
say(`code lines      ${lines.reduce((sum, count) => sum + count, 0)}`);
say(`median file     ${lines[Math.floor(lines.length / 2)]} code lines`);
const tests = await filesBelow('test', '.ts');
let testLines = 0;
for (const file of tests) testLines += codeLines(await readFile(path.join(root, file), 'utf8'));
say(`test code lines ${testLines} in ${tests.length} files`);

const mutual = mutualFolders(texts);
say(`mutual folders  ${mutual.length}`);
for (const pair of mutual) say(`  ${pair.join(' ↔ ')}`);

const documents = (await filesBelow('docs', '.md')).concat(
  (await readdir(root)).filter((name) => name.endsWith('.md')),
);
const sizes = await Promise.all(
  documents.map(async (file) => [file, (await stat(path.join(root, file))).size]),
);
const [longest] = sizes.toSorted(([, a], [, b]) => b - a);
say(`longest text    ${longest.join(', ')} bytes`);

await sayBundles();

async function filesBelow(folder, end) {
  const entries = await readdir(path.join(root, folder), { recursive: true });
  return entries
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`);
}

/** Lines with code in them: neither empty nor of a comment alone. */
function codeLines(text) {
  return text
    .replaceAll(/^\s*\/\*[\s\S]*?\*\/\s*$/gmu, '')
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/.*)?$/u.test(line)).length;
}

/** Of the last build. The time is that of `require` alone, in a process of its own, without a cache of code. */
async function sayBundles() {
  const dist = path.join(root, 'dist');
  if (!existsSync(dist)) {
    say('bundles         none is built');
    return;
  }
  for (const name of (await readdir(dist)).filter((one) => one.endsWith('.cjs'))) {
    const file = path.join(dist, name);
    const times = name === 'reaper.cjs' ? [] : Array.from({ length: runs }, () => loadMs(file));
    const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
    const took = median === undefined ? '' : `, ${median.toFixed(1)} ms`;
    say(`${name.padEnd(16)}${((await stat(file)).size / 1000).toFixed(0)} kB${took}`);
  }
}

function loadMs(file) {
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', probe, file], { encoding: 'utf8' });
  if (stdout === '') throw new Error(`${file} could not be loaded: ${stderr}`);
  return Number(stdout);
}
