// What a test tries again by itself, and tells of over a channel of its process (test/e2e/support/until.ts,
// `noteSecondTry`), as an event of mocha's runner, as a test's own second try is one. It does not know who reports it.
const { subscribe, unsubscribe } = require('node:diagnostics_channel');

const channelName = 'mcp-host-tests:second-try';

/** The event: what ran, and the error of the first try, which has `what` was tried. */
exports.secondTry = 'second try';

/** Until the end of this runner: a worker has one for each file. */
exports.tellOfSecondTries = (runner) => {
  const tell = ({ what, error }) => {
    // What else an error has may be more than can be sent from a worker.
    const told = Object.assign(new Error(String(error?.message ?? error)), { what });
    if (error?.stack !== undefined) told.stack = error.stack;
    runner.emit(exports.secondTry, runner.currentRunnable, told);
  };
  subscribe(channelName, tell);
  runner.once('end', () => unsubscribe(channelName, tell));
};
