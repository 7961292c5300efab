// Runs the browser tests: the packed VSIX in a code-server, seen through a browser as a user sees it.
//   node test/run/browser.mjs [--no-build] [mocha's options and files]
//   MCP_HOST_TESTS=all  the files with variants (test/e2e/support/variant.ts), and these, which chosen files always have
//   MCP_HOST_THEME='Default High Contrast', MCP_HOST_SIZE=900x600  what the pictures show; a small window fails some tests
// All files run two at a time, chosen ones one after the other. Each worker has a code-server with workspace trust switched
// off and one with it, since all windows of one read the same settings; what a test wants of them is in
// test/e2e/support/workbench.ts.
// A file that fails runs a second time in new windows (secondTry.mjs).
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packageExtension } from '../../scripts/package.mjs';
import { provisionBrowser } from '../../scripts/provision/browser.mjs';
import { provisionEditor } from '../../scripts/provision/editor.mjs';
import {
  installFolder,
  installVsix,
  ownHome,
  serverEnv,
  startCodeServer,
} from '../../scripts/support/editorServer.mjs';
import { defer } from '../../scripts/support/lifetime.mjs';
import { say, step } from '../../scripts/support/output.mjs';
import { projectEnv, run } from '../../scripts/support/processes.mjs';
import { localNode, nodeModules, results, root, vsixPath } from '../../scripts/support/project.mjs';
import { runOnLocalNode } from '../../scripts/support/runtime.mjs';
import { filesLeftOut } from './leftOut.mjs';
import { bothTries, describeFailures, filesToTryAgain } from './secondTry.mjs';

/** A worker waits for most of its time: two keep two cores busy. */
const workers = 2;

/** Whoever starts this has a shorter limit (scripts/test.mjs). */
const limitMs = 90 * 60_000;

const hasVariants =
  process.env.MCP_HOST_TESTS === 'all' || process.argv.some((arg) => arg.endsWith('.ts'));

await runOnLocalNode(async (given) => {
  const args = given.filter((arg) => arg !== '--no-build');
  // mocha takes a file in which `--grep` finds nothing for a failure when it runs files side by side.
  const isWhole = !args.some((arg) => /\.ts$|^(-g|-f|--grep|--fgrep)\b/.test(arg));
  const vsix = given.includes('--no-build')
    ? vsixPath()
    : await step('Packing the extension', packageExtension);
  const editor = await provisionEditor('newest');
  const browser = await provisionBrowser();
  const folder = await mkdtemp(path.join(tmpdir(), 'mcp-host-e2e-'));
  defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const extensions = path.join(folder, 'extensions');
  await installVsix(vsix, extensions);
  await installFolder(path.join(root, 'demo/model'), extensions);
  const logs = path.join(results, 'browser');
  await rm(logs, { recursive: true, force: true });
  await mkdir(path.join(results, 'screenshots'), { recursive: true });

  const start = (name, trusted) => startEditor(editor, { folder, extensions, logs, name, trusted });
  const servers = await Promise.all(
    Array.from({ length: isWhole ? workers : 1 }, async (_, index) => {
      const [trusted, restricted] = await Promise.all([
        start(`trusted-${index}`, true),
        start(`restricted-${index}`, false),
      ]);
      return { trusted, restricted };
    }),
  );
  const ground = {
    servers,
    editor: { node: editor.node, codeServer: editor.codeServer, env: serverEnv() },
    extensions,
    browser,
    root,
    node: localNode,
    folder,
    screenshots: path.join(results, 'screenshots'),
  };
  const files = args.filter((arg) => arg.endsWith('.ts'));
  const options = args.filter((arg) => !arg.endsWith('.ts'));
  const first = await mocha(
    isWhole
      ? ['--parallel', '--jobs', String(workers), ...options, ...(await allFiles())]
      : [...options, ...(files.length > 0 ? files : await allFiles())],
    ground,
  );
  const total = first.code === 0 ? first : await tryAgain(first, options, ground);
  const { MCP_HOST_TEST_COUNTS: countsFile } = process.env;
  if (countsFile !== undefined && total.counts !== undefined) {
    await writeFile(countsFile, JSON.stringify(total.counts));
  }
  return total.code;
});

async function tryAgain(first, options, ground) {
  const files = filesToTryAgain(first.counts);
  if (files.length === 0) return first;
  for (const line of describeFailures(first.counts, files)) say(`↻ a second try of ${line}`);
  const screenshots = path.join(ground.screenshots, 'second-try');
  await mkdir(screenshots, { recursive: true });
  const second = await mocha([...options, ...files], { ...ground, screenshots });
  if (second.counts === undefined) return second;
  return { code: second.code, counts: bothTries(first.counts, second.counts, files) };
}

/** The longest come first, by what they have to say: one that comes last runs alone. */
async function allFiles() {
  const folder = path.join(root, 'test/e2e');
  const files = await Promise.all(
    (hasVariants ? await filesLeftOut(folder) : await dailyFiles(folder)).map(async (file) => ({
      file,
      size: (await stat(file)).size,
    })),
  );
  return files.toSorted((a, b) => b.size - a.size).map(({ file }) => file);
}

async function dailyFiles(folder) {
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith('.e2e.ts')).map((name) => path.join(folder, name));
}

async function startEditor(editor, { folder, extensions, logs, name, trusted }) {
  const profile = path.join(folder, name);
  const log = path.join(logs, `${name}.log`);
  const { url } = await startCodeServer(editor, {
    profile,
    extensions,
    trusted,
    log,
    // A window is a process of its own, which compiles the same sources again.
    env: { ...(await ownHome(profile)), NODE_COMPILE_CACHE: path.join(folder, 'compiled') },
  });
  return { url, profile, settings: path.join(profile, 'User', 'settings.json') };
}

/** The exit code, and the counts of test/run/reporter.cjs unless it broke off. */
async function mocha(args, ground) {
  const countsFile = path.join(ground.folder, 'counts.json');
  await rm(countsFile, { force: true });
  const { code } = await run(
    localNode,
    [
      path.join(nodeModules, 'mocha', 'bin', 'mocha.js'),
      '--reporter',
      path.join(root, 'test/run/reporter.cjs'),
      '--require',
      path.join(root, 'test/e2e/support/hooks.ts'),
      // What other tests require is about their own process.
      '--no-config',
      '--fail-zero',
      '--forbid-only',
      '--forbid-pending',
      '--timeout',
      '300000',
      ...args,
    ],
    {
      env: projectEnv({
        MCP_HOST_E2E: JSON.stringify(ground),
        MCP_HOST_TEST_COUNTS: countsFile,
        ...(hasVariants && { MCP_HOST_TESTS: 'all' }),
      }),
      inherit: true,
      timeoutMs: limitMs,
    },
  );
  const counts = await readFile(countsFile, 'utf8').then(JSON.parse, () => undefined);
  return { code, counts };
}
