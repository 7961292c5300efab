// Where the demo is seen: a desktop VS Code, the user's browser, or a browser without a window.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { browserArgs } from '../provision/browser.mjs';
import { defer } from '../support/lifetime.mjs';
import { Failure } from '../support/output.mjs';
import { killByArgument, launch, run } from '../support/processes.mjs';
import { isWindows } from '../support/project.mjs';

/** macOS and Windows have one; a session over SSH or in a container has none. */
export function hasDisplay() {
  const { DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION } = process.env;
  if (process.platform === 'linux') return Boolean(DISPLAY || WAYLAND_DISPLAY);
  return !SSH_CONNECTION;
}

/** The `code` on PATH, if it is a desktop VS Code that is new enough. */
export async function findDesktopEditor() {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const names = isWindows ? ['code.cmd'] : ['code'];
  for (const folder of folders) {
    for (const name of names) {
      const file = path.join(folder, name);
      if (existsSync(file) && (await isNewEnough(file))) return file;
    }
  }
  return undefined;
}

async function isNewEnough(file) {
  // As root it asks for a profile folder even for its version; then it is not one to use here.
  const { code, output } = await run(...command(file, ['--version']), { timeoutMs: 30_000 });
  const [, minor] = /^1\.(\d+)\./m.exec(output) ?? [];
  return code === 0 && Number(minor) >= 110;
}

/** A .cmd file runs only through cmd.exe. */
function command(file, args) {
  return isWindows ? ['cmd.exe', ['/d', '/s', '/c', file, ...args]] : [file, args];
}

/** Opens a window of a desktop VS Code; with --wait its command line lives as long as the window. */
export async function openDesktop(file, { profile, extensions, workspace, folder }) {
  // Last in, first out: this is for what has left the family of the process below.
  defer(() => killByArgument(profile));
  const running = launch(
    ...command(file, [
      '--new-window',
      '--wait',
      '--user-data-dir',
      profile,
      '--extensions-dir',
      extensions,
      '--disable-workspace-trust',
      '--skip-welcome',
      '--skip-release-notes',
      workspace,
    ]),
    { cwd: folder },
  );
  const lost = running.ended.then(({ code }) => {
    if (code !== 0) throw new Failure(`VS Code ended with exit code ${code}.\n${running.output()}`);
    return 'The window was closed.';
  });
  return { lost };
}

/** Asks the desktop to open the URL; false when nothing there can. */
export function openUserBrowser(url) {
  const openers = { darwin: ['open', [url]], win32: ['cmd.exe', ['/d', '/c', 'start', '', url]] };
  const [program, args] = openers[process.platform] ?? ['xdg-open', [url]];
  return new Promise((resolve) => {
    // The browser is the user's: it is not ours to end.
    const child = spawn(program, args, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    // Some openers stay as long as the browser does.
    setTimeout(() => resolve(true), 5000).unref();
    child.unref();
  });
}

/** Opens the URL in a browser without a window. */
export async function openPage(executablePath, url) {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath,
    args: browserArgs,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  defer(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const lost = new Promise((_resolve, reject) => {
    page.once('crash', () => reject(new Failure('The page with the demo crashed.')));
    browser.once('disconnected', () => reject(new Failure('The browser with the demo ended.')));
  });
  await page.goto(url, { waitUntil: 'commit', timeout: 60_000 });
  return { page, lost };
}
