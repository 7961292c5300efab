// What a window looks like in the editor's other themes.
import { takePicture } from './pictures.ts';
import { until } from './until.ts';
import type { Workbench } from './workbench.ts';

const themes = { 'Dark Modern': 'vs-dark', 'Dark High Contrast': 'hc-black', 'Light Modern': 'vs' };

/** Takes a picture in a dark and in a high-contrast theme, and goes back to a light one. */
export async function takeInOtherThemes(workbench: Workbench): Promise<void> {
  for (const theme of ['Dark Modern', 'Dark High Contrast', 'Light Modern'] as const) {
    await chooseTheme(workbench, theme);
    // The app is told, and draws itself anew.
    await workbench.page.waitForTimeout(700);
    if (theme !== 'Light Modern') await takePicture(workbench.page);
  }
}

/** An app may have the keyboard. */
export async function chooseTheme(workbench: Workbench, theme: keyof typeof themes): Promise<void> {
  const { page, quickInput } = workbench;
  await workbench.leaveApp();
  await workbench.runCommand('Preferences: Color Theme');
  await quickInput.fill(theme);
  await quickInput.pick(theme);
  await until(
    theme,
    () => page.locator('.monaco-workbench').getAttribute('class'),
    (classes) => (classes ?? '').split(' ').includes(themes[theme]),
  );
}
