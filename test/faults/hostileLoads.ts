/** Servers that send as much as they can, in a process of its own with a small heap: what becomes of it and of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What each of them does; hostileServer.ts has the rest. */
export const hostileLoads = [
  'lists',
  'names',
  'line',
  'notices',
  'manyValues',
  'questions',
  'errors',
  'results',
  'cache',
  'http:endlessEvent',
  'http:tinyLines',
  'http:oddLines',
  'http:replies',
  'http:results',
] as const;

/** All but those that take nothing which is not let go of. */
export const refusedLoads: ReadonlySet<string> = new Set(
  hostileLoads.filter((load) => !['errors', 'cache', 'manyValues', 'notices'].includes(load)),
);
/** What is refused is told so to people. */
export const refusal =
  /would take more memory than the \d+ MiB|has more than \d+ lines|is larger than/u;

export type HostileLoad = (typeof hostileLoads)[number];

export interface HostileOutcome {
  /** How the process ended: 0 in good order. */
  readonly code: number | string | null;
  /** Megabytes of the heap at most. */
  readonly heap: number;
  /** Calls of a server that does nothing wrong: those that were answered, and all. */
  readonly answered: number;
  readonly asked: number;
  /** Bytes on the account when all are stopped. */
  readonly left: number;
  /** What was said of each hostile server: its state, its lists, its log. */
  readonly said: Readonly<Record<string, string>>;
  readonly problems: string;
}

const heapMegabytes = 512;

/** The servers that were refused nothing and should have been. */
export function unrefusedOf({ said }: HostileOutcome): readonly string[] {
  return Object.entries(said).flatMap(([name, text]) => {
    const [load = ''] = name.split(' ');
    return refusedLoads.has(load) && !refusal.test(text) ? [`${name}: ${text}`] : [];
  });
}

/**
 * @param servers each of them is a server, also where it is there twice
 * @param until what is waited for of each
 */
export async function runHostileLoads(
  servers: readonly HostileLoad[],
  until: 'refused' | 'stopped' = 'refused',
): Promise<HostileOutcome> {
  const host = fileURLToPath(new URL('hostileHost.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapMegabytes}`, host, until, ...servers],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let text = '';
  let problems = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  child.stderr
    .setEncoding('utf8')
    .on('data', (piece: string) => (problems = (problems + piece).slice(-4_000)));
  const [code, signal]: unknown[] = await once(child, 'close');
  const end = typeof code === 'number' ? code : String(signal);
  const nothing = { heap: 0, answered: 0, asked: 0, left: 0, said: {} };
  return { ...nothing, ...(text === '' ? undefined : JSON.parse(text)), code: end, problems };
}
