// mocha's spec reporter that also leaves the counts behind as JSON, for the total over all suites.
// A test that needed its second try is named as soon as that is known, and once more at the end: it passes, and has to be
// mended all the same. So is what a test tries again by itself and tells of (secondTries.cjs).
//   MCP_HOST_TEST_COUNTS  file for {"passed","failed","skipped","retried"}, written when the run is over; `retried` has a
//                         line for each first try that failed
//   MCP_HOST_TEST_OUTPUT  file for the text, where there is no terminal (in an extension host)
const { appendFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { format } = require('node:util');
const { reporters } = require('mocha/lib/mocha.cjs');
const { secondTry, tellOfSecondTries } = require('./secondTries.cjs');

const { MCP_HOST_TEST_COUNTS: countsFile, MCP_HOST_TEST_OUTPUT: outputFile } = process.env;

class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    if (outputFile) {
      reporters.Base.consoleLog = (...args) => appendFileSync(outputFile, `${format(...args)}\n`);
    }
    super(runner, options);
    const retried = [];
    const note = (whole, short, error) => {
      const reason = String(error?.message ?? error).replaceAll(/\s+/g, ' ');
      retried.push(`${whole}: ${reason.slice(0, 300)}`);
      reporters.Base.consoleLog(`    ↻ ${short}, after: ${error?.stack ?? reason}`);
    };
    // What is tried again in a worker is heard of there.
    if (runner.isParallelMode()) runner.workerReporter(path.join(__dirname, 'workerReporter.cjs'));
    else tellOfSecondTries(runner);
    runner.on('retry', (test, error) => note(test.fullTitle(), test.title, error));
    runner.on(secondTry, (runnable, error) =>
      note(`${runnable?.fullTitle() ?? ''}, ${error.what}`, error.what, error),
    );
    runner.once('end', () => {
      for (const line of retried) reporters.Base.consoleLog(`  needed a second try: ${line}`);
      const { passes: passed = 0, failures: failed = 0, pending: skipped = 0 } = runner.stats ?? {};
      if (countsFile)
        writeFileSync(countsFile, `${JSON.stringify({ passed, failed, skipped, retried })}\n`);
    });
  }
}

module.exports = CountingReporter;
