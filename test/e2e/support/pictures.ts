// Pictures of windows among the run's artefacts: of each question as it is answered, and of the end of each test. Where only
// the daily tests run, of failures alone.
import path from 'node:path';
import type { Page } from 'playwright-core';
import { isWhole } from '../../support/whole.ts';
import { ground } from './ground.ts';

let name = '';
let count = 0;

/** The pictures to come are of this test. */
export function nameNextPictures(test: Mocha.Runnable | undefined): void {
  const file = path.basename(test?.file ?? '', '.e2e.ts');
  name = `${file}-${(test?.title ?? '').replaceAll(/[^\w-]+/g, '-').slice(0, 80)}`;
  count = 0;
}

export async function takePicture(page: Page, mark = ''): Promise<void> {
  if (mark === '' && !isWhole) {
    return;
  }
  count += 1;
  await page
    .screenshot({
      path: path.join(ground().screenshots, `${mark}${name}-${count}.png`),
      // A notification that glides in is shown in its place.
      animations: 'disabled',
    })
    // The page may be what broke, or be gone.
    .catch(() => undefined);
}
