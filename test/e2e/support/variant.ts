// Tests that `npm test` leaves out: each shows something once more, in another way, or more of it than a user meets daily.
// `npm run test:all` and a chosen file run them (files of them alone are in test/e2e/variants).

function leaveOut(): void {}

export const variant: typeof it | typeof leaveOut =
  process.env['MCP_HOST_TESTS'] === 'all' ? it : leaveOut;
