// From the numbers of all runs to a table of medians and ratios.
import { goals, isOfRatio, judge, limitOf, missedBy } from './goals.mjs';

const wireNames = {
  stdio: 'stdio',
  json: 'Streamable HTTP, JSON answers',
  sse: 'Streamable HTTP, SSE answers',
  ws: 'WebSocket',
};
const editorTitle = 'The extension in the extension host of a real editor that opens a window';

function titleOf(place) {
  if (place === 'editor') {
    return editorTitle;
  }
  const [wire, revision] = place.split('-');
  return `${wireNames[wire]}, ${revision === undefined ? 'the era with a handshake' : '2026-07-28'}`;
}

/** Each row: measurement, number, what it is called. */
const rows = [
  ['load', 'bundleKb', 'bundle, minified (kB)'],
  ['load', 'ms', 'load (ms)'],
  ['load', 'cpuMs', 'CPU to load (ms)'],
  ['load', 'rssMb', 'memory after loading (MB)'],
  ['connect', 'firstMs', 'first connect, Node server (ms)'],
  ['connect', 'warmMs', 'further connects (ms)'],
  ['connect', 'cpuMs', 'CPU per connect (ms)'],
  ['connect', 'starts', 'processes started for a connection'],
  ['sequential', 'perS', 'sequential calls/s'],
  ['sequential', 'cpuUs', 'CPU per sequential call (µs)'],
  ['deep', 'perS', '64 in flight, calls/s'],
  ['deep', 'cpuUs', 'CPU per call, 64 in flight (µs)'],
  ['deep', 'peakMb', 'peak memory, 64 in flight (MB)'],
  ['big1', 'mibPerS', '1 MiB results (MiB/s)'],
  ['big1', 'peakMb', 'peak memory, 1 MiB results (MB)'],
  ['big10', 'mibPerS', '10 MiB results (MiB/s)'],
  ['big10', 'cpuMs', 'CPU per 10 MiB result (ms)'],
  ['big10', 'peakMb', 'peak memory, 10 MiB results (MB)'],
  ['tools', 'ms', '10,000 tools in 100 pages (ms)'],
  ['toolsWithOutput', 'ms', '… with output schemas (ms)'],
  ['toolsWithOutput', 'peakMb', 'peak memory after that (MB)'],
  ['servers', 'ms', '50 servers connected (ms)'],
  ['servers', 'cpuMs', 'CPU for 50 connects (ms)'],
  ['servers', 'rssMb', 'memory with 50 servers (MB)'],
  ['servers', 'grownMb', '… of these for the servers (MB)'],
  ['servers200', 'ms', '200 servers connected (ms)'],
  ['servers200', 'cpuMs', 'CPU for 200 connects (ms)'],
  ['servers200', 'rssMb', 'memory with 200 servers (MB)'],
  ['progress', 'perS', '100,000 progress notifications, per s'],
  ['progress', 'cpuUs', '… CPU per notification (µs)'],
  ['progress', 'delivered', '… delivered'],
  ['progress', 'beside', '100 in one write with their result: delivered'],
  ['progress', 'blockMs', '100,000: longest event-loop block (ms)'],
  ['activation', 'kb', 'loaded to activate (kB)'],
  ['activation', 'loadMs', 'running the code of the bundle (ms)'],
  ['activation', 'runMs', '`activate` (ms)'],
  ['activation', 'ms', 'both (ms)'],
];

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function format(value) {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}

function spreadOf(values) {
  return `(${format(Math.min(...values))}..${format(Math.max(...values))})`;
}

/** `runs`: objects with measurement, wire, client, rep and numbers. */
export class Report {
  #runs;

  constructor(runs) {
    this.#runs = runs;
  }

  #values(measurement, wire, client, number) {
    return this.#runs
      .filter(
        (run) => run.measurement === measurement && run.wire === wire && run.client === client,
      )
      .map((run) => ({ rep: run.rep, value: run.numbers[number] }))
      .filter(({ value }) => value !== undefined);
  }

  /** The ratios to raw, run by run: both ran one after the other. */
  #ratios(measurement, wire, client, number) {
    const raw = new Map(
      this.#values(measurement, wire, 'raw', number).map(({ rep, value }) => [rep, value]),
    );
    return this.#values(measurement, wire, client, number)
      .filter(({ rep }) => raw.has(rep))
      .map(({ rep, value }) => value / raw.get(rep));
  }

  #cell(measurement, wire, client, number) {
    const values = this.#values(measurement, wire, client, number).map(({ value }) => value);
    if (values.length === 0) {
      return '–';
    }
    const text = format(median(values));
    const ratios = client === 'raw' ? [] : this.#ratios(measurement, wire, client, number);
    return ratios.length === 0
      ? `${text} ${spreadOf(values)}`
      : `${text} · **${format(median(ratios))}×** ${spreadOf(ratios)}`;
  }

  table(wire, clients) {
    const lines = rows
      .filter(([measurement, number]) => this.#values(measurement, wire, 'ours', number).length > 0)
      .map(([measurement, number, name]) => {
        const cells = clients.map(({ key }) => this.#cell(measurement, wire, key, number));
        return `| ${name} | ${cells.join(' | ')} |`;
      });
    return lines.length === 0
      ? ''
      : [
          `## ${titleOf(wire)}`,
          '',
          `| | ${clients.map(({ title }) => title).join(' | ')} |`,
          `|---|${'---|'.repeat(clients.length)}`,
          ...lines,
          '',
        ].join('\n');
  }

  judgedGoals() {
    return goals.flatMap((goal) => {
      const { values, ratios } = this.#found(goal, 'ours');
      if (values.length === 0) {
        return [];
      }
      return [{ goal, ...judge(goal, median(ratios), median(values)) }];
    });
  }

  /** @param others the clients that stand beside ours */
  goalsTable(others) {
    const lines = this.judgedGoals().map(({ goal, value, isMet }) => {
      const verdict = isMet ? 'met' : `**missed** by ${missedBy(goal, value)} %`;
      const cells = ['ours', ...others.map(({ key }) => key)].map((key) => this.#judged(goal, key));
      return `| ${[goal.text, limitOf(goal), ...cells, verdict].join(' | ')} |`;
    });
    const titles = ['', 'goal', 'ours', ...others.map(({ title }) => title), ''];
    const rule = `|${'---|'.repeat(titles.length)}`;
    return ['## Goals', '', `| ${titles.join(' | ')} |`, rule, ...lines, ''].join('\n');
  }

  #found({ row, number }, client) {
    const [measurement, wire] = row.split(' ');
    return {
      values: this.#values(measurement, wire, client, number).map(({ value }) => value),
      ratios: this.#ratios(measurement, wire, client, number),
    };
  }

  /** What a goal is about, with its spread. */
  #judged(goal, client) {
    const { values, ratios } = this.#found(goal, client);
    const all = isOfRatio(goal) ? ratios : values;
    return all.length === 0 ? '–' : `${format(median(all))} ${spreadOf(all)}`;
  }
}
