// Packs the extension into a VSIX and looks into it: only what runs, everything that runs, under one megabyte, and
// little of it to activate.
// vsce itself runs `vscode:prepublish`, which is the production build.
import { statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure, say } from './support/output.mjs';
import { must, projectEnv } from './support/processes.mjs';
import { localNode, nodeModules, root, vsixPath } from './support/project.mjs';
import { packedReadme, strayLinks } from './support/packedReadme.mjs';
import { runOnLocalNode } from './support/runtime.mjs';
import { readZip } from './support/zip.mjs';

const maxBytes = 1_000_000;
/** Of what each window loads as it opens, whether it has servers or not. */
const maxActivationBytes = 150_000;
const allowed = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/package(\.nls(\.[\w-]+)?)?\.json$/,
  /^extension\/l10n\/[\w.-]+\.json$/,
  /^extension\/(readme|changelog)\.md$/i,
  /^extension\/LICENSE(\.txt|\.md)?$/i,
  /^extension\/api\/mcpHost\.d\.ts$/,
  /^extension\/dist\/[\w-]+\.cjs$/,
  /^extension\/dist\/NOTICES\.txt$/,
  /^extension\/dist\/(app|inspector)Page\.js$/,
  /^extension\/media\/(walkthrough\/)?[\w-]+\.(png|svg)$/,
];

/** Builds for production and packs. Gives the VSIX's path. */
export async function packageExtension() {
  const vsce = path.join(nodeModules, '@vscode', 'vsce', 'vsce');
  const vsix = vsixPath();
  const flags = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
  flags.push('--readme-path', await writeReadme());
  await must('Packing the VSIX', localNode, [vsce, 'package', ...flags, '--out', vsix], {
    cwd: root,
    env: projectEnv(),
  });
  await checkVsix(vsix);
  return vsix;
}

/** Gives its path from the root, as vsce wants it. */
async function writeReadme() {
  const file = 'dist/README.md';
  const text = await readFile(path.join(root, 'README.md'), 'utf8');
  await mkdir(path.join(root, 'dist'), { recursive: true });
  await writeFile(path.join(root, file), packedReadme(text));
  return file;
}

/** @throws {Failure} that names everything wrong with the VSIX */
export async function checkVsix(vsix) {
  const entries = (await readZip(vsix)).filter(({ name }) => !name.endsWith('/'));
  const names = new Set(entries.map(({ name }) => name));
  const problems = [];
  for (const name of names) {
    if (!allowed.some((pattern) => pattern.test(name)))
      problems.push(`${name} does not belong in it`);
  }
  for (const wanted of await needed()) {
    if (!names.has(wanted)) problems.push(`${wanted} is missing`);
  }
  for (const entry of entries.filter(({ name }) => /^extension\/[^/]+\.md$/u.test(name))) {
    const stray = strayLinks(entry.read().toString('utf8'));
    if (stray.length > 0) problems.push(`${entry.name} leads to ${stray.join(', ')}`);
  }
  const main = entries.find(({ name }) => name === 'extension/dist/extension.cjs');
  if (main !== undefined && main.size >= maxActivationBytes)
    problems.push(`${main.name} has ${main.size} bytes, ${maxActivationBytes} is the limit`);
  const { size } = statSync(vsix);
  if (size >= maxBytes) problems.push(`it has ${size} bytes, ${maxBytes} is the limit`);
  if (problems.length > 0) {
    throw new Failure(`The VSIX ${path.basename(vsix)} is not right:\n  ${problems.join('\n  ')}`);
  }
  return { entries, size };
}

/** What package.json refers to, and every bundle of the last build. */
async function needed() {
  const { main, icon } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const meta = JSON.parse(await readFile(path.join(root, 'dist/meta.json'), 'utf8'));
  const bundles = Object.keys(meta.outputs).filter((name) => name.endsWith('.cjs'));
  const files = [
    path.posix.normalize(main),
    icon,
    'package.nls.json',
    'api/mcpHost.d.ts',
    'dist/NOTICES.txt',
    'dist/appPage.js',
    'dist/inspectorPage.js',
    ...bundles,
  ];
  return [
    'extension.vsixmanifest',
    'extension/package.json',
    'extension/readme.md',
    'extension/changelog.md',
    ...files.map((f) => `extension/${f}`),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runOnLocalNode(async (args) => {
    if (args.length > 0) {
      throw new Failure(`There is one VSIX for all systems: ${args.join(' ')} means nothing here`);
    }
    const vsix = await packageExtension();
    const { entries, size } = await checkVsix(vsix);
    for (const entry of entries) say(`${String(entry.size).padStart(8)}  ${entry.name}`);
    say(`${path.basename(vsix)}: ${entries.length} files, ${(size / 1024).toFixed(1)} KB`);
  });
}
