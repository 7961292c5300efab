// The table at the end of `npm start`.
import { say } from '../support/output.mjs';
import { firstLine } from './status.mjs';

const columns = [
  ['Server', ({ name }) => name],
  ['State', ({ state }) => state],
  ['Revision', ({ revision }) => revision ?? '–'],
  ['Transport', ({ transport }) => transport ?? '–'],
  ['Tools', ({ tools }) => tools],
  ['Prompts', ({ prompts }) => prompts],
  ['Resources', ({ resources }) => resources],
];

export function printTable(servers) {
  const cells = servers.map((server) => columns.map(([, cell]) => cell(server)));
  const widths = columns.map(([title], i) =>
    Math.max(title.length, ...cells.map((row) => String(row[i]).length)),
  );
  const line = (row) =>
    row
      .map((cell, i) =>
        typeof cell === 'number' ? String(cell).padStart(widths[i]) : cell.padEnd(widths[i]),
      )
      .join('  ')
      .trimEnd();
  say(line(columns.map(([title]) => title)));
  say(widths.map((width) => '─'.repeat(width)).join('  '));
  for (const row of cells) say(line(row));
  for (const { name, error } of servers) if (error) say(`\n${name}: ${firstLine(error)}`);
}
