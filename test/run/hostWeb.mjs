// Runs the host tests in the real extension host of a VS Code from npm, with a browser that nobody sees.
//   node test/run/hostWeb.mjs [--oldest] [--no-build] [--grep PATTERN] [--repeat COUNT]
// --repeat starts the first kind of window so often instead of each kind once.
// --oldest takes the VS Code that `engines.vscode` promises, and of the tests those with @smoke in their name.
// There is one run for each kind of window that the tests need, in an editor of its own; test/host/index.ts chooses. A window in
// which a test fails gets a second try (secondTry.mjs).
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { browserArgs, provisionBrowser } from '../../scripts/provision/browser.mjs';
import { provisionEditor } from '../../scripts/provision/editor.mjs';
import { installFolder, ownHome, startTestServer } from '../../scripts/support/editorServer.mjs';
import { defer } from '../../scripts/support/lifetime.mjs';
import { Failure, printFailure, say } from '../../scripts/support/output.mjs';
import { localNode, results, root } from '../../scripts/support/project.mjs';
import { runOnLocalNode } from '../../scripts/support/runtime.mjs';
import { isWorthASecondTry } from './secondTry.mjs';
import { buildForHostTests, copyWorkspace, followFile, workspaceFile } from './hostRun.mjs';

/** From the opening of the page to the first test; a cold start on a busy machine takes half a minute. */
const bootMs = 180_000;
const runMs = 15 * 60_000;

/** @typedef {{ name: string, trusted: boolean, hasWorkspaceFile: boolean, extension?: string, env?: Record<string, string> }} Window */
const olderEditor = {
  name: 'olderEditor',
  trusted: true,
  hasWorkspaceFile: false,
  extension: path.join(root, 'test/host/olderEditor/extension'),
};
/** @type {Window[]} */
const windows = [
  { name: 'folder', trusted: true, hasWorkspaceFile: false },
  { name: 'folders', trusted: true, hasWorkspaceFile: true },
  { name: 'restricted', trusted: false, hasWorkspaceFile: false },
  olderEditor,
  { ...olderEditor, name: 'olderEditorWithNames', env: { MCP_HOST_TEST_API: 'empty' } },
];

await runOnLocalNode(async (args) => {
  const isOldest = args.includes('--oldest');
  const grep = args.includes('--grep') ? args[args.indexOf('--grep') + 1] : undefined;
  if (!args.includes('--no-build')) await buildForHostTests();
  const editor = await provisionEditor(isOldest ? 'oldest' : 'newest');
  const browser = await provisionBrowser();
  // Only now: on a fresh clone it is not there when this file is loaded.
  const { chromium } = await import('playwright-core');
  const chrome = await chromium.launch({
    executablePath: browser,
    args: browserArgs,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  defer(() => chrome.close());
  const logs = path.join(results, `host-${editor.name.replaceAll(/\W+/g, '-').toLowerCase()}`);
  await rm(logs, { recursive: true, force: true });
  const services = { editor, chrome, grep: grep ?? (isOldest ? '@smoke' : '') };
  const total = { passed: 0, failed: 0, skipped: 0, secondTries: [] };
  let code = 0;
  const repeat = args.includes('--repeat') ? Number(args[args.indexOf('--repeat') + 1]) : undefined;
  const isOneKind = isOldest || repeat !== undefined;
  const kinds = isOneKind ? Array.from({ length: repeat ?? 1 }, () => windows[0]) : windows;
  const runEach = async (/** @type {Window[]} */ several) => {
    for (const window of several) {
      if (!(await runWindow(window, logs, services, total))) code = 1;
    }
  };
  // The first kind has nearly all tests.
  await (isOneKind
    ? runEach(kinds)
    : Promise.all([runEach(kinds.slice(0, 1)), runEach(kinds.slice(1))]));
  return code;
});

/** @returns whether all is good, perhaps in the second try */
async function runWindow(window, logs, services, total) {
  let ended = await tryWindow(window, path.join(logs, window.name), services);
  const lines = [];
  if (isWorthASecondTry(ended.counts)) {
    lines.push(...ended.counts.failures.map(({ what }) => `${window.name}: ${what}`));
    for (const line of lines) say(`↻ a second try of ${line}`);
    ended = await tryWindow(window, path.join(logs, `${window.name}-again`), services);
  }
  await addCounts(total, ended.counts ?? { failed: 1 }, lines);
  return ended.isGood;
}

/** @returns no counts when the run broke off */
async function tryWindow(window, logs, services) {
  const file = path.join(logs, 'counts.json');
  let isGood = true;
  try {
    await runHostTests(window, { ...services, logs, counts: file });
  } catch (error) {
    printFailure(error);
    isGood = false;
  }
  const counts = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : undefined;
  return { isGood, counts };
}

/** Leaves the sum over all windows so far where MCP_HOST_TEST_COUNTS says. */
async function addCounts(total, counts, secondTries) {
  for (const key of ['passed', 'failed', 'skipped']) total[key] += counts[key] ?? 0;
  total.secondTries.push(...secondTries);
  const sum = process.env.MCP_HOST_TEST_COUNTS;
  if (sum !== undefined) await writeFile(sum, `${JSON.stringify(total)}\n`);
}

/** @throws Failure when a test has failed, or when the tests did not come to their end */
async function runHostTests(/** @type {Window} */ window, { editor, chrome, grep, logs, counts }) {
  const run = await mkdtemp(path.join(tmpdir(), 'mcp-host-tests-'));
  defer(() => rm(run, { recursive: true, force: true, maxRetries: 3 }));
  await mkdir(logs, { recursive: true });
  const folder = await copyWorkspace(run);
  const outputFile = path.join(run, 'output.txt');
  const extensions = path.join(run, 'extensions');
  if (window.extension !== undefined) await installFolder(window.extension, extensions);
  const server = await startTestServer(editor, {
    profile: path.join(run, 'profile'),
    extensions,
    trusted: window.trusted,
    log: path.join(logs, 'server.log'),
    env: {
      ...(await ownHome(run)),
      MCP_HOST_TEST_COUNTS: counts,
      MCP_HOST_TEST_OUTPUT: outputFile,
      MCP_HOST_TEST_GREP: grep,
      MCP_HOST_TEST_NODE: localNode,
      ...window.env,
    },
  });
  const page = await chrome.newPage({ viewport: { width: 1280, height: 800 } });
  const opened = window.hasWorkspaceFile
    ? `workspace=${encodeURIComponent(await workspaceFile(run))}`
    : `folder=${encodeURIComponent(folder)}`;
  try {
    await watchTests(page, { editor, server, outputFile, logs, url: address(server, opened) });
  } finally {
    await page.close();
    await server.running.stop();
  }
}

/** Opens the window, prints what its tests say, and waits for their end. @throws Failure as above */
async function watchTests(page, { editor, server, outputFile, logs, url }) {
  const print = followFile(outputFile);
  const log = [];
  page.on('console', (message) => log.push(message.text()));
  page.on('pageerror', (error) => log.push(`page error: ${error.message}`));

  const { promise: exit, resolve: onExit } = Promise.withResolvers();
  await page.exposeFunction('codeAutomationLog', (type, parts) => {
    log.push(`${type}: ${parts.map(String).join(' ')}`);
  });
  await page.exposeFunction('codeAutomationExit', (code) => onExit(code));
  /** @type {Promise<string>} */
  const trouble = new Promise((resolve) => {
    page.once('crash', () => resolve('the page crashed'));
    page.once('close', () => resolve('the page was closed'));
    void server.running.ended.then(({ code }) => resolve(`VS Code ended with exit code ${code}`));
    const boot = setTimeout(() => {
      if (!existsSync(outputFile)) resolve(`no test had started after ${bootMs / 1000} s`);
    }, bootMs);
    const whole = setTimeout(() => resolve(`not finished after ${runMs / 60_000} min`), runMs);
    boot.unref();
    whole.unref();
  });
  await page.goto(url, { waitUntil: 'commit', timeout: 60_000 });
  const code = await Promise.race([exit, trouble]);
  await print();
  await writeFile(path.join(logs, 'page.log'), `${log.join('\n')}\n`);
  if (code === 0) return;
  const where = `The logs are in ${path.relative(root, logs)}.`;
  if (code === 1 && existsSync(outputFile)) {
    throw new Failure(`Host tests failed on ${editor.name}. ${where}`);
  }
  await page.screenshot({ path: path.join(logs, 'page.png') }).catch(() => {});
  const errors = log.filter((line) => /^(error|page error)/.test(line)).slice(-10);
  for (const line of errors) say(`  ${line.slice(0, 600)}`);
  throw new Failure(
    `The host tests on ${editor.name} did not come to their end: ${code === 1 ? 'the tests could not be loaded' : code}. ${where}`,
  );
}

function address({ url, authority }, opened) {
  const remote = (file) => `vscode-remote://${authority}${file}`;
  const payload = [
    ['extensionDevelopmentPath', remote(root)],
    ['extensionTestsPath', remote(path.join(root, 'dist/test/host.cjs'))],
  ];
  return `${url}/?${opened}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
}
