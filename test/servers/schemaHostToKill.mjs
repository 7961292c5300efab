// A host that is there to be killed while a process of its own checks a value: prints the id of that. With the argument
// "idle" the check is done by then and no reaper knows of it, otherwise it has no end in sight.
import { reaper } from '../../src/mcp/transport/stdio/reaper.ts';
import { createSchemaChecker } from '../../src/entries/schemas.ts';

const isIdle = process.argv[2] === 'idle';
let pid;
const checker = createSchemaChecker({
  watch: (started) => {
    pid = started;
    if (!isIdle) {
      reaper.watch(pid); // which it is told in the next turn
      setTimeout(() => process.stdout.write(`${pid}\n`), 1);
    }
  },
  release: (ended) => reaper.release(ended),
});
if (isIdle) {
  const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`p${n}`, {}]));
  await checker.check({ properties }, {});
  process.stdout.write(`${pid}\n`);
} else {
  await checker.check({ pattern: '^(?=(a+)+$)' }, `${'a'.repeat(60)}!`);
}
if (process.argv[3] !== 'ends') {
  setTimeout(() => process.exit(9), 120_000);
}
