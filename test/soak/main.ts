/**
 * The command `npm run test:soak`: many servers of all channels, mixed traffic, servers that die and come back; a
 * table of what the client needs over time in test-results/soak.md.
 *   npm run test:soak [-- --minutes N] [--servers N]
 */
import { parseArgs } from 'node:util';
import { writeResult } from '../support/testResults.ts';
import { judge, toRows } from './flatness.ts';
import { toReport } from './report.ts';
import { soak } from './soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    servers: { type: 'string', default: '50' },
  },
});
const durationMs = Number(values.minutes) * 60_000;
const servers = Number(values.servers);
if (!(durationMs > 0) || !Number.isInteger(servers) || servers < 1) {
  throw new Error('Minutes and servers are numbers over 0');
}

/** What is cached for seconds has gone by then. */
const quietMs = 4_000;
/** Connections that are kept for the next request make handles go up and down. */
const limits = { heap: 3 * 2 ** 20, rss: 24 * 2 ** 20, handles: 4 + servers / 10 };

const result = await soak({
  servers,
  durationMs,
  sampleEveryMs: Math.max(10_000, durationMs / 40),
  quietMs,
  pauseMs: 250,
  disturbEveryMs: 3_000,
  onSample: (sample) => process.stdout.write(`${toRows([sample]).at(-1)}\n`),
});
const growths = judge(result.samples, limits);
const report = toReport({ servers, ...result }, growths);
process.stdout.write(`${report}\n${writeResult('soak.md', report)}\n`);
const isGood = growths.every(({ isFlat }) => isFlat) && result.defects.length === 0;
process.exitCode = isGood ? 0 : 1;
