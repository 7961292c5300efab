// A browser that can be driven: one that is installed, else Debian's chromium, else Playwright's own.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure, step } from '../support/output.mjs';
import { run } from '../support/processes.mjs';
import { isWindows, localNode, nodeModules } from '../support/project.mjs';
import { canInstall, installPackages, lastLine } from './debian.mjs';

const names = [
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge-stable',
  'microsoft-edge',
];

/** Arguments that keep a driven browser quiet and working without a display, a GPU or root's sandbox. */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The path of a Chrome, Chromium or Edge; installs one if there is none.
 * @throws {Failure} with one sentence that says what to install
 */
export async function provisionBrowser() {
  const found = await findBrowser();
  if (found !== undefined) return found;
  if (isDebian() && canInstall()) {
    await step("Installing Debian's chromium", (note) =>
      installPackages(note, 'chromium', 'fonts-liberation'),
    );
    const installed = await findBrowser();
    if (installed !== undefined) return installed;
  }
  await step("Fetching Playwright's Chromium", installPlaywrightChromium);
  const own = await findBrowser();
  if (own !== undefined) return own;
  throw new Failure(
    'No browser was found and none could be fetched: install Google Chrome, Chromium or Microsoft Edge, or set CHROME_PATH to one.',
  );
}

/** The first browser that starts, or undefined. */
export async function findBrowser() {
  for (const candidate of await candidates()) {
    if (existsSync(candidate) && (await starts(candidate))) return candidate;
  }
  return undefined;
}

async function candidates() {
  const named = process.env.CHROME_PATH ? [process.env.CHROME_PATH] : [];
  return [...named, ...onPath(), ...usualPlaces(), ...(await playwrightOwn())];
}

function onPath() {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return names.flatMap((name) =>
    folders.map((folder) => path.join(folder, isWindows ? `${name}.exe` : name)),
  );
}

function usualPlaces() {
  if (process.platform === 'darwin') {
    const apps = ['/Applications', path.join(process.env.HOME ?? '', 'Applications')];
    const programs = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
    return apps.flatMap((folder) =>
      programs.map((name) => path.join(folder, `${name}.app`, 'Contents', 'MacOS', name)),
    );
  }
  if (isWindows) {
    const { PROGRAMFILES, LOCALAPPDATA } = process.env;
    const bases = [PROGRAMFILES, process.env['PROGRAMFILES(X86)'], LOCALAPPDATA].filter(Boolean);
    return bases.flatMap((base) => [
      path.join(base, 'Google', 'Chrome', 'Application', 'chrome.exe'),
      path.join(base, 'Chromium', 'Application', 'chrome.exe'),
      path.join(base, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
    ]);
  }
  return [
    '/opt/google/chrome/chrome',
    '/opt/microsoft/msedge/msedge',
    '/usr/lib/chromium/chromium',
  ];
}

async function playwrightOwn() {
  try {
    const { chromium } = await import('playwright-core');
    return [chromium.executablePath()].filter(Boolean);
  } catch {
    return [];
  }
}

/** Ubuntu's chromium-browser is a script that only asks for a snap: a browser counts when it says its version. */
async function starts(browser) {
  // On Windows --version opens a window.
  if (isWindows) return true;
  const { code, output } = await run(browser, ['--version'], { timeoutMs: 20_000 });
  return code === 0 && /\d+\.\d+/.test(output);
}

function isDebian() {
  try {
    return /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

async function installPlaywrightChromium(note) {
  const cli = path.join(nodeModules, 'playwright-core', 'cli.js');
  const withDeps = process.platform === 'linux' && canInstall();
  const args = [cli, 'install', ...(withDeps ? ['--with-deps'] : []), 'chromium'];
  const { code, output } = await run(localNode, args, { timeoutMs: 15 * 60_000 });
  if (code !== 0) note(`it could not be fetched: ${lastLine(output)}`);
}
