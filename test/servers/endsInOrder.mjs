// A stdio server that ends with its input, and says so in the file that the environment names as ENDED. Appends its
// process id to the file named PIDS.
import { appendFileSync } from 'node:fs';

appendFileSync(process.env.PIDS, `${process.pid}\n`);
process.stdin.resume();
process.stdin.once('end', () => {
  setTimeout(() => appendFileSync(process.env.ENDED, 'in order\n'), 300);
});
