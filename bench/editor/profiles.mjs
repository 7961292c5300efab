// A profile of the editor with servers, and its windows, one after the other.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { browserArgs } from '../../scripts/provision/browser.mjs';
import {
  installFolder,
  installVsix,
  ownHome,
  startCodeServer,
} from '../../scripts/support/editorServer.mjs';
import { defer } from '../../scripts/support/lifetime.mjs';
import { localNode, results, root } from '../../scripts/support/project.mjs';
import { keybindings, measureLarge, measurePrompt, measureView } from './page.mjs';

/** As many servers start as in a window with 20; the others start when they are needed. */
const starting = 20;
const windowMs = 180_000;

/**
 * @typedef {object} Profile
 * @property {'none' | 'builtIn' | 'ours'} host
 * @property {number} servers
 * @property {number} [tools] of each server
 * @property {number} [resources] of each server
 * @property {boolean} [isCompared] with the other host
 * @property {number} [idleMs] how long the second window is watched
 */

/** @type {Readonly<Record<string, Profile>>} */
export const profiles = {
  none: { host: 'none', servers: 0 },
  builtIn1: { host: 'builtIn', servers: 1, isCompared: true },
  ours1: { host: 'ours', servers: 1, isCompared: true },
  builtIn20: { host: 'builtIn', servers: 20, isCompared: true, idleMs: 60_000 },
  ours20: { host: 'ours', servers: 20, isCompared: true, idleMs: 60_000 },
  ours200: { host: 'ours', servers: 200, tools: 25 },
  large: { host: 'ours', servers: 1, tools: 2_000, resources: 100_000 },
};

/**
 * The numbers of each window: `cold`, the first; `reload`, one after it; `prompt`, one in whose chat a prompt is typed.
 * All are of one server of the editor: what it keeps in a browser is kept for its address.
 */
export async function measureProfile(ground, name, isQuick) {
  const profile = profiles[name];
  const { host, servers, isCompared = false, idleMs = 0 } = profile;
  const { page, load, numbersOf, stop } = await startEditor(ground, profile);
  const waitsOf = name === 'large' ? measureLarge : measureView;
  try {
    await load({ calls: isCompared && servers === 1, asks: host === 'ours' && servers === 20 });
    const cold = await numbersOf();
    if (host === 'ours' && name !== 'ours1') Object.assign(cold, await waitsOf(page));
    if (isQuick || name === 'large') return { cold };
    await load({ idleMs, firstCall: true });
    const reload = await numbersOf();
    if (!isCompared) return { cold, reload };
    const start = performance.now();
    await load({});
    const promptMs = (await measurePrompt(page)) - start;
    return { cold, reload, prompt: { promptMs } };
  } finally {
    await stop();
  }
}

async function startEditor({ editor, browser, vsix }, /** @type {Profile} */ profile) {
  const { host, servers } = profile;
  const folder = await mkdtemp(path.join(tmpdir(), 'mcp-host-bench-'));
  defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [user, extensions, workspace, live, taskFile] = [
    ['profile', 'User'],
    ['extensions'],
    ['workspace'],
    ['live.txt'],
    ['task.json'],
  ].map((parts) => path.join(folder, ...parts));
  await mkdir(workspace);
  await mkdir(user, { recursive: true });
  await writeSettings(user, profile, live);
  if (host === 'ours') await installVsix(vsix, extensions);
  await installFolder(path.join(root, 'bench/editor/probe'), extensions);
  const { chromium } = await import('playwright-core');
  const context = await chromium.launchPersistentContext(path.join(folder, 'browser'), {
    executablePath: browser,
    args: browserArgs,
    viewport: { width: 1280, height: 800 },
  });
  const { url, running } = await startCodeServer(editor, {
    profile: path.dirname(user),
    extensions,
    log: path.join(results, 'bench-editor.log'),
    env: { ...(await ownHome(folder)), MCP_HOST_BENCH: taskFile },
  });
  const page = await context.newPage();
  const out = path.join(folder, 'numbers.json');
  return {
    page,
    load: async (task) => {
      // What is remembered is written down after a while.
      if (page.url() !== 'about:blank') await delay(3_000);
      await page.goto('about:blank');
      await Promise.all([live, out].map((file) => rm(file, { force: true })));
      const expected = Math.min(servers, starting);
      await writeFile(taskFile, JSON.stringify({ host, servers: expected, live, out, ...task }));
      await page.goto(`${url}/?folder=${encodeURIComponent(workspace)}`);
    },
    numbersOf: () => readWhenThere(out, page),
    stop: async () => {
      await context.close();
      await running.stop();
    },
  };
}

async function writeSettings(folder, /** @type {Profile} */ profile, live) {
  const { host, servers: count, tools = 2, resources = 1 } = profile;
  const servers = Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const script = path.join(root, 'bench/editor/server.mjs');
      const args = [script, `bench${index}`, live, tools, resources].map(String);
      const startup = index < starting ? {} : { startup: 'onDemand' };
      return [`bench${index}`, { command: localNode, args, ...startup }];
    }),
  );
  const files = {
    'settings.json': {
      'security.workspace.trust.enabled': false,
      'workbench.startupEditor': 'none',
      'telemetry.telemetryLevel': 'off',
      ...(host === 'ours' && {
        'mcpHost.servers': servers,
        'mcpHost.rules': [{ decision: 'allow' }],
      }),
    },
    'keybindings.json': keybindings,
    ...(host === 'builtIn' && { 'mcp.json': { servers } }),
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(path.join(folder, name), JSON.stringify(content));
  }
}

/** Answers the one question that is asked, whether the benchmark's extension may call. */
async function readWhenThere(file, page) {
  const end = Date.now() + windowMs;
  while (!existsSync(file)) {
    const remember = page
      .locator('.monaco-dialog-box .monaco-button')
      .getByText('Run and Remember…');
    if (await remember.isVisible()) {
      // A faster answer counts as stray typing.
      await delay(1_200);
      await remember.click();
      await page.locator('.quick-input-widget .label-name').getByText('This Session').click();
    }
    if (Date.now() > end) {
      await page.screenshot({ path: path.join(results, 'bench-editor.png') });
      throw new Error(`The window did not end: see test-results/bench-editor.png`);
    }
    await delay(50);
  }
  const numbers = JSON.parse(await readFile(file, 'utf8'));
  if (numbers.error !== undefined) throw new Error(numbers.error);
  return numbers;
}
