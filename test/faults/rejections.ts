/** Counts unhandled rejections of this process, from the first import on. */
let count = 0;

process.on('unhandledRejection', (reason) => {
  count += 1;
  process.stderr.write(`unhandled rejection: ${String(reason)}\n`);
});

export function unhandledRejections(): number {
  return count;
}
