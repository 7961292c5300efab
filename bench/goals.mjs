// What ours has to reach against raw in the same run.
//   row, number: which measurement; atLeast, atMost: the limit of the ratio ours / raw;
//   exactly: the limit of the number itself.

const stdio = (measurement) => `${measurement} stdio`;

export const goals = [
  { text: 'stdio, 64 in flight: calls/s', row: stdio('deep'), number: 'perS', atLeast: 0.6 },
  { text: 'stdio, 64 in flight: CPU per call', row: stdio('deep'), number: 'cpuUs', atMost: 1.6 },
  { text: 'stdio, sequential: calls/s', row: stdio('sequential'), number: 'perS', atLeast: 0.95 },
  { text: 'stdio, 1 MiB results: MiB/s', row: stdio('big1'), number: 'mibPerS', atLeast: 0.85 },
  { text: 'stdio, 1 MiB results: peak memory', row: stdio('big1'), number: 'peakMb', atMost: 1.2 },
  { text: 'stdio, 10 MiB results: MiB/s', row: stdio('big10'), number: 'mibPerS', atLeast: 0.85 },
  {
    text: 'stdio, 10 MiB results: peak memory',
    row: stdio('big10'),
    number: 'peakMb',
    atMost: 1.2,
  },
  { text: 'stdio, 10,000 tools: ms', row: stdio('tools'), number: 'ms', atMost: 1.3 },
  {
    text: 'stdio, 10,000 tools with output schemas: ms',
    row: stdio('toolsWithOutput'),
    number: 'ms',
    atMost: 1.5,
  },
  {
    text: 'stdio, 100,000 notifications: per s',
    row: stdio('progress'),
    number: 'perS',
    atLeast: 0.5,
  },
  {
    text: 'stdio, 100,000 notifications: delivered, also beside the result',
    row: stdio('progress'),
    number: 'delivered',
    exactly: 100_000,
  },
  {
    text: 'stdio, 100,000 notifications: longest event-loop block',
    row: stdio('progress'),
    number: 'blockMs',
    atMost: 2.5,
  },
  { text: 'stdio, 50 servers: ms', row: stdio('servers'), number: 'ms', atMost: 1.15 },
  { text: 'stdio, 50 servers: memory', row: stdio('servers'), number: 'rssMb', atMost: 1.2 },
  ...['json', 'sse'].flatMap((wire) => [
    {
      text: `HTTP ${wire}, sequential: calls/s`,
      row: `sequential ${wire}`,
      number: 'perS',
      atLeast: 0.8,
    },
    {
      text: `HTTP ${wire}, 64 in flight: calls/s`,
      row: `deep ${wire}`,
      number: 'perS',
      atLeast: 0.8,
    },
  ]),
  { text: 'bundle, minified: kB', row: 'load stdio', number: 'bundleKb', below: 60 },
  { text: 'bundle: ms to load', row: 'load stdio', number: 'ms', below: 8 },
];

/** The number that is judged, whether it meets the goal, and whether it misses it by half. */
export function judge(goal, ratio, median) {
  if (goal.atLeast !== undefined) {
    return { value: ratio, isMet: ratio >= goal.atLeast, isFar: ratio < goal.atLeast / 2 };
  }
  if (goal.atMost !== undefined) {
    return { value: ratio, isMet: ratio <= goal.atMost, isFar: ratio > goal.atMost * 2 };
  }
  if (goal.exactly !== undefined) {
    return { value: median, isMet: median === goal.exactly, isFar: median !== goal.exactly };
  }
  return { value: median, isMet: median < goal.below, isFar: median > goal.below * 2 };
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
