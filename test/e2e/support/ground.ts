// What test/run/browser.mjs has set up for the browser tests, and the browser that they share the rules of.
// It starts nothing but the browser; the editors belong to the launcher.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';

export interface EditorServer {
  readonly url: string;
  /** The folder for everything that it keeps. */
  readonly profile: string;
  /** The user's settings.json, read by every page of this server. */
  readonly settings: string;
}

interface SharedServers {
  /** Every folder counts as trusted. */
  readonly trusted: EditorServer;
  /** Workspace trust is on, and a new folder is not trusted. */
  readonly restricted: EditorServer;
}

/** What all test files have in common, and the servers of those that run in this process, one after the other. */
export interface Ground extends SharedServers {
  /** What a server of the editor is started with, and the extensions that it gets. */
  readonly editor: {
    readonly node: string;
    readonly codeServer: string;
    readonly env: Readonly<Record<string, string>>;
  };
  readonly extensions: string;
  /** Path of the browser. */
  readonly browser: string;
  /** Path of Node 24, for servers that tests configure. */
  readonly node: string;
  /** The clone. */
  readonly root: string;
  /** A folder that is removed after the run. */
  readonly folder: string;
  /** Where screenshots are kept. */
  readonly screenshots: string;
}

/** @throws when the tests were not started by `npm run test:e2e` */
export function ground(): Ground {
  const text = process.env['MCP_HOST_E2E'];
  assert.ok(text, 'Browser tests are started by: npm run test:e2e');
  const parsed: Omit<Ground, keyof SharedServers> & { readonly servers: readonly SharedServers[] } =
    JSON.parse(text);
  const { servers, ...common } = parsed;
  // A process that runs its files alone is no worker. One that follows a worker that has crashed gets none: pages of
  // that may still be open.
  const own = servers[Number(process.env['MOCHA_WORKER_ID'] ?? 0)];
  assert.ok(own, 'a worker of mocha has crashed; the one in its place has no servers');
  return { ...common, ...own };
}

export function newFolder(prefix = 'files-'): string {
  return mkdtempSync(path.join(ground().folder, prefix));
}

/** The path of a file that is not there yet, in a folder of its own: for what a server is told to write. */
export function newFile(name: string): string {
  return path.join(newFolder(), name);
}

const open = new Set<BrowserContext>();

/** What the browsers before have loaded and compiled. It says nothing of what the editor keeps in a browser. */
const cacheFolders = ['Default/Cache', 'Default/Code Cache'];
let warmProfile: string | undefined;

function windowSize(): { readonly width: number; readonly height: number } {
  const [width = 0, height = 0] = (process.env['MCP_HOST_SIZE'] ?? '1400x900')
    .split('x')
    .map(Number);
  return { width, height };
}

/** A browser with a profile of its own: what the editor keeps in the browser is kept in `profile`. */
export async function openBrowser(profile: string): Promise<BrowserContext> {
  for (const folder of warmProfile === undefined ? [] : cacheFolders) {
    const from = path.join(warmProfile ?? '', folder);
    if (existsSync(from)) await cp(from, path.join(profile, folder), { recursive: true });
  }
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: ground().browser,
    viewport: windowSize(),
    // Pages in frames follow the theme of what holds them.
    colorScheme: null,
    // The launcher ends this process and the browser together.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    permissions: ['clipboard-read', 'clipboard-write'],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  open.add(context);
  context.once('close', () => {
    open.delete(context);
    warmProfile = profile;
  });
  return context;
}

export async function closeBrowsers(): Promise<void> {
  await Promise.all([...open].map((context) => context.close()));
}

/** The pages that are open now, for a picture of a failure. */
export function openPages(): ReturnType<BrowserContext['pages']> {
  return [...open].flatMap((context) => context.pages());
}
