// What a window looks like in the editor's other themes.
import { takePicture } from './pictures.ts';
import { until } from './until.ts';
import type { Workbench } from './workbench.ts';

const themes = { 'Dark Modern': 'vs-dark', 'Dark High Contrast': 'hc-black', 'Light Modern': 'vs' };

/** Takes a picture in a dark and in a high-contrast theme, and goes back to a light one. An app may have the keyboard. */
export async function takeInOtherThemes(workbench: Workbench): Promise<void> {
  const { page, quickInput } = workbench;
  for (const [theme, style] of Object.entries(themes)) {
    await workbench.leaveApp();
    await workbench.runCommand('Preferences: Color Theme');
    await quickInput.fill(theme);
    await quickInput.pick(theme);
    await until(
      theme,
      () => page.locator('.monaco-workbench').getAttribute('class'),
      (classes) => (classes ?? '').split(' ').includes(style),
    );
    // The app is told, and draws itself anew.
    await page.waitForTimeout(700);
    if (style !== 'vs') await takePicture(page);
  }
}
