// The reporter in a worker of mocha: keeps the events of a file for the reporter of the run, with the second tries that
// mocha does not know of.
const WorkerReporter = require('mocha/lib/nodejs/reporters/parallel-buffered.cjs');
const { secondTry, tellOfSecondTries } = require('./secondTries.cjs');

module.exports = class extends WorkerReporter {
  createListeners(runner) {
    tellOfSecondTries(runner);
    runner.on(secondTry, this.createListener(secondTry));
    return super.createListeners(runner);
  }
};
