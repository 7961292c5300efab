// A VS Code window as the browser tests see it: open it on a folder of its own with settings of its own, do what a user
// does, read what a user reads. It knows the editor's page and nothing of what the extension should do.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Frame, Locator, Page } from 'playwright-core';
import type { EditorServer } from './ground.ts';
import { ground, openBrowser } from './ground.ts';
import { QuickInput } from './quickInput.ts';
import { eventually, noteSecondTry, patienceMs, until } from './until.ts';

export { eventually, patienceMs, until };

type Settings = Readonly<Record<string, unknown>>;

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

/** How long a notification is waited for on the screen before the list of all is opened. */
const toastMs = 8_000;
/** How long the page, and then the extension, may take to be there; in the first try, and in the last one. */
const loadMs = [60_000, 120_000] as const;

/** One server as the extension's exports describe it. */
export interface ServerStatus {
  readonly name: string;
  readonly scope: string;
  readonly state: string;
  readonly revision?: string;
  readonly transport?: string;
  readonly tools: number;
  readonly prompts: number;
  readonly resources: number;
  readonly error?: string;
}

export interface Status {
  readonly active: boolean;
  readonly error?: string;
  readonly servers: readonly ServerStatus[];
}

/** A line of a tree, from top to bottom as it is shown; a long tree shows only what fits. */
export interface Row {
  /** 1 for the top. */
  readonly level: number;
  readonly label: string;
  readonly description: string;
}

export interface Dialog {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

const quietSettings: Settings = {
  'workbench.startupEditor': 'none',
  // Settings open as a dialog over the whole window otherwise.
  'workbench.editor.useModal': 'off',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
  'extensions.autoCheckUpdates': false,
  // With `false` the editor replaces it by this word, and what a test writes meanwhile is lost.
  'extensions.autoUpdate': 'off',
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'git.enabled': false,
  'npm.autoDetect': 'off',
  'window.confirmBeforeClose': 'never',
  // What moves is drawn again and again, which a slow machine feels.
  'workbench.reduceMotion': 'on',
};

/** Opens a window on a new folder and waits until the extension in it is active. Close it with `close()`. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const home = await mkdtemp(path.join(ground().folder, 'window-'));
  const workbench = new Workbench(home, options, await openBrowser(path.join(home, 'browser')));
  await workbench.prepare();
  await workbench.load();
  return workbench;
}

export class Workbench {
  /** The folder that is open in the window. */
  readonly folder: string;
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #options: WorkbenchOptions;
  readonly #statusFile: string;

  constructor(home: string, options: WorkbenchOptions, context: BrowserContext) {
    const [page] = context.pages();
    assert.ok(page, 'a new browser has a page');
    this.folder = path.join(home, 'workspace');
    this.page = page;
    page.setDefaultTimeout(patienceMs);
    this.#context = context;
    this.#options = options;
    this.#statusFile = path.join(home, 'status.json');
  }

  get #server() {
    const { server, trusted } = this.#options;
    return server ?? (trusted === false ? ground().restricted : ground().trusted);
  }

  /** Writes the folder and the settings. `openWorkbench` has done it. */
  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    for (const [name, text] of Object.entries(this.#options.files ?? {})) {
      await this.writeFile(name, text);
    }
    await this.setUserSettings(this.#options.userSettings ?? {});
    const { workspaceSettings } = this.#options;
    if (workspaceSettings !== undefined) await this.setWorkspaceSettings(workspaceSettings);
  }

  /**
   * Loads the page, again after a change that needs it, and waits until the extension is active. A hook has no second try,
   * so a page that does not come is loaded once more; an extension that fails to activate is not.
   */
  async load(): Promise<void> {
    const [firstMs, lastMs] = loadMs;
    try {
      await this.#show(firstMs);
    } catch (error) {
      noteSecondTry('the window', error);
      await this.screenshot(`failed-window-${path.basename(path.dirname(this.folder))}`).catch(
        () => undefined,
      );
      await this.#show(lastMs);
    }
    const status = await this.status();
    assert.ok(status.active, `The extension did not activate: ${status.error}`);
  }

  /** As the editor's own command does it, which first writes down what the window is to remember. */
  async reload(): Promise<void> {
    await this.forgetStatus();
    await this.runCommand('Developer: Reload Window');
    const status = await this.status();
    assert.ok(status.active, `The extension did not activate: ${status.error}`);
  }

  async #show(timeout: number): Promise<void> {
    await this.forgetStatus();
    const url = `${this.#server.url}/?folder=${encodeURIComponent(this.folder)}`;
    await this.page.goto(url, { waitUntil: 'commit', timeout: patienceMs });
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout });
    await until('the extension to be active', () => this.#readStatus(), Boolean, timeout);
  }

  /** What the extension has said so far counts no more: of one that is about to be started again. */
  async forgetStatus(): Promise<void> {
    await rm(this.#statusFile, { force: true });
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
        return (await this.#readStatus())?.active ?? false;
      },
      Boolean,
      120_000,
    );
  }

  /** What the extension itself says of its servers. */
  async status(): Promise<Status> {
    return until('the extension to be active', () => this.#readStatus(), Boolean).then(
      (status) => status ?? assert.fail('no status'),
    );
  }

  /** Waits until the server `name` is in `state`, by what the extension says. */
  async waitForServer(name: string, state: string, timeoutMs = patienceMs): Promise<ServerStatus> {
    const status = await until(
      `the server ${name} to be ${state}`,
      () => this.status(),
      ({ servers }) => servers.some((server) => server.name === name && server.state === state),
      timeoutMs,
    );
    return status.servers.find((server) => server.name === name && server.state === state)!;
  }

  async #readStatus(): Promise<Status | undefined> {
    try {
      const status: Status = JSON.parse(await readFile(this.#statusFile, 'utf8'));
      return status;
    } catch {
      return undefined;
    }
  }

  async setUserSettings(settings: Settings): Promise<void> {
    const own = { 'mcpHostDemo.statusFile': this.#statusFile };
    await writeFile(this.#server.settings, json({ ...quietSettings, ...own, ...settings }));
  }

  /** The text of the user's settings.json. */
  async userSettingsText(): Promise<string> {
    return readFile(this.#server.settings, 'utf8');
  }

  /** Writes the user's settings.json as it is given, but for the lines that the window itself needs. */
  async setUserSettingsText(members: string): Promise<void> {
    const own = { 'mcpHostDemo.statusFile': this.#statusFile, ...quietSettings };
    const lines = JSON.stringify(own, null, 2).slice(1, -1).trimEnd();
    await writeFile(this.#server.settings, `{${lines},\n${members}\n}\n`);
  }

  async setWorkspaceSettings(settings: Settings): Promise<void> {
    await this.writeFile('.vscode/settings.json', json(settings));
  }

  /** Writes a file of the folder. */
  async writeFile(name: string, text: string): Promise<void> {
    const file = path.join(this.folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /** Runs a command from the command palette by its full title, such as `MCP Host: Show Servers`. */
  async runCommand(title: string): Promise<void> {
    const box = this.page.locator('.quick-input-widget:visible .quick-input-box input');
    const text = async (): Promise<string> =>
      (await box.count()) === 0 ? '' : box.inputValue({ timeout: 1_000 }).catch(() => '');
    const row = this.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ has: this.page.getByText(title, { exact: true }) })
      .first();
    await until(
      `"${title}" in the command palette`,
      async () => {
        // A dialog that is about to close takes the key away, an input that is about to close the palette.
        if (!(await text()).startsWith('>')) await this.page.keyboard.press('F1');
        await this.page.waitForTimeout(100);
        if (!(await text()).startsWith('>')) return false;
        await box.fill(`>${title}`, { timeout: 2_000 }).catch(() => undefined);
        return row.waitFor({ timeout: 5_000 }).then(
          () => true,
          () => false,
        );
      },
      Boolean,
    );
    // The palette closes on the click; while it is there, the command has not been run.
    await until(
      `"${title}" to be chosen`,
      async () => {
        if (!(await text()).startsWith('>')) return '';
        await row.click({ timeout: 2_000 }).catch(() => undefined);
        // A second click would hit what the command shows in the place of the palette.
        await until('the palette to close', text, (shown) => !shown.startsWith('>'), 5_000).catch(
          () => undefined,
        );
        return text();
      },
      (shown) => !shown.startsWith('>'),
    );
  }

  /** Shows the MCP view and waits for its first line or its welcome text. */
  async showServers(): Promise<void> {
    const tree = this.page.locator('.sidebar .pane-body .monaco-list, .sidebar .welcome-view');
    const tab = this.page.locator('.activitybar .action-item').filter({
      has: this.page.locator('[aria-label^="MCP"]'),
    });
    await until(
      'the MCP view',
      async () => {
        const isSelected = await tab.getAttribute('aria-selected').catch(() => null);
        if (isSelected !== 'true') await tab.click();
        return tree
          .first()
          .waitFor({ timeout: 10_000 })
          .then(
            () => true,
            () => false,
          );
      },
      Boolean,
    );
  }

  /** The side bar's text, for a welcome view. */
  async sideBarText(): Promise<string> {
    return (await this.page.locator('.sidebar').innerText()).trim();
  }

  /** The lines of the side bar's tree that are on the screen. */
  async rows(): Promise<readonly Row[]> {
    return this.page.locator('.sidebar .monaco-list-row').evaluateAll((elements) =>
      elements.map((element) => ({
        level: Number(element.getAttribute('aria-level')),
        label: element.querySelector('.label-name')?.textContent ?? '',
        description: element.querySelector('.label-description')?.textContent ?? '',
      })),
    );
  }

  /** Waits for lines of the side bar's tree that `accept` likes. */
  async waitForRows(
    what: string,
    accept: (rows: readonly Row[]) => boolean,
  ): Promise<readonly Row[]> {
    return until(what, () => this.rows(), accept);
  }

  /** The line with this label; the first, when there are several. */
  row(label: string): Locator {
    return this.page
      .locator('.sidebar .monaco-list-row')
      .filter({ has: this.page.locator('.label-name').getByText(label, { exact: true }) })
      .first();
  }

  /** Clicks the line with this label, for what it opens. */
  async clickRow(label: string): Promise<void> {
    const row = this.row(label);
    const selected = row.and(this.page.locator('[aria-selected="true"]'));
    await until(
      `a click on ${label}`,
      async () => {
        await row.click();
        // A line that is redrawn meanwhile loses the click.
        return selected.waitFor({ timeout: 3_000 }).then(
          () => true,
          () => false,
        );
      },
      Boolean,
    );
  }

  /** Opens lines from top to bottom: a server, a group in it. */
  async expand(...labels: readonly string[]): Promise<void> {
    for (const label of labels) {
      const row = this.row(label);
      await row.waitFor({ timeout: patienceMs });
      await until(
        `${label} to be open`,
        async () => {
          if ((await row.getAttribute('aria-expanded')) === 'false') {
            await row.locator('.monaco-tl-twistie').click();
            // A line that is redrawn meanwhile loses the click.
            const open = row.and(this.page.locator('[aria-expanded="true"]'));
            await open.waitFor({ timeout: 2_000 }).catch(() => undefined);
          }
          return this.#showsInside(row);
        },
        (shows) => shows,
      );
    }
  }

  /**
   * Whether what is in this line can be seen, or lies below the window. An open line alone says nothing yet: one whose
   * server is redrawn while the editor asks what is in it is closed again.
   */
  async #showsInside(row: Locator): Promise<boolean> {
    return row.evaluate((line) => {
      const number = (element: typeof line, name: string) => Number(element.getAttribute(name));
      const next = [...(line.parentElement?.children ?? [])].find(
        (other) => number(other, 'data-index') === number(line, 'data-index') + 1,
      );
      const list = line.closest('.monaco-list');
      const isLowest =
        list !== null &&
        line.getBoundingClientRect().bottom > list.getBoundingClientRect().bottom - 30;
      return (
        line.getAttribute('aria-expanded') === 'true' &&
        (next === undefined ? isLowest : number(next, 'aria-level') > number(line, 'aria-level'))
      );
    });
  }

  async collapse(label: string): Promise<void> {
    const row = this.row(label);
    await row.waitFor({ timeout: patienceMs });
    await until(
      `${label} to be closed`,
      async () => {
        if ((await row.getAttribute('aria-expanded')) === 'true') {
          await row.locator('.monaco-tl-twistie').click();
          const closed = row.and(this.page.locator('[aria-expanded="false"]'));
          await closed.waitFor({ timeout: 2_000 }).catch(() => undefined);
        }
        return row.getAttribute('aria-expanded');
      },
      (expanded) => expanded === 'false',
    );
  }

  /** The titles of the actions on a line, which show when the mouse is over it. */
  async inlineActions(label: string): Promise<readonly string[]> {
    await this.row(label).hover();
    return this.row(label)
      .locator('.actions .action-label')
      .evaluateAll((elements) => elements.map((e) => e.getAttribute('aria-label') ?? ''));
  }

  /** Waits for exactly these actions on a line. */
  async expectInlineActions(label: string, expected: readonly string[]): Promise<void> {
    await eventually(
      () => this.inlineActions(label),
      (actions) => assert.deepEqual(actions, expected),
    );
  }

  /** Clicks the action with this title on a line. */
  async clickInlineAction(label: string, title: string): Promise<void> {
    await this.clickRowAction(async () => this.row(label), title);
  }

  /** The same for a line that its label alone does not find. */
  async clickRowAction(findRow: () => Promise<Locator>, title: string): Promise<void> {
    // A line that moves while the tree grows loses the mouse, and its actions with it.
    await until(
      `a click on "${title}"`,
      async () => {
        try {
          const row = await findRow();
          await row.hover({ timeout: 5_000 });
          const before = await this.#effects(row);
          await row
            .locator(`.actions .action-label[aria-label^="${title}"]`)
            .click({ timeout: 2_000 });
          await until(
            'an effect',
            () => this.#effects(row),
            (effects) => effects !== before,
            2_000,
          ).catch(() => undefined);
        } catch (error) {
          return String(error);
        }
        // The editor does not know a line that is drawn anew at this moment: the command asks which was meant.
        const box = this.page.locator('.quick-input-widget:visible .quick-input-box input');
        const asked = await box.evaluateAll((boxes) =>
          boxes.map((one) => one.getAttribute('placeholder')),
        );
        if (
          !asked.some((text) => /^Which (?:tool|server|resource|request|one)\b/.test(text ?? ''))
        ) {
          return 'done';
        }
        await this.quickInput.cancel();
        return 'asked which';
      },
      (outcome) => outcome === 'done',
    );
  }

  /** Drags a line to the middle of something else, in the small steps that a hand makes. */
  async drag(label: string, target: Locator): Promise<void> {
    const from = await this.row(label).locator('.label-name').boundingBox();
    const to = await target.boundingBox();
    if (from === null || to === null) return;
    const { mouse } = this.page;
    await mouse.move(from.x + 10, from.y + from.height / 2);
    await mouse.down();
    await mouse.move(from.x + 20, from.y + from.height / 2 + 4, { steps: 4 });
    await mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 20 });
    await mouse.move(to.x + to.width / 2 + 4, to.y + to.height / 2 + 4, { steps: 4 });
    await this.page.waitForTimeout(300);
    await mouse.up();
  }

  /** Chooses an entry of a line's context menu. */
  async chooseInMenu(label: string, entry: string): Promise<void> {
    const menu = this.page.locator('.context-view .monaco-menu');
    let isChosen = false;
    await until(
      `"${entry}" in the menu of ${label}`,
      async () => {
        try {
          if (!(await menu.isVisible())) {
            if (isChosen) return 'done';
            await this.row(label).click({ button: 'right', timeout: 5_000 });
          }
          const item = menu.locator('.action-label').getByText(entry, { exact: true });
          // A menu takes no click in its first moments: it is there until it has taken one.
          await item.first().click({ timeout: 5_000 });
          isChosen = true;
          await menu.waitFor({ state: 'detached', timeout: 2_000 });
          return 'done';
        } catch (error) {
          return String(error);
        }
      },
      (outcome) => outcome === 'done',
    );
  }

  /** Waits for a modal dialog, with `expected` in its message, and reads it. */
  async dialog(expected: RegExp | string = ''): Promise<Dialog> {
    const dialog = await until(
      `a dialog with "${String(expected)}"`,
      () => this.#readDialog(),
      (shown) =>
        shown !== undefined &&
        shown.message !== '' &&
        (typeof expected === 'string'
          ? shown.message.includes(expected)
          : expected.test(shown.message)),
    );
    return dialog ?? assert.fail('no dialog');
  }

  /** At one moment: another dialog may follow at once. */
  async #readDialog(): Promise<Dialog | undefined> {
    const shown = await this.page.locator('.monaco-dialog-box').evaluateAll((boxes) =>
      boxes.map((box) => {
        const text = (part: string): string => {
          const element = box.querySelector(part);
          return element === null ? '' : String(Reflect.get(element, 'innerText'));
        };
        return {
          message: text('.dialog-message-text'),
          detail: text('.dialog-message-detail'),
          buttons: [...box.querySelectorAll('.dialog-buttons .monaco-button')].map(
            (button) => button.textContent ?? '',
          ),
        };
      }),
    );
    return shown.at(-1);
  }

  async hasDialog(): Promise<boolean> {
    return (await this.page.locator('.monaco-dialog-box').count()) > 0;
  }

  /** Clicks a button of the modal dialog and waits until that dialog is gone; another one may follow at once. */
  async answerDialog(button: string): Promise<void> {
    const box = this.page
      .locator('.monaco-dialog-box')
      .filter({ has: this.page.locator('.monaco-button').getByText(button, { exact: true }) });
    const dialog = await box.elementHandle({ timeout: patienceMs });
    assert.ok(dialog);
    // Only ever in this dialog: what is there after it may have a button of the same name.
    await until(
      `the dialog to close on "${button}"`,
      async () => {
        for (const element of await dialog.$$('.monaco-button')) {
          if ((await element.textContent()) !== button) continue;
          await element.click({ timeout: 2_000 }).catch(() => undefined);
        }
        return dialog.evaluate((element) => element.isConnected);
      },
      (isThere) => !isThere,
    );
  }

  /** Closes the modal dialog without an answer. */
  async dismissDialog(): Promise<void> {
    const dialog = await this.page
      .locator('.monaco-dialog-box')
      .elementHandle({ timeout: patienceMs });
    assert.ok(dialog);
    await until(
      'the dialog to close on Escape',
      async () => {
        await this.page.keyboard.press('Escape');
        await dialog.waitForElementState('hidden', { timeout: 2_000 }).catch(() => undefined);
        return dialog.evaluate((element) => element.isConnected);
      },
      (isThere) => !isThere,
    );
  }

  /** The notifications on the screen, newest first. */
  async notifications(): Promise<readonly string[]> {
    return this.page
      .locator('.notifications-toasts .notification-list-item-message')
      .allInnerTexts();
  }

  /** Waits until these notifications are on the screen, and no others. */
  async expectNotifications(expected: readonly string[]): Promise<void> {
    await eventually(
      () => this.notifications(),
      (shown) => assert.deepEqual(shown, expected),
    );
  }

  /** Waits for a notification that has `text` in it and gives it whole. */
  async waitForNotification(text: string): Promise<string> {
    const started = Date.now();
    const read = async () => {
      const all = await this.#notices.locator('.notification-list-item-message').allInnerTexts();
      const found = all.find((message) => message.includes(text));
      if (found === undefined && Date.now() - started > toastMs) await this.#showOldNotifications();
      return found;
    };
    const found = await until(
      `a notification with "${text}"`,
      read,
      (message) => message !== undefined,
    );
    return found ?? assert.fail('no notification');
  }

  /** Clicks a button of the notification that has `text` in it. */
  async answerNotification(text: string, button: string): Promise<void> {
    const notice = this.#notices.filter({ hasText: text }).first();
    await until(
      `a click on "${button}" of "${text}"`,
      async () => {
        try {
          if ((await notice.count()) === 0) await this.#showOldNotifications();
          await notice
            .locator('.monaco-button')
            .getByText(button, { exact: true })
            .click({ timeout: 2_000 });
          return 'done';
        } catch (error) {
          return String(error);
        }
      },
      (outcome) => outcome === 'done',
    );
  }

  get #notices(): Locator {
    return this.page.locator(
      ['.notifications-toasts', '.notifications-center.visible']
        .map((place) => `${place} .notification-list-item`)
        .join(', '),
    );
  }

  /** Most notifications leave the screen after some seconds, which pass quickly on a busy machine; the bell has them. */
  async #showOldNotifications(): Promise<void> {
    if ((await this.page.locator('.notifications-center.visible').count()) > 0) return;
    await this.page
      .locator('[id="status.notifications"] a')
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    // The tooltip of the bell would cover what is clicked next.
    await this.page.mouse.move(700, 400, { steps: 3 });
  }

  /** The text on the clipboard. */
  async clipboard(): Promise<string> {
    return String(await this.page.evaluate('navigator.clipboard.readText()'));
  }

  /** What hovering over a line shows, once that has `part` in it: lines move while servers start and fail. */
  async tooltip(label: string, part: string): Promise<string> {
    const hovers = this.page.locator('.monaco-hover:visible');
    const shown = async (): Promise<string> =>
      plainBlanks((await hovers.allInnerTexts()).join('\n'));
    const isRight = (text: string): boolean => text.includes(part);
    return until(
      `a tooltip of "${label}" with "${part}"`,
      async () => {
        // One that was about to come when the mouse left can stay for good.
        await this.page.mouse.move(700, 400, { steps: 3 });
        await until('no tooltip', shown, (text) => text === '', 3_000).catch(() => undefined);
        // By its beginning: a long label would be scrolled in its line to put the mouse on its middle.
        await this.row(label)
          .locator('.custom-view-tree-node-item-resourceLabel')
          .hover({ position: { x: 30, y: 11 } });
        // A line that is drawn anew at this moment shows nothing until the mouse comes again.
        return until('the tooltip', shown, isRight, 5_000).catch(shown);
      },
      isRight,
    );
  }

  async clearNotifications(): Promise<void> {
    await this.runCommand('Notifications: Clear All Notifications');
  }

  /** The texts of the status bar's items, left to right. */
  async statusBar(): Promise<readonly string[]> {
    const texts = await this.page.locator('.part.statusbar .statusbar-item').allInnerTexts();
    return texts.map((text) => text.trim()).filter((text) => text !== '');
  }

  /** Waits for an item of the status bar with `text` in it. */
  async expectStatusBar(text: string): Promise<void> {
    await until(
      `"${text}" in the status bar`,
      () => this.statusBar(),
      (texts) => texts.some((shown) => shown.includes(text)),
    );
  }

  /** Waits until no item of the status bar has `text` in it. */
  async expectNotInStatusBar(text: string): Promise<void> {
    await until(
      `no "${text}" in the status bar`,
      () => this.statusBar(),
      (texts) => !texts.some((shown) => shown.includes(text)),
    );
  }

  /** Clicks an item of the status bar, for a list or a dialog. */
  async clickStatusBar(text: string): Promise<void> {
    const item = this.page
      .locator('.part.statusbar .statusbar-item')
      .filter({ hasText: text })
      .first();
    const before = await this.#foreground();
    await until(
      `what comes after "${text}" of the status bar`,
      async () => {
        await item.click({ timeout: patienceMs });
        // An item that is drawn anew at this moment loses the click.
        return until(
          'something else in front',
          () => this.#foreground(),
          (shown) => shown !== before,
          10_000,
        ).then(
          () => true,
          () => false,
        );
      },
      Boolean,
    );
  }

  /** All that an action on a line can change at once. */
  async #effects(row: Locator): Promise<string> {
    const parts = await Promise.all([
      this.#foreground(),
      this.editorTitles(),
      this.notifications(),
      row.allInnerTexts(),
      this.page.locator('.part.panel:visible').count(),
    ]);
    return JSON.stringify(parts);
  }

  /** The text of what stands in front of the window: quick inputs and dialogs. */
  async #foreground(): Promise<string> {
    const front = this.page.locator('.quick-input-widget:visible, .monaco-dialog-box');
    return (await front.allInnerTexts()).join('\n');
  }

  /** The open quick pick or input box. */
  get quickInput(): QuickInput {
    return new QuickInput(this.page);
  }

  /** The titles of the open editors in the active group. */
  async editorTitles(): Promise<readonly string[]> {
    return this.page
      .locator('.part.editor .tabs-container .tab')
      .evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('data-resource-name') ?? ''));
  }

  /** Waits until these editors are open, and no others. */
  async expectEditors(expected: readonly string[]): Promise<void> {
    await eventually(
      () => this.editorTitles(),
      (titles) => assert.deepEqual(titles, expected),
    );
  }

  /** Clicks an action in the title bar of the active editor. */
  async clickEditorAction(title: string): Promise<void> {
    await this.page
      .locator('.part.editor .editor-actions .action-label')
      .getByText(title, { exact: true })
      .click({ timeout: patienceMs });
  }

  /** The visible text of the active text editor. */
  async editorText(): Promise<string> {
    const editor = this.page.locator('.part.editor .editor-instance .view-lines').first();
    await editor.waitFor({ timeout: patienceMs });
    const lines = await editor.locator('.view-line').evaluateAll((elements) =>
      elements
        .map((e) => ({ top: e.getBoundingClientRect().top, text: e.textContent ?? '' }))
        .toSorted((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
    return plainBlanks(lines.join('\n'));
  }

  /**
   * Puts text into the active text editor in place of what is there. One that has just been shown puts the caret to its
   * beginning a moment later, in the middle of what is typed.
   */
  async fillEditor(text: string): Promise<void> {
    const { keyboard } = this.page;
    // Pasted: brackets and quotes would be completed.
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await until(
      `"${text}" in the editor`,
      async () => {
        await this.page.locator('.part.editor .editor-instance .view-lines').first().click();
        await keyboard.press('Control+A');
        await keyboard.press('Control+V');
        return this.editorText();
      },
      (shown) => inOneLine(shown) === inOneLine(text),
    );
  }

  async waitForEditorText(text: string): Promise<string> {
    return until(
      `an editor with "${text}"`,
      () => this.editorText(),
      (shown) => shown.includes(text),
    );
  }

  /** Waits for a page of an extension that has `text` in it. */
  async webview(text: string): Promise<Frame> {
    let found: Frame | undefined;
    await until(
      `a page with "${text}"`,
      async () => {
        for (const frame of this.page.frames().slice(1)) {
          // A frame that is being replaced has no text.
          const shown = await frame
            .locator('body')
            .innerText({ timeout: 1_000 })
            .catch(() => '');
          if (shown.includes(text)) found = frame;
        }
        return found !== undefined;
      },
      Boolean,
    );
    return found ?? assert.fail('no page');
  }

  /** Waits for text in the Output panel. */
  async waitForOutput(text: string): Promise<string> {
    const lines = this.page.locator('.part.panel .output-view .view-line');
    return until(
      `output with "${text}"`,
      async () => plainBlanks((await lines.allTextContents()).join('\n')),
      (shown) => shown.includes(text),
    );
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
    await this.#context.close();
  }

  /** Ends the window as a user does who goes elsewhere in its tab. */
  async leave(): Promise<void> {
    if (!this.page.isClosed()) await this.page.goto('about:blank');
  }
}

/** The editor draws many a blank as a no-break space. */
function plainBlanks(text: string): string {
  return text.replaceAll('\u00a0', ' ');
}

/** A long line is shown in several. */
function inOneLine(text: string): string {
  return text.replaceAll('\n', '');
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
