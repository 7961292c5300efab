/**
 * Counts up in a file, in turn with other processes that do the same, and dies before its turn is over: `folder file`.
 * Looks for its turn in many places at once, so that some of all the processes see the same moment.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { SharedFolder } from '../../src/host/signIn/sharedFolder.ts';

const [folder = '', file = ''] = process.argv.slice(2);
const never = new AbortController().signal;
const looks = Array.from({ length: 20 }, () =>
  new SharedFolder(folder, (error) => {
    throw error;
  }).alone(
    'count',
    async () => {
      const count = Number(await readFile(file, 'utf8'));
      await delay(50);
      await writeFile(file, String(count + 1));
      process.exit();
    },
    never,
  ),
);
await Promise.all(looks);
