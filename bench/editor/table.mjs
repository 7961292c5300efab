// The rows of editor.md: what is compared, its goal, and how far a run is from it.
import { cpus } from 'node:os';
import { median } from '../report.mjs';

/** What a person waits for in a first window: milliseconds, and in which profile it is measured. */
const waits = [
  { text: 'click on a server → what is in it, 20', of: 'childrenMs', profile: 'ours20', goal: 50 },
  {
    text: 'Add Server… → its first box, the first time, 20',
    of: 'addServerMs',
    profile: 'ours20',
    goal: 50,
  },
  {
    text: 'message → first request to the model: what `@mcp` adds, 20',
    of: 'askedMs',
    profile: 'ours20',
    goal: 100,
  },
  {
    text: 'Select Tools… → its list, 2,000 tools',
    of: 'selectToolsMs',
    profile: 'large',
    goal: 100,
  },
  {
    text: 'Go to Resource… over 100,000: a key → what it finds',
    of: 'findMs',
    profile: 'large',
    goal: 100,
  },
];
const manyGoal = 2;
/** What is compared between a window with many servers and one with those that start. */
const manyRows = [
  { text: 'all that start live, cold, ms', of: 'liveMs', window: 'cold' },
  { text: 'their tools in `lm.tools`, cold, ms', of: 'toolsMs', window: 'cold' },
  { text: 'extension host, memory, MiB', of: 'rssMib', window: 'reload' },
  { text: 'click on a server → what is in it, ms', of: 'childrenMs', window: 'cold', digits: 1 },
];
/** @typedef {{ text: string, of: string, window: 'cold' | 'reload' | 'prompt', n?: number, goal?: number, atLeast?: boolean, beside?: string, digits?: number, judges?: boolean }} Row */
/** @type {Row[]} */
export const rows = [
  ...[1, 20].flatMap((n) => [
    {
      text: `all servers live, cold, ${n}, ms`,
      of: 'liveMs',
      window: 'cold',
      n,
      goal: n === 1 ? 0.7 : 0.5,
    },
    {
      text: `their tools in \`lm.tools\`, cold, ${n}, ms`,
      of: 'toolsMs',
      window: 'cold',
      n,
      goal: 1,
    },
    {
      text: `first call answered after a reload, ${n}, ms`,
      of: 'firstCallMs',
      window: 'reload',
      n,
      goal: 1.1,
    },
    {
      text: `prompt offered after \`/mcp.\` in the chat of a window, from its start, ${n}, ms`,
      of: 'promptMs',
      window: 'prompt',
      n,
      goal: 1,
    },
  ]),
  {
    text: 'one call through the API, ms',
    of: 'apiMs',
    beside: 'bridgeMs',
    window: 'cold',
    n: 1,
    goal: 0.06,
    digits: 2,
    judges: true,
  },
  {
    text: 'one call through the bridge, ms',
    of: 'bridgeMs',
    window: 'cold',
    n: 1,
    goal: 1.1,
    digits: 2,
  },
  {
    text: '16 in flight through the API, calls/s',
    of: 'apiPerS',
    beside: 'bridgePerS',
    window: 'cold',
    n: 1,
    goal: 2,
    atLeast: true,
    judges: true,
  },
  {
    text: '16 in flight through the bridge, calls/s',
    of: 'bridgePerS',
    window: 'cold',
    n: 1,
    goal: 0.8,
    atLeast: true,
  },
  { text: '1 MiB through the bridge, ms', of: 'bigMs', window: 'cold', n: 1, goal: 1 },
  { text: 'a resource opened, ms', of: 'openMs', window: 'cold', n: 1, goal: 0.9, digits: 1 },
  {
    text: 'extension host: CPU of 60 idle seconds, 20 servers, ms',
    of: 'idleCpuMs',
    window: 'reload',
    n: 20,
    goal: 1,
  },
];

/** @param found the numbers of each profile, by window */
export function toTable(found) {
  const numbersOf = (name, { window = 'cold', of }) =>
    found.flatMap((one) => (one.name === name ? (one[window]?.[of] ?? []) : []));
  const ratios = [];
  const lines = rows.map((row) => {
    const theirs = numbersOf(`builtIn${row.n}`, { ...row, of: row.beside ?? row.of });
    const own = numbersOf(`ours${row.n}`, row);
    const ratio = median(own) / median(theirs);
    ratios.push({ row, ratio });
    const goal = `${row.atLeast ? '≥' : '≤'} ${row.goal}`;
    const mark = isMissed(row, ratio, 1) ? ' ✗' : '';
    return `| ${row.text} | ${spread(theirs, row)} | ${spread(own, row)} | ${ratio.toFixed(2)}${mark} | ${goal} |`;
  });
  const rss = { window: 'reload', of: 'rssMib' };
  const none = median(numbersOf('none', rss));
  const memory = ['builtIn1', 'ours1'].map((name) =>
    spread(
      numbersOf(name, rss).map((value) => value - none),
      {},
    ),
  );
  lines.push(
    `| extension host: memory above one without either, 1, MiB | ${memory.join(' | ')} | | ≤ 20 MiB |`,
  );
  const text = [
    '# Beside the editor’s own MCP host',
    '',
    `\`npm run bench:editor\` makes this file: ${found.length} profiles on ${cpus().length} × ${cpus()[0]?.model.trim()}. Medians, with the smallest and the largest.`,
    'Times begin with the activation of the first extension. The API is this extension’s own; beside it stands the editor’s way',
    'for extensions, `lm.invokeTool`. Calls through the bridge are made with it as well. ✗: the goal is missed.',
    '',
    '| | built-in | ours | ratio | goal |',
    '|---|---|---|---|---|',
    ...lines,
    '',
    'What a person waits for in a first window, from the click or the key on:',
    '',
    '| | ms | goal |',
    '|---|---|---|',
    ...waits.map((row) => {
      const own = numbersOf(row.profile, row);
      const mark = median(own) > row.goal ? ' ✗' : '';
      return `| ${row.text} | ${spread(own, {})}${mark} | ≤ ${row.goal} |`;
    }),
    '',
    '| ours | 20 servers | 200 with 5,000 tools, of which 20 start | ratio | goal |',
    '|---|---|---|---|---|',
    ...manyRows.map((row) => {
      const [few, all] = ['ours20', 'ours200'].map((name) => numbersOf(name, row));
      const ratio = median(all) / median(few);
      const mark = ratio > manyGoal ? ' ✗' : '';
      return `| ${row.text} | ${spread(few, row)} | ${spread(all, row)} | ${ratio.toFixed(2)}${mark} | ≤ ${manyGoal} |`;
    }),
    '',
  ].join('\n');
  return { text, ratios };
}

function spread(values, { digits = 0 }) {
  const cell = (value) => value.toFixed(digits);
  return values.length < 2
    ? cell(median(values))
    : `${cell(median(values))} (${cell(Math.min(...values))}–${cell(Math.max(...values))})`;
}

export function isMissed({ goal, atLeast }, ratio, tolerance) {
  return atLeast ? ratio < goal / tolerance : ratio > goal * tolerance;
}
