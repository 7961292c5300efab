// `npm start`: the extension in a VS Code with real servers, from a fresh clone to a table of what is connected.
// Everything it makes lies in a throwaway folder; it stays up until Ctrl+C and leaves no process behind.
//   npm start [-- --check]    --check ends after the table; exit code 1 unless every server is ready
//   npm start [-- --headless] takes VS Code from npm and a browser that nobody sees, display or not
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { demoServers, demoSettings } from './demo/settings.mjs';
import { followStatus } from './demo/status.mjs';
import { printTable } from './demo/table.mjs';
import {
  findDesktopEditor,
  hasDisplay,
  openDesktop,
  openPage,
  openUserBrowser,
} from './demo/window.mjs';
import { packageExtension } from './package.mjs';
import { provisionBrowser } from './provision/browser.mjs';
import { provisionEditor } from './provision/editor.mjs';
import { installFolder, installVsix, startCodeServer } from './support/editorServer.mjs';
import { defer } from './support/lifetime.mjs';
import { freePort, waitForUrl } from './support/network.mjs';
import { Failure, say, step } from './support/output.mjs';
import { launch } from './support/processes.mjs';
import { localNode, nodeModules, root } from './support/project.mjs';
import { runOnLocalNode } from './support/runtime.mjs';

/** Until the servers of the demo have settled; a cold window takes half a minute on a slow machine. */
const settleMs = 240_000;

await runOnLocalNode(async (args) => {
  const unknown = args.filter((arg) => arg !== '--check' && arg !== '--headless');
  if (unknown.length > 0) throw new Failure(`npm start does not know ${unknown.join(' ')}.`);
  const isDisplayed = hasDisplay() && !args.includes('--headless');
  const vsix = await step('Packing the extension', packageExtension);
  const desktop = isDisplayed ? await findDesktopEditor() : undefined;
  const editor = desktop === undefined ? await provisionEditor('newest') : undefined;
  const browser = isDisplayed ? undefined : await provisionBrowser();

  const demo = await makeDemo(vsix);
  const httpUrl = await step('Starting the demo server on Streamable HTTP', (note) =>
    startHttpServer(demo, note),
  );
  const settings = demoSettings({ ...demo, httpUrl });
  await mkdir(path.dirname(demo.settingsFile), { recursive: true });
  await writeFile(demo.settingsFile, `${JSON.stringify(settings, null, 2)}\n`);

  const status = followStatus(demo.statusFile);
  const window = await step('Opening the demo workspace', (note) =>
    openWindow({ demo, desktop, editor, browser, note }),
  );
  await step('Waiting for the servers', () =>
    Promise.race([status.settled(demoServers, settleMs), window.lost]),
  );
  say('');
  printTable(status.servers());
  if (args.includes('--check')) {
    return status.servers().every(({ state }) => state === 'ready') ? 0 : 1;
  }
  say(`\nThe demo stays up until Ctrl+C.${window.url ? ` It is at ${window.url}` : ''}`);
  status.onDidChange((line) => say(line));
  say(await window.lost);
});

/** A folder with the profile, the extensions and a copy of the demo workspace. */
async function makeDemo(vsix) {
  const folder = await mkdtemp(path.join(tmpdir(), 'mcp-host-demo-'));
  defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  const profile = path.join(folder, 'profile');
  const extensions = path.join(folder, 'extensions');
  const workspace = path.join(folder, 'mcp-demo');
  await cp(path.join(root, 'demo/workspace'), workspace, { recursive: true });
  await installVsix(vsix, extensions);
  await installFolder(path.join(root, 'demo/model'), extensions);
  return {
    folder,
    profile,
    extensions,
    workspace,
    settingsFile: path.join(profile, 'User', 'settings.json'),
    statusFile: path.join(folder, 'status.json'),
    memoryFile: path.join(folder, 'memory.jsonl'),
  };
}

/** @returns {Promise<string>} the URL of server-everything on Streamable HTTP */
async function startHttpServer(demo, note) {
  const port = await freePort();
  const entry = path.join(nodeModules, '@modelcontextprotocol/server-everything/dist/index.js');
  const running = launch(localNode, [entry, 'streamableHttp'], {
    cwd: demo.folder,
    env: { ...process.env, PORT: String(port) },
    log: path.join(demo.folder, 'everything-http.log'),
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  await waitForUrl('server-everything on Streamable HTTP', url, running);
  note(url);
  return url;
}

/** @returns {Promise<{ url?: string, lost: Promise<string> }>} `lost` ends when the window or its editor is gone */
async function openWindow({ demo, desktop, editor, browser, note }) {
  if (desktop !== undefined) {
    note(desktop);
    return openDesktop(desktop, demo);
  }
  const { profile, extensions, folder, workspace } = demo;
  const log = path.join(folder, 'editor.log');
  const server = await startCodeServer(editor, { profile, extensions, trusted: true, log });
  const url = `${server.url}/?folder=${encodeURIComponent(workspace)}`;
  say(`  ${editor.name} is at ${url}`);
  const ended = server.running.ended.then(({ code }) => {
    throw new Failure(`${editor.name} ended with exit code ${code}.\n${server.running.output()}`);
  });
  if (browser === undefined && (await openUserBrowser(url))) {
    note('in your browser');
    return { url, lost: ended };
  }
  // A display alone is not a browser; the extension runs only while a page is open.
  const page = await openPage(browser ?? (await provisionBrowser()), url);
  note('in a browser without a window');
  return { url, lost: Promise.race([ended, page.lost]) };
}
