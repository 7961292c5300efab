// Builds the bundles under dist/: one CommonJS file per entry point, loaded by `require` on first use.
//   node esbuild.mjs [--production] [--watch] [--tests]
// --tests builds the bundle of the host tests (dist/test/host.cjs) instead.
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { noticesOf } from './scripts/support/notices.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const bundles = JSON.parse(await readFile(path.join(root, 'scripts/support/bundles.json'), 'utf8'));
const dist = path.join(root, 'dist');
const flags = new Set(process.argv.slice(2));
const isProduction = flags.has('--production');
const isWatch = flags.has('--watch');
const isTests = flags.has('--tests');

/** What runs in the pages of webviews, each put into its page as text. */
const pages = ['inspectorPage', 'appPage'];

/** Lets an editor's task know when a watched build starts and ends, in the form its problem matcher expects. */
const problemMatcher = {
  name: 'problem-matcher',
  setup(build) {
    build.onStart(() => console.log('[watch] build started'));
    build.onEnd(({ errors }) => {
      for (const { text, location } of errors) {
        console.error(`✘ [ERROR] ${text}`);
        if (location) console.error(`    ${location.file}:${location.line}:${location.column}:`);
      }
      console.log('[watch] build finished');
    });
  },
};

/** `host-tests:all`: every test/host/**\/*.test.ts by its path, as a function that loads it. */
const hostTests = {
  name: 'host-tests',
  setup(build) {
    const folder = path.join(root, 'test/host');
    build.onResolve({ filter: /^host-tests:all$/ }, ({ path: id }) => ({
      path: id,
      namespace: 'host-tests',
    }));
    build.onLoad({ filter: /.*/, namespace: 'host-tests' }, async () => {
      const names = (await readdir(folder, { recursive: true }))
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => name.replaceAll(path.sep, '/'))
        .toSorted();
      const rows = names.map(
        (name) => `  ${JSON.stringify(name)}: () => require(${JSON.stringify(`./${name}`)}),`,
      );
      return {
        contents: `export const files = {\n${rows.join('\n')}\n};\n`,
        loader: 'js',
        resolveDir: folder,
        watchDirs: [folder],
      };
    });
  },
};

/** `require('./protocol.cjs')` in one bundle means the other bundle beside it, which has to be built too. */
const siblingBundles = {
  name: 'sibling-bundles',
  setup(build) {
    build.onResolve({ filter: /^\.\/\w+\.cjs$/ }, ({ path: id }) => {
      if (path.basename(id, '.cjs') in bundles) return { path: id, external: true };
      return { errors: [{ text: `${id} is not a bundle: see scripts/support/bundles.json` }] };
    });
  },
};

/**
 * `import * as vscode` would copy the whole API, hundreds of properties, once for each file that says it,
 * which is most of the time that a bundle takes to load. So each member is a variable, and only if it is used.
 */
const editorApi = {
  name: 'editor-api',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ path: id, namespace }) =>
      namespace === 'editor-api'
        ? { path: id, external: true }
        : { path: 'all', namespace: 'editor-api', sideEffects: false },
    );
    build.onResolve({ filter: /^editor-api:/ }, ({ path: id }) => ({
      path: id.slice('editor-api:'.length),
      namespace: 'editor-api',
      sideEffects: false,
    }));
    build.onLoad({ filter: /.*/, namespace: 'editor-api' }, async ({ path: name }) => ({
      contents: await editorModule(name),
    }));
  },
};

async function editorModule(name) {
  if (name === 'whole') return `export default require('vscode');`;
  if (name !== 'all') return `import api from 'editor-api:whole'; export default api.${name};`;
  const types = path.join(root, 'node_modules/@types/vscode/index.d.ts');
  const declared = /^\texport (?:abstract )?(?:class|enum|namespace|const|let|function) (\w+)/gmu;
  const names = new Set(
    [...(await readFile(types, 'utf8')).matchAll(declared)].map(([, found]) => found),
  );
  return [...names]
    .map((one) => `export { default as ${one} } from 'editor-api:${one}';`)
    .join('\n');
}

/** @type {esbuild.BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  // Its main file is UMD, whose inner `require` no bundler sees.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  logLevel: isWatch ? 'silent' : 'warning',
  plugins: isWatch ? [problemMatcher] : [],
};

/** @type {esbuild.BuildOptions} */
const extension = {
  ...common,
  entryPoints: bundles,
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  plugins: [...common.plugins, editorApi, siblingBundles],
  // What a bundle imports late is in it, and runs when it is first wanted.
  supported: { 'dynamic-import': false },
  // A bundle that runs another one looks for it beside itself.
  define: { 'import.meta.filename': '__filename', 'import.meta.dirname': '__dirname' },
  metafile: true,
  minify: isProduction,
  sourcemap: !isProduction,
  legalComments: 'none',
};

/** @type {esbuild.BuildOptions} */
const webviews = {
  ...common,
  entryPoints: pages.map((name) => `src/webview/${name}.ts`),
  outdir: 'dist',
  platform: 'browser',
  format: 'iife',
  // The browser of the oldest editor that the extension runs in.
  target: 'chrome142',
  minify: isProduction,
  legalComments: 'none',
};

/** @type {esbuild.BuildOptions} */
const tests = {
  ...common,
  entryPoints: { host: 'test/host/index.ts' },
  outdir: 'dist/test',
  outExtension: { '.js': '.cjs' },
  // mocha finds its own files on disk, so it is loaded from node_modules.
  external: ['vscode', 'mocha', 'mocha/*'],
  sourcemap: 'inline',
  plugins: [...common.plugins, hostTests],
};

if (isTests) {
  await run(tests);
} else {
  // Nothing of an earlier build must be packed.
  for (const name of existsSync(dist) ? await readdir(dist) : []) {
    if (/\.cjs(\.map)?$/u.test(name)) await rm(path.join(dist, name));
  }
  await run(webviews);
  await run(extension);
}

/** @param {esbuild.BuildOptions} options */
async function run(options) {
  if (isWatch) {
    const context = await esbuild.context(options);
    await context.watch();
    return;
  }
  try {
    const { metafile } = await esbuild.build(options);
    if (!metafile) return;
    await mkdir(dist, { recursive: true });
    await writeFile(path.join(dist, 'meta.json'), `${JSON.stringify(metafile)}\n`);
    if (isProduction) {
      await writeFile(path.join(dist, 'NOTICES.txt'), await noticesOf(metafile, root));
    }
    for (const [file, { bytes }] of Object.entries(metafile.outputs)) {
      if (file.endsWith('.cjs')) console.log(`${file}  ${(bytes / 1024).toFixed(1)} KB`);
    }
  } catch (error) {
    // esbuild has printed what is wrong with a build.
    if (!('errors' in error)) console.error(error.message);
    process.exit(1);
  }
}
