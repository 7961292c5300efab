// The settings of a window: the user's, with those that keep the editor quiet, and its folder's.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

export type Settings = Readonly<Record<string, unknown>>;

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

export class WindowSettings {
  readonly #userFile: string;
  readonly #workspaceFile: string;
  readonly #statusFile: string;

  /** @param statusFile where the extension of the demo writes what ours says of itself */
  constructor(userFile: string, folder: string, statusFile: string) {
    this.#userFile = userFile;
    this.#workspaceFile = path.join(folder, '.vscode', 'settings.json');
    this.#statusFile = statusFile;
  }

  /** The user's settings.json, besides what the window itself needs. */
  async setUser(settings: Settings): Promise<void> {
    const own = { 'mcpHostDemo.statusFile': this.#statusFile };
    await writeFile(this.#userFile, json({ ...quietSettings, ...own, ...settings }));
  }

  /** The text of the user's settings.json. */
  async userText(): Promise<string> {
    return readFile(this.#userFile, 'utf8');
  }

  /** Writes the user's settings.json as it is given, but for the lines that the window itself needs. */
  async setUserText(members: string): Promise<void> {
    const own = { 'mcpHostDemo.statusFile': this.#statusFile, ...quietSettings };
    const lines = JSON.stringify(own, null, 2).slice(1, -1).trimEnd();
    await writeFile(this.#userFile, `{${lines},\n${members}\n}\n`);
  }

  /** .vscode/settings.json of the folder. */
  async setWorkspace(settings: Settings): Promise<void> {
    await mkdir(path.dirname(this.#workspaceFile), { recursive: true });
    await writeFile(this.#workspaceFile, json(settings));
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
