/** Counts up in a file, in turns with other processes that do the same: `folder file rounds`. Not one step may be lost. */
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { SharedFolder } from '../../src/host/signIn/sharedFolder.ts';

const [folder = '', file = '', rounds = '0'] = process.argv.slice(2);
const shared = new SharedFolder(folder, (error) => {
  throw error;
});
const never = new AbortController().signal;
for (let round = 0; round < Number(rounds); round += 1) {
  await shared.alone(
    'count',
    async () => {
      const count = Number(await readFile(file, 'utf8'));
      await delay(1);
      await writeFile(file, String(count + 1));
    },
    never,
  );
}
