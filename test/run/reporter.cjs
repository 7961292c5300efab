// mocha's spec reporter that also leaves the counts behind as JSON, for the total over all suites.
//   MCP_HOST_TEST_COUNTS  file for {"passed","failed","skipped"}, written when the run is over
//   MCP_HOST_TEST_OUTPUT  file for the text, where there is no terminal (in an extension host)
const { appendFileSync, writeFileSync } = require('node:fs');
const { format } = require('node:util');
const { reporters } = require('mocha/lib/mocha.cjs');

const { MCP_HOST_TEST_COUNTS: countsFile, MCP_HOST_TEST_OUTPUT: outputFile } = process.env;

class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    if (outputFile) {
      reporters.Base.consoleLog = (...args) => appendFileSync(outputFile, `${format(...args)}\n`);
    }
    super(runner, options);
    runner.once('end', () => {
      const { passes: passed = 0, failures: failed = 0, pending: skipped = 0 } = runner.stats ?? {};
      if (countsFile) writeFileSync(countsFile, `${JSON.stringify({ passed, failed, skipped })}\n`);
    });
  }
}

module.exports = CountingReporter;
