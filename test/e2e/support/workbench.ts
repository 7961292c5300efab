// A VS Code window as the browser tests see it: open it on a folder of its own with settings of its own, do what a user
// does, read what a user reads. It knows the editor's page and nothing of what the extension should do. Each part of the
// window has a file of its own beside this one.
//
// How a test is written: the page is a moment behind and shows the step before until then, so nothing is asserted about
// what was read once. Use what waits (`quickInput.expectTitle`, `expectItems`, `dialog.expect`, `editors.expect`,
// `statusBar.expect`, `chat.expectAnswer`, `expectLines` for a server's file), or `eventually(read, check)` around the
// assertion. Only that something has not happened is read once, after a state that proves that it would have. Before
// typing into a quick input, wait for its title or items. `dialog.answer`, `pick`, `editors.fill`, `runCommand` and the
// clicks try again until their effect shows and act only once; a click by hand on what may be drawn anew does not.
// One window per file, by `inWindow`: opening one takes 5 to 15 s. Take servers of the editor and folders from `ground()`.
// Of chosen files, and in whole runs, pictures are taken of every question as it is answered, and at the end of every test.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { Chat } from './chat.ts';
import { runCommand } from './commandPalette.ts';
import { Editors } from './editors.ts';
import { ExtensionStatus } from './extensionStatus.ts';
import { type EditorServer, ground, newFolder, openBrowser } from './ground.ts';
import { ModalDialog } from './modalDialog.ts';
import { Notifications } from './notifications.ts';
import { OutputPanel } from './outputPanel.ts';
import { QuickInput } from './quickInput.ts';
import { ServersTree } from './serversTree.ts';
import { StatusBar } from './statusBar.ts';
import { eventually, patienceMs, succeeds, until } from './until.ts';
import { plainTyping, type Settings, WindowSettings } from './windowSettings.ts';

export { eventually, patienceMs, plainTyping, until };

export interface WorkbenchOptions {
  /** `mcpHost.servers` of the user. */
  readonly servers?: Settings;
  /** The rest of the user's settings.json, besides those that keep the editor quiet. */
  readonly userSettings?: Settings;
  /** In place of both: members of the user's settings.json as they are written. */
  readonly userText?: string;
  /** `mcpHost.servers` of the folder. */
  readonly workspaceServers?: Settings;
  /** The rest of .vscode/settings.json of the folder. */
  readonly workspaceSettings?: Settings;
  /** Files of the folder: relative path → text. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether the folder is trusted; false opens it in Restricted Mode. Default true. */
  readonly trusted?: boolean;
  /** Default: one of those that all tests share. */
  readonly server?: EditorServer;
  /** Servers to wait for. */
  readonly ready?: readonly string[];
}

const serversKey = 'mcpHost.servers';

/** How long the page, and then the extension, may take to be there. */
const loadMs = 120_000;

/** A window for the tests of a group, which is open from before its first to after its last. */
export function inWindow(
  options: WorkbenchOptions | (() => Promise<WorkbenchOptions>) = {},
): Workbench {
  const workbench = new Workbench();
  before(async () => workbench.open(typeof options === 'function' ? await options() : options));
  after(() => workbench.close());
  return workbench;
}

export class Workbench {
  readonly #home = newFolder('window-');
  /** The folder that is open in the window. */
  readonly folder = path.join(this.#home, 'workspace');
  readonly #statusFile = path.join(this.#home, 'status.json');
  readonly settings = new WindowSettings(this, this.folder, this.#statusFile);
  readonly extension = new ExtensionStatus(this.#statusFile);
  readonly tree = new ServersTree(this);
  readonly editors = new Editors(this);
  readonly output = new OutputPanel(this);
  readonly notifications = new Notifications(this);
  readonly statusBar = new StatusBar(this);
  readonly dialog = new ModalDialog(this);
  readonly quickInput = new QuickInput(this);
  readonly chat = new Chat(this);
  #options: WorkbenchOptions = {};
  #context: BrowserContext | undefined;
  #page: Page | undefined;

  get page(): Page {
    return this.#page ?? assert.fail('The window is not open.');
  }

  get server(): EditorServer {
    const { server, trusted = true } = this.#options;
    return server ?? (trusted ? ground().trusted : ground().restricted);
  }

  async open(options: WorkbenchOptions): Promise<void> {
    this.#options = options;
    this.#context = await openBrowser(path.join(this.#home, 'browser'));
    this.#page = this.#context.pages()[0];
    this.page.setDefaultTimeout(patienceMs);
    await mkdir(this.folder, { recursive: true });
    for (const [name, text] of Object.entries(options.files ?? {})) {
      await this.writeFile(name, text);
    }
    const { servers, userSettings, userText, workspaceServers, workspaceSettings } = options;
    await (userText === undefined
      ? this.settings.setUser({ ...(servers && { [serversKey]: servers }), ...userSettings })
      : this.settings.setUserText(userText));
    if (workspaceServers !== undefined || workspaceSettings !== undefined) {
      await this.settings.setWorkspace({ [serversKey]: workspaceServers, ...workspaceSettings });
    }
    await this.load();
    for (const name of options.ready ?? []) await this.extension.waitForServer(name, 'ready');
  }

  /** Loads the page, again after a change that needs it, and shows the MCP view once the extension is active. */
  async load(): Promise<void> {
    await this.extension.forget();
    const url = `${this.server.url}/?folder=${encodeURIComponent(this.folder)}`;
    await this.page.goto(url, { waitUntil: 'commit', timeout: patienceMs });
    const statusBar = this.page.locator('.monaco-workbench .part.statusbar');
    await statusBar.waitFor({ timeout: loadMs });
    await until('the extension to be active', () => this.extension.read(), Boolean, loadMs);
    await this.#expectActive();
  }

  /** As the editor's own command does it, which first writes down what the window is to remember. */
  async reload(): Promise<void> {
    await this.extension.forget();
    await this.runCommand('Developer: Reload Window');
    await this.#expectActive();
  }

  async #expectActive(): Promise<void> {
    const { active, error } = await this.extension.status();
    assert.ok(active, `The extension did not activate: ${error}`);
    await this.tree.show();
  }

  /** Waits for an extension host that was killed to be there again, and agrees if the editor asks first. */
  async restartExtensionHost(): Promise<void> {
    const restart = this.page
      .locator('.notifications-toasts .monaco-button, .notifications-center .monaco-button')
      .filter({ hasText: /Restart.*Extension Host/ })
      .first();
    await until(
      'the extension to be active again',
      async () => {
        if (await restart.isVisible())
          await restart.click({ timeout: 2_000 }).catch(() => undefined);
        return (await this.extension.read())?.active ?? false;
      },
      Boolean,
      120_000,
    );
  }

  /** Writes a file of the folder. */
  async writeFile(name: string, text: string): Promise<void> {
    const file = path.join(this.folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /** Closes the window, and with it its extension host. */
  async close(): Promise<void> {
    // A window that vanishes is kept for its return: its extension host would follow the next test's settings.
    if (this.#page?.isClosed() === false) await this.#page.goto('about:blank');
    await this.#context?.close();
  }

  /** Waits for the text on the clipboard to be like this. @returns all of it */
  async expectClipboard(expected: RegExp): Promise<string> {
    return eventually(
      async () => String(await this.page.evaluate('navigator.clipboard.readText()')),
      (text) => assert.match(text, expected),
    );
  }

  /** Chooses a tool in the list of all. */
  async chooseTool(label: string): Promise<void> {
    await until('the list of tools', async () => {
      await this.runCommand('MCP Host: Run Tool…');
      // An editor that is still being opened takes the focus, which closes the list.
      return succeeds(this.quickInput.fill(label, 15_000));
    });
    await this.quickInput.pick(label);
  }

  /** Opens a file of the folder by its name. */
  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press('Control+P');
    await this.quickInput.fill(name);
    await this.quickInput.expectItem(name);
    await this.quickInput.accept();
  }

  /** What is typed into an app does not reach the editor. */
  async leaveApp(): Promise<void> {
    const tab = this.page.locator('.part.editor .tabs-container .tab.active').first();
    if (await tab.isVisible()) await tab.click();
  }

  async closeEditors(): Promise<void> {
    await this.leaveApp();
    await this.runCommand('View: Close All Editors');
    await this.editors.expect([]);
  }

  /** Runs a command from the command palette by its full title, such as `MCP Host: Show Servers`. */
  async runCommand(title: string): Promise<void> {
    await runCommand(this.page, title);
  }

  /** The same for a command that asks at the top: a page that has just been opened may take the focus, and closes that. */
  async runAsking(title: string): Promise<void> {
    await until(`what "${title}" asks`, async () => {
      await this.runCommand(title);
      return succeeds(this.quickInput.waitFor(5_000));
    });
  }
}
