import { until } from './until.ts';
import type { Workbench } from './workbench.ts';

/** Milliseconds after which a dialog that a key has answered would be gone. */
const settledMs = 1_000;

/** Types on while a dialog with `message` appears, and in it; then leads back to it. */
export async function typeThrough(workbench: Workbench, message: string): Promise<void> {
  const { page, dialog, quickInput } = workbench;
  const isReviewing = async (): Promise<boolean> =>
    (await page.locator('.quick-input-widget:visible').count()) > 0;
  await until(
    `a dialog with "${message}", while somebody types`,
    async () => {
      await page.keyboard.type('yes go on ', { delay: 10 });
      // A key that met the dialog has opened the review.
      return (await dialog.isOpen()) || (await isReviewing());
    },
    Boolean,
  );
  for (const key of ['Space', 'Enter', 'Space', 'y', 'Enter', 'Enter']) {
    await page.keyboard.press(key, { delay: 20 });
  }
  await until(
    `the dialog with "${message}" again`,
    async () => {
      await page.waitForTimeout(settledMs);
      if (await isReviewing()) {
        await quickInput.fill('');
        await quickInput.pick('Back to the Question');
        return false;
      }
      return dialog.isOpen();
    },
    Boolean,
  );
  await dialog.expect(message);
}
