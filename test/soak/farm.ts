/**
 * A process full of servers that are reached over a network: what they need is not the client's memory, and all of
 * them can be killed at once. Run as a program it is that process; {@link Farm} is its handle.
 */
import type { ResolvedLaunch } from '../../src/host/launch/launchGate.ts';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { settlesWithin } from '../../src/base/async.ts';
import type { Revision } from '../../src/mcp/revisions.ts';
import { type MatrixHost, startHost, type TransportName } from '../servers/matrix/matrixHosts.ts';

export interface Plot {
  readonly transport: TransportName;
  readonly revision: Revision;
  /** 0 for any. */
  readonly port: number;
}

const startMs = 60_000;

export class Farm {
  #plots: readonly Plot[];
  #process: ChildProcess | undefined;

  constructor(plots: readonly Plot[]) {
    this.#plots = plots;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts the servers, where they were before if there was a before. */
  async start(): Promise<readonly ResolvedLaunch[]> {
    const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(this.#plots)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#process = child;
    const told = Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (!(await settlesWithin(told, startMs))) {
      throw new Error('The process of the servers does not start');
    }
    const [launches]: unknown[] = await told;
    if (!isLaunches(launches)) {
      throw new Error(`The process of the servers ended: ${String(launches)}`);
    }
    this.#plots = this.#plots.map((plot, index) => ({ ...plot, port: portOf(launches[index]) }));
    return launches;
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
  }
}

function isLaunches(value: unknown): value is readonly ResolvedLaunch[] {
  return Array.isArray(value);
}

function portOf(launch: ResolvedLaunch | undefined): number {
  return launch === undefined || launch.kind === 'stdio' ? 0 : Number(new URL(launch.url).port);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const plots: readonly Plot[] = JSON.parse(process.argv[2] ?? '[]');
  const hosts: MatrixHost[] = [];
  for (const { transport, revision, port } of plots) {
    hosts.push(await startHost(transport, revision, port));
  }
  process.send?.(hosts.map(({ launch }) => launch));
  // The other end is gone, and nobody needs the servers any more.
  process.on('disconnect', () => process.exit(0));
}
