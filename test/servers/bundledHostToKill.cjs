// A host that is there to be killed, made of the packed bundles: SERVERS.CJS, then the command of a stdio server.
const [, , bundle, command, ...args] = process.argv;
const { createConnector } = require(bundle);

const minute = 60_000;
void createConnector({ name: 'host', version: '1.0.0' }).connect({
  launch: { kind: 'stdio', command, args, env: process.env },
  features: {},
  timeouts: { startMs: minute, requestMs: minute, totalMs: minute },
  onDiagnostic: () => undefined,
  signal: new AbortController().signal,
});
setTimeout(() => process.exit(9), 2 * minute);
