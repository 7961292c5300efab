// Tests that `npm test` leaves out: each shows something once more, in another way, or more of it than a user meets daily.
// `npm run test:all` and a chosen file run them (files of them alone are in test/e2e/variants).

export function variant(title: string, test: Mocha.AsyncFunc): void {
  // Where files run side by side, each has an `it` of its own.
  if (process.env['MCP_HOST_TESTS'] === 'all') it(title, test);
}
