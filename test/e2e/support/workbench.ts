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
// One window per file: opening one takes 5 to 15 s. Take servers of the editor and folders from `ground()`, and give
// pictures names that no other file gives.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { runCommand } from './commandPalette.ts';
import { Editors } from './editors.ts';
import { ExtensionStatus } from './extensionStatus.ts';
import type { EditorServer } from './ground.ts';
import { ground, openBrowser } from './ground.ts';
import { ModalDialog } from './modalDialog.ts';
import { Notifications } from './notifications.ts';
import { OutputPanel } from './outputPanel.ts';
import { QuickInput } from './quickInput.ts';
import { ServersTree } from './serversTree.ts';
import { StatusBar } from './statusBar.ts';
import { eventually, patienceMs, until } from './until.ts';
import { type Settings, WindowSettings } from './windowSettings.ts';

export { eventually, patienceMs, until };

export interface WorkbenchOptions {
  /** The user's settings.json, besides those that keep the editor quiet. */
  readonly userSettings?: Settings;
  /** .vscode/settings.json of the folder. */
  readonly workspaceSettings?: Settings;
  /** Files of the folder: relative path → text. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether the folder is trusted; false opens it in Restricted Mode. Default true. */
  readonly trusted?: boolean;
  /** Default: one of those that all tests share. */
  readonly server?: EditorServer;
}

/** How long the page, and then the extension, may take to be there. */
const loadMs = 120_000;

/** Opens a window on a new folder and waits until the extension in it is active. Close it with `close()`. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const home = await mkdtemp(path.join(ground().folder, 'window-'));
  const workbench = new Workbench(home, options, await openBrowser(path.join(home, 'browser')));
  await workbench.prepare();
  await workbench.load();
  return workbench;
}

export class Workbench {
  readonly page: Page;
  /** The folder that is open in the window. */
  readonly folder: string;
  readonly settings: WindowSettings;
  readonly extension: ExtensionStatus;
  readonly tree: ServersTree;
  readonly editors: Editors;
  readonly output: OutputPanel;
  readonly notifications: Notifications;
  readonly statusBar: StatusBar;
  readonly dialog: ModalDialog;
  readonly quickInput: QuickInput;
  readonly #context: BrowserContext;
  readonly #options: WorkbenchOptions;
  readonly #server: EditorServer;
  readonly #isOnlyOne: boolean;

  /** @param beside a page of its own in a browser that shows other windows, too */
  constructor(home: string, options: WorkbenchOptions, context: BrowserContext, beside?: Page) {
    const page = beside ?? context.pages()[0];
    assert.ok(page, 'a new browser has a page');
    page.setDefaultTimeout(patienceMs);
    const { trusted, restricted } = ground();
    const statusFile = path.join(home, 'status.json');
    this.#context = context;
    this.#options = options;
    this.#isOnlyOne = beside === undefined;
    this.#server = options.server ?? (options.trusted === false ? restricted : trusted);
    this.page = page;
    this.folder = path.join(home, 'workspace');
    this.settings = new WindowSettings(this.#server.settings, this.folder, statusFile);
    this.extension = new ExtensionStatus(statusFile);
    this.tree = new ServersTree(page);
    this.editors = new Editors(page);
    this.output = new OutputPanel(page);
    this.notifications = new Notifications(page);
    this.statusBar = new StatusBar(page);
    this.dialog = new ModalDialog(page);
    this.quickInput = new QuickInput(page);
  }

  /**
   * Opens another window of the same browser on a new folder, with the same settings of the user. What the editor keeps in
   * a browser is shared by its windows. The file with what the extension says is the other one's from the next load on.
   */
  async openBeside(): Promise<Workbench> {
    const home = await mkdtemp(path.join(ground().folder, 'window-'));
    const page = await this.#context.newPage();
    const workbench = new Workbench(home, this.#options, this.#context, page);
    await workbench.prepare();
    await workbench.load();
    return workbench;
  }

  /** Writes the folder and the settings. `openWorkbench` has done it. */
  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    for (const [name, text] of Object.entries(this.#options.files ?? {})) {
      await this.writeFile(name, text);
    }
    await this.settings.setUser(this.#options.userSettings ?? {});
    const { workspaceSettings } = this.#options;
    if (workspaceSettings !== undefined) await this.settings.setWorkspace(workspaceSettings);
  }

  /** Loads the page, again after a change that needs it, and waits until the extension is active. */
  async load(): Promise<void> {
    await this.extension.forget();
    const url = `${this.#server.url}/?folder=${encodeURIComponent(this.folder)}`;
    await this.page.goto(url, { waitUntil: 'commit', timeout: patienceMs });
    const statusBar = this.page.locator('.monaco-workbench .part.statusbar');
    await statusBar.waitFor({ timeout: loadMs });
    await until('the extension to be active', () => this.extension.read(), Boolean, loadMs);
    const status = await this.extension.status();
    assert.ok(status.active, `The extension did not activate: ${status.error}`);
  }

  /** As the editor's own command does it, which first writes down what the window is to remember. */
  async reload(): Promise<void> {
    await this.extension.forget();
    await this.runCommand('Developer: Reload Window');
    const status = await this.extension.status();
    assert.ok(status.active, `The extension did not activate: ${status.error}`);
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

  /** Keeps a picture of the window among the run's artefacts. */
  async screenshot(name: string): Promise<void> {
    await this.page.screenshot({
      path: path.join(ground().screenshots, `${name}.png`),
      // A notification that glides in is shown in its place.
      animations: 'disabled',
    });
  }

  /** Closes the window, and with it its extension host. */
  async close(): Promise<void> {
    // A window that vanishes is kept for its return: its extension host would follow the next test's settings.
    await this.leave();
    await (this.#isOnlyOne ? this.#context.close() : this.page.close());
  }

  /** Ends the window as a user does who goes elsewhere in its tab. */
  async leave(): Promise<void> {
    if (!this.page.isClosed()) await this.page.goto('about:blank');
  }

  /** The text on the clipboard. */
  async clipboard(): Promise<string> {
    return String(await this.page.evaluate('navigator.clipboard.readText()'));
  }

  /** Runs a command from the command palette by its full title, such as `MCP Host: Show Servers`. */
  async runCommand(title: string): Promise<void> {
    await runCommand(this.page, title);
  }
}
