// What a script says while it works, and how it fails: one line a step, seconds at the end.
// No cursor tricks, so that a log file reads like the terminal.

/** A failure whose message is meant for the reader as it is; anything else is printed with its stack. */
export class Failure extends Error {}

export function say(text) {
  process.stdout.write(`${text}\n`);
}

/** Runs one step and prints how long it took. `note` adds to the closing line. */
export async function step(label, run) {
  const started = Date.now();
  say(`• ${label} …`);
  let note = '';
  const result = await run((text) => {
    note = text;
  });
  say(`  done in ${seconds(started)}${note ? `: ${note}` : ''}`);
  return result;
}

export function seconds(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`;
}

export function printFailure(error) {
  process.stderr.write(`\n${error instanceof Failure ? error.message : (error?.stack ?? error)}\n`);
}
