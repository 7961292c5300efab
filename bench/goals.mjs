// What ours has to reach against raw in the same run.
//   row, number: which measurement; atLeast, atMost: the limit of the ratio ours / raw;
//   exactly, below: the limit of the number itself.
//   rawIsAbout: what raw needs on a machine that is quiet; one on which it needs more has a higher limit in the tests.
//   tolerance: how many times further than its goal it may be in the tests.
//   cpu: the CPU time of the same work, which says as much of a ratio where other programs use the machine.

/** Not measured by clients, but in windows (activation.mjs). */
export const inEditor = 'activation editor';
const stdio = (measurement) => `${measurement} stdio`;

export const goals = [
  {
    text: 'stdio, 64 in flight: calls/s',
    row: stdio('deep'),
    number: 'perS',
    atLeast: 0.6,
    cpu: 'cpuUs',
  },
  { text: 'stdio, 64 in flight: CPU per call', row: stdio('deep'), number: 'cpuUs', atMost: 1.6 },
  {
    text: 'stdio, sequential: calls/s',
    row: stdio('sequential'),
    number: 'perS',
    atLeast: 0.95,
    cpu: 'cpuUs',
  },
  {
    text: 'stdio, 1 MiB results: MiB/s',
    row: stdio('big1'),
    number: 'mibPerS',
    atLeast: 0.85,
    cpu: 'cpuMs',
  },
  { text: 'stdio, 1 MiB results: peak memory', row: stdio('big1'), number: 'peakMb', atMost: 1.2 },
  {
    text: 'stdio, 10 MiB results: MiB/s',
    row: stdio('big10'),
    number: 'mibPerS',
    atLeast: 0.85,
    cpu: 'cpuMs',
  },
  {
    text: 'stdio, 10 MiB results: peak memory',
    row: stdio('big10'),
    number: 'peakMb',
    atMost: 1.2,
  },
  { text: 'stdio, 10,000 tools: ms', row: stdio('tools'), number: 'ms', atMost: 1.3, cpu: 'cpuMs' },
  {
    text: 'stdio, 10,000 tools with output schemas: ms',
    row: stdio('toolsWithOutput'),
    number: 'ms',
    atMost: 1.5,
    cpu: 'cpuMs',
  },
  {
    text: 'stdio, 100,000 notifications: per s',
    row: stdio('progress'),
    number: 'perS',
    atLeast: 0.5,
    cpu: 'cpuUs',
  },
  {
    text: 'stdio, 100,000 notifications: delivered',
    row: stdio('progress'),
    number: 'delivered',
    exactly: 100_000,
  },
  {
    text: 'stdio, 100 notifications in one write with their result: delivered',
    row: stdio('progress'),
    number: 'beside',
    exactly: 100,
  },
  {
    text: 'stdio, 100,000 notifications: longest event-loop block',
    row: stdio('progress'),
    number: 'blockMs',
    atMost: 2.5,
    // What other programs may take of a core at a time.
    atLeastMs: 10,
  },
  {
    text: 'stdio, 50 servers: ms',
    row: stdio('servers'),
    number: 'ms',
    atMost: 1.15,
    cpu: 'cpuMs',
    // Nearly all of it is the system's: so few milliseconds of ours scatter most.
    tolerance: 1.6,
  },
  { text: 'stdio, 50 servers: memory', row: stdio('servers'), number: 'rssMb', atMost: 1.2 },
  ...['json', 'sse'].flatMap((wire) => [
    {
      text: `HTTP ${wire}, sequential: calls/s`,
      row: `sequential ${wire}`,
      number: 'perS',
      atLeast: 0.8,
      cpu: 'cpuUs',
    },
    {
      text: `HTTP ${wire}, 64 in flight: calls/s`,
      row: `deep ${wire}`,
      number: 'perS',
      atLeast: 0.8,
      cpu: 'cpuUs',
    },
  ]),
  {
    text: '2026-07-28 over stdio: processes started for a connection',
    row: 'connect stdio-2026',
    number: 'starts',
    exactly: 1,
  },
  {
    text: '2026-07-28 over stdio, connect: ms',
    row: 'connect stdio-2026',
    number: 'warmMs',
    atMost: 1.3,
    cpu: 'cpuMs',
    // As above: a few milliseconds of ours beside the start of a process.
    tolerance: 1.6,
  },
  { text: 'bundle, minified: kB', row: 'load stdio', number: 'bundleKb', below: 160 },
  {
    text: 'bundle: ms to load',
    row: 'load stdio',
    number: 'ms',
    below: 8,
    cpu: 'cpuMs',
    rawIsAbout: 2.3,
  },
  {
    text: 'extension, loaded to activate: kB',
    row: inEditor,
    number: 'kb',
    below: 150,
  },
  {
    text: 'extension, from the first line of the bundle to the end of `activate`: ms',
    row: inEditor,
    number: 'ms',
    below: 30,
    // There is no raw beside it that would say how fast the machine is.
    tolerance: 4,
  },
];

/** Or of the number itself. */
export function isOfRatio({ atLeast, atMost }) {
  return atLeast !== undefined || atMost !== undefined;
}

/** The number that is judged, and whether it meets the goal. */
export function judge(goal, ratio, median) {
  if (goal.atLeast !== undefined) {
    return { value: ratio, isMet: ratio >= goal.atLeast };
  }
  if (goal.atMost !== undefined) {
    return { value: ratio, isMet: ratio <= goal.atMost };
  }
  return {
    value: median,
    isMet: goal.exactly === undefined ? median < goal.below : median === goal.exactly,
  };
}

/** In percent of the goal. */
export function missedBy({ atLeast, atMost, exactly, below }, value) {
  const limit = atLeast ?? atMost ?? exactly ?? below;
  return Math.ceil((Math.abs(value - limit) / limit) * 100);
}

export function limitOf(goal) {
  if (goal.atLeast !== undefined) {
    return `≥ ${goal.atLeast} × raw`;
  }
  if (goal.atMost !== undefined) {
    return `≤ ${goal.atMost} × raw`;
  }
  return goal.exactly === undefined
    ? `< ${goal.below}`
    : `= ${goal.exactly.toLocaleString('en-US')}`;
}

const least = (runs, number) => Math.min(...runs.map((numbers) => numbers[number]));
const most = (runs, number) => Math.max(...runs.map((numbers) => numbers[number]));

/** How far `npm test` lets a goal be missed unless it says otherwise: measurements scatter. */
const usualTolerance = 1.25;

/**
 * Whether the best of several runs misses the goal by more than a fifth, by the clock and by the CPU time where both
 * say something: then it is ours that is slow, and not the machine that is busy. Three times as far by the clock
 * is too far whatever the CPU says: then ours waits for something.
 * @param raw, ours the numbers of each run of the measurement
 * @returns undefined, or what is wrong
 */
export function farMiss(goal, raw, ours) {
  const { number, cpu, atLeast, atMost, exactly, atLeastMs = 0, tolerance = usualTolerance } = goal;
  if (exactly !== undefined) {
    const wrong = ours.find((numbers) => numbers[number] !== exactly);
    return wrong && `${wrong[number]} instead of ${exactly}`;
  }
  const below =
    goal.below && goal.below * Math.max(1, least(raw, number) / (goal.rawIsAbout ?? Infinity));
  const slower =
    atLeast === undefined
      ? least(ours, number) / (below ?? Math.max(least(raw, number), atLeastMs))
      : most(raw, number) / most(ours, number);
  const dearer = cpu === undefined ? Infinity : least(ours, cpu) / (below ?? least(raw, cpu));
  const limit = atMost ?? (atLeast === undefined ? 1 : 1 / atLeast);
  const found = Math.min(slower, Math.max(dearer, slower / 3));
  return found <= limit * tolerance
    ? undefined
    : `${found.toFixed(2)} times as slow or large as it is compared with; the goal is ${limit.toFixed(2)}`;
}
