// Brings a script that was started by any Node from 20 on to Node 24: installs the dependencies, then runs the script
// again under the Node among them and becomes its shell, passing signals on.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { provisionDependencies } from '../provision/dependencies.mjs';
import { defer, exitWith, isEnding, main } from './lifetime.mjs';
import { projectEnv } from './processes.mjs';
import { localNode, root } from './project.mjs';

/** Set for this script's second life and for the scripts that it runs: the dependencies have been seen to. */
const marker = 'MCP_HOST_SCRIPT_RUNTIME';

/**
 * Runs `work` under this clone's Node 24 with its dependencies installed.
 * @param {(args: string[]) => Promise<number | void>} work gives the exit code
 */
export async function runOnLocalNode(work) {
  const script = process.argv[1];
  const args = process.argv.slice(2);
  if (process.env[marker] === root && isLocalNode()) {
    await main(() => work(args));
    return;
  }
  await main(async () => {
    await provisionDependencies();
    return again(script, args);
  });
}

async function again(script, args) {
  const child = spawn(localNode, [script, ...args], {
    cwd: root,
    env: projectEnv({ [marker]: root }),
    // Over the channel the child notices when this process is killed outright.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const ended = new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`${error.message}\n`);
      resolve(1);
    });
    child.once('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
  defer(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  });
  const code = await ended;
  if (!isEnding()) await exitWith(code);
  return code;
}

function isLocalNode() {
  try {
    return realpathSync(process.execPath) === realpathSync(localNode);
  } catch {
    return false;
  }
}
