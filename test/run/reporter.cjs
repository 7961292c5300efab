// mocha's spec reporter that also leaves the counts behind as JSON, for the total over all suites.
//   MCP_HOST_TEST_COUNTS  file for the counts, written when the run is over (see `Counts`)
//   MCP_HOST_TEST_OUTPUT  file for the text, where there is no terminal (in an extension host)
const { appendFileSync, writeFileSync } = require('node:fs');
const { format } = require('node:util');
const { reporters } = require('mocha/lib/mocha.cjs');

const { MCP_HOST_TEST_COUNTS: countsFile, MCP_HOST_TEST_OUTPUT: outputFile } = process.env;

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Numbers
 * @typedef {Numbers & { files: Record<string, Numbers>, failures: { file: string, what: string }[], steps: string[] }} Counts
 *   `files` are absolute paths, empty for a hook of all files; `what` is the title of a test or hook and its error in one line;
 *   `steps` are titles to which a test has added the clicks and keys of a user that it counted.
 */

class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    if (outputFile) {
      reporters.Base.consoleLog = (...args) => appendFileSync(outputFile, `${format(...args)}\n`);
    }
    super(runner, options);
    const files = {};
    const failures = [];
    const steps = [];
    const count = (test, key) => {
      const file = test.file ?? '';
      files[file] ??= { passed: 0, failed: 0, skipped: 0 };
      files[file][key] += 1;
      return file;
    };
    runner.on('pass', (test) => {
      count(test, 'passed');
      if (/: clicks \d+, Enter \d+$/.test(test.title)) steps.push(test.title);
    });
    runner.on('pending', (test) => count(test, 'skipped'));
    runner.on('fail', (test, error) => {
      const reason = String(error?.message ?? error).replaceAll(/\s+/g, ' ');
      failures.push({
        file: count(test, 'failed'),
        what: `${test.fullTitle()}: ${reason.slice(0, 300)}`,
      });
    });
    runner.once('end', () => {
      const { passes: passed = 0, failures: failed = 0, pending: skipped = 0 } = runner.stats ?? {};
      if (countsFile) {
        const counts = { passed, failed, skipped, files, failures, steps };
        writeFileSync(countsFile, `${JSON.stringify(counts)}\n`);
      }
    });
  }
}

module.exports = CountingReporter;
