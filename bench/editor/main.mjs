// This extension beside the editor's own MCP host, in the same editor: writes editor.md.
//   node bench/editor/main.mjs [--quick] [--reps=5] [--no-build]
// Each profile is new, and the hosts take turns. Both have the same servers in the user's settings, and are told to start.
// --quick: one run with one server, up to three where a row misses, nothing written; fails when a row that judges misses its
// goal by half. The other rows vary by more than that from window to window, or their goals are still open.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packageExtension } from '../../scripts/package.mjs';
import { provisionBrowser } from '../../scripts/provision/browser.mjs';
import { provisionEditor } from '../../scripts/provision/editor.mjs';
import { say } from '../../scripts/support/output.mjs';
import { root, vsixPath } from '../../scripts/support/project.mjs';
import { runOnLocalNode } from '../../scripts/support/runtime.mjs';
import { measureProfile, profiles } from './profiles.mjs';
import { isMissed, rows, toTable } from './table.mjs';

const quickTolerance = 1.5;
const quickRuns = 3;

await runOnLocalNode(async (args) => {
  const { values: flags } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      reps: { type: 'string' },
      'no-build': { type: 'boolean', default: false },
    },
  });
  const reps = Number(flags.reps ?? 5);
  const vsix = flags['no-build'] ? vsixPath() : await packageExtension();
  const ground = {
    editor: await provisionEditor('newest'),
    browser: await provisionBrowser(),
    vsix,
  };
  if (!flags.quick) {
    const { text } = toTable(await measureAll(ground, reps, false));
    say(text);
    await writeFile(path.join(root, 'bench/editor.md'), text);
    return 0;
  }
  const summary = await judge(ground);
  const { MCP_HOST_TEST_COUNTS: countsFile } = process.env;
  if (countsFile !== undefined) await writeFile(countsFile, JSON.stringify(summary));
  return summary.failed > 0 ? 1 : 0;
});

/** A row that misses is measured again, and its best run counts: another program may have had the machine. */
async function judge(ground) {
  const judging = rows.filter(({ judges }) => judges);
  const met = new Set();
  for (let run = 1; run <= quickRuns && met.size < judging.length; run++) {
    const { ratios } = toTable(await measureAll(ground, 1, true));
    for (const { row, ratio } of ratios.filter((one) => judging.includes(one.row))) {
      if (isMissed(row, ratio, quickTolerance)) {
        say(`Missed by half: ${row.text}: ${ratio.toFixed(2)}`);
      } else {
        met.add(row);
      }
    }
  }
  return { passed: met.size, failed: judging.length - met.size, skipped: 0 };
}

async function measureAll(ground, reps, isQuick) {
  const found = [];
  for (let rep = 0; rep < reps; rep++) {
    for (const name of isQuick ? ['builtIn1', 'ours1'] : Object.keys(profiles)) {
      const numbers = await measureProfile(ground, name, isQuick);
      found.push({ name, ...numbers });
      say(`${rep + 1}/${reps} ${name}: ${JSON.stringify(numbers)}`);
    }
  }
  return found;
}
