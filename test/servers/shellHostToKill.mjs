// A host that is there to be killed: asks the login shell, says so, and waits for the answer.
import { loginShell } from '../../src/host/launch/localMachine.ts';
import { reaper } from '../../src/mcp/transport/stdio/reaper.ts';

const answer = loginShell(() => reaper, '/bin/sh')(new AbortController().signal);
process.stdout.write('asked\n');
setTimeout(() => process.exit(9), 120_000);
await answer;
