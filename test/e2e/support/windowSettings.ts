// The settings of a window: the user's, with those that keep the editor quiet, and its folder's.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { EditorServer } from './ground.ts';
import { until } from './until.ts';

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

/** What is typed stays as it is. */
export const plainTyping: Settings = {
  'editor.autoClosingBrackets': 'never',
  'editor.autoClosingQuotes': 'never',
};

export class WindowSettings {
  readonly #window: { readonly server: EditorServer };
  readonly #workspaceFile: string;
  readonly #own: Settings;

  /** @param statusFile where the extension of the demo writes what ours says of itself */
  constructor(window: { readonly server: EditorServer }, folder: string, statusFile: string) {
    this.#window = window;
    this.#workspaceFile = path.join(folder, '.vscode', 'settings.json');
    const theme = process.env['MCP_HOST_THEME'];
    this.#own = {
      ...quietSettings,
      ...(theme !== undefined && { 'workbench.colorTheme': theme }),
      'mcpHostDemo.statusFile': statusFile,
    };
  }

  /** The user's settings.json, besides what the window itself needs. */
  async setUser(settings: Settings): Promise<void> {
    await writeFile(this.#userFile, json({ ...this.#own, ...settings }));
  }

  /** The text of the user's settings.json, which the editor may be writing. */
  async userText(): Promise<string> {
    return until(
      'the whole text of the settings',
      () => readFile(this.#userFile, 'utf8'),
      (text) => text.trimEnd().endsWith('}'),
    );
  }

  /** Writes the user's settings.json as it is given, but for the lines that the window itself needs. */
  async setUserText(members: string): Promise<void> {
    const lines = JSON.stringify(this.#own, null, 2).slice(1, -1).trimEnd();
    await writeFile(this.#userFile, `{${lines},\n${members}\n}\n`);
  }

  /** .vscode/settings.json of the folder. */
  async setWorkspace(settings: Settings): Promise<void> {
    await mkdir(path.dirname(this.#workspaceFile), { recursive: true });
    await writeFile(this.#workspaceFile, json(settings));
  }

  get #userFile(): string {
    return this.#window.server.settings;
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
