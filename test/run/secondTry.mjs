// Another program can have had the machine: test files that failed run a second time, alone and one after the other, as do windows
// of host tests. Each is named and has to be mended, and many in one suite fail it.
import path from 'node:path';

/** As many failed tests, or files of them, fail their suite at once: something is wrong then. */
const tooMany = 5;

/** @param {import('./reporter.cjs').Counts | undefined} counts undefined when the run broke off */
export function isWorthASecondTry(counts) {
  const { length } = counts?.failures ?? [];
  return length > 0 && length < tooMany;
}

/** @returns {string[]} empty when a second try would show nothing */
export function filesToTryAgain(counts) {
  const files = [...new Set((counts?.failures ?? []).map(({ file }) => file))];
  return files.includes('') || files.length >= tooMany ? [] : files;
}

/** @returns a line for each file, with the first of what failed in it */
export function describeFailures({ failures }, files) {
  return files.map((file) => {
    const { what } = failures.find((failure) => failure.file === file);
    return `${path.basename(file)}: ${what}`;
  });
}

/** @returns the counts of a suite in which the second try of these files counts */
export function bothTries(first, second, files) {
  const counts = {
    secondTries: describeFailures(first, files),
    failures: second.failures,
    steps: [...new Set([...first.steps, ...second.steps])],
  };
  for (const key of ['passed', 'failed', 'skipped']) {
    const before = files.reduce((sum, file) => sum + first.files[file][key], 0);
    counts[key] = first[key] - before + second[key];
  }
  return counts;
}
