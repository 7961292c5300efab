/**
 * A host with many servers of all channels, traffic on each of them, and servers that die and come back. What is
 * measured is the client alone: its servers are processes of their own.
 */
import { delay } from '../../src/base/async.ts';
import { leftOpen, openHandles } from '../support/leaks.ts';
import { inUse } from '../support/memoryInUse.ts';
import { ownProcesses } from '../support/ownProcesses.ts';
import { turns, waitUntil } from '../support/waitUntil.ts';
import { Disturbances } from './disturbances.ts';
import type { Sample } from './flatness.ts';
import { Loop } from './loop.ts';
import { openServers, type SoakServers } from './servers.ts';
import { SoakHost } from './soakHost.ts';
import { act, chooseAct } from './traffic.ts';

export interface SoakOptions {
  readonly servers: number;
  readonly durationMs: number;
  readonly sampleEveryMs: number;
  /** Before a sample nothing happens for so long, so that what only lasts a while is gone. */
  readonly quietMs: number;
  /** Between two operations on one server. */
  readonly pauseMs: number;
  /** Between two servers that die or are started anew. */
  readonly disturbEveryMs: number;
  readonly onSample?: (sample: Sample) => void;
}

export interface SoakResult {
  readonly samples: readonly Sample[];
  /** `call: result` → how often. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** What was done to servers → how often. */
  readonly disturbances: ReadonlyMap<string, number>;
  /** What may not be: operations without an end, wrong answers, something left at the end. */
  readonly defects: readonly string[];
}

const readyMs = 180_000;
const endMs = 60_000;

/** Runs it. Whatever it opens is closed in the end, or is a defect. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  await turns(); // a test has its own timer from the second turn on
  const before = openHandles();
  const defects = new Set<string>();
  const onRejection = (reason: unknown): void => {
    defects.add(`unhandled rejection: ${String(reason)}`);
  };
  process.on('unhandledRejection', onRejection);
  try {
    return await observed(options, before, defects);
  } finally {
    process.off('unhandledRejection', onRejection);
  }
}

async function observed(
  options: SoakOptions,
  before: ReturnType<typeof openHandles>,
  defects: Set<string>,
): Promise<SoakResult> {
  const servers = await openServers(options.servers);
  const host = new SoakHost(servers.byName);
  const run = new Soak(options, servers, host, defects);
  try {
    await run.go();
  } finally {
    await host.close(endMs);
    await servers.close();
  }
  const left = await leftOpen(before, endMs);
  left.forEach((one) => defects.add(`left open: ${one}`));
  // The reaper waits a moment for another server.
  await waitUntil('the end of all processes', () => ownProcesses() === 0, endMs).catch(() =>
    defects.add(`${ownProcesses()} processes are left`),
  );
  const { samples, outcomes, disturbances } = run;
  return { samples, outcomes, disturbances: disturbances.counts, defects: [...defects] };
}

class Soak {
  readonly samples: Sample[] = [];
  readonly outcomes = new Map<string, number>();
  readonly disturbances: Disturbances;
  readonly #options: SoakOptions;
  readonly #names: readonly string[];
  readonly #host: SoakHost;
  readonly #defects: Set<string>;
  #acts = 0;

  constructor(options: SoakOptions, servers: SoakServers, host: SoakHost, defects: Set<string>) {
    this.#options = options;
    this.#names = [...servers.byName.keys()];
    this.#host = host;
    this.#defects = defects;
    this.disturbances = new Disturbances(servers, host);
  }

  async go(): Promise<void> {
    const { durationMs, sampleEveryMs, pauseMs, disturbEveryMs } = this.#options;
    await this.#allReady();
    const startedAt = performance.now();
    const loops = this.#names.map(
      (name, index) => new Loop(pauseMs, (turn) => this.#act(name, index + turn * 37)),
    );
    loops.push(new Loop(disturbEveryMs, (turn) => this.disturbances.next(turn)));
    while (performance.now() - startedAt < durationMs) {
      await delay(sampleEveryMs);
      await Promise.all(loops.map((loop) => loop.pause()));
      await this.#allReady();
      await delay(this.#options.quietMs);
      this.#sample(performance.now() - startedAt);
      loops.forEach((loop) => loop.resume());
    }
    await Promise.all(loops.map((loop) => loop.pause()));
  }

  async #act(name: string, n: number): Promise<void> {
    // Spread evenly, and the same in each run.
    const chosen = chooseAct((n * 0.618_033_988_75) % 1);
    const outcome = await act(chosen, this.#host.connection(name), n);
    this.#acts += 1;
    const key = `${chosen}: ${outcome}`;
    this.outcomes.set(key, (this.outcomes.get(key) ?? 0) + 1);
    if (outcome === 'hung' || outcome.startsWith('wrong')) {
      this.#defects.add(`${name}, ${key}`);
    }
  }

  async #allReady(): Promise<void> {
    const ready = waitUntil('all servers to be ready', () => this.#host.areReady(), readyMs);
    await ready.catch(() => {
      throw new Error(`Not all servers became ready again: ${this.#host.states}`);
    });
  }

  #sample(atMs: number): void {
    const heap = inUse();
    const rss = process.memoryUsage.rss();
    const handles = [...openHandles().values()].reduce((sum, count) => sum + count, 0);
    const sample = { atMs, acts: this.#acts, heap, rss, handles };
    this.samples.push(sample);
    this.#options.onSample?.(sample);
  }
}
