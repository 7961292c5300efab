// docs/rules.md: which tests show each rule, by the IDs in their names, and how many rules are shown.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../support/project.mjs';

/** So many files are named in a row; there may be more. */
const namedFiles = 4;

/** How the last column of a rule may begin that no test names; the words after it are kept. */
const reasons = ['as ', 'documented: ', 'not applicable: ', 'not implemented: '];
const nothing = 'nothing yet';

/** What is counted: the first is the beginning of a link. */
const columns = ['[', ...reasons, nothing];
const headers = [
  'shown by tests',
  'as another',
  'documented',
  'not applicable',
  'not implemented',
  nothing,
];

/** Tests of the newest revision: a number that both tables have means its rule there. */
const newest =
  /modern|judgeProbe|unit\/mcp\/connect\.|inputRequired|resultCache|extensionTasks|httpHeaders/iu;

/** They name rules and show none. */
const noTests = /^(?:unit\/rules\.test\.ts$|mutants\/)/u;

const rule = /^\| (?<id>[A-Z]{2,6}-\d\d(?: \(2026\))?) \| (?<rest>.*) \| (?<shown>[^|]*) \|$/u;

/** The page as it should be. All but its last column and its counts stays as it is. */
export function rulesPage(page) {
  return withCounts(withTests(page.split('\n'), testsByRule(page))).join('\n');
}

/** @returns {Map<string, Set<string>>} the ID in a row → the tests that have it in a name or a text */
function testsByRule(page) {
  const rules = new Map(
    page.split('\n').flatMap((line) => {
      const id = rule.exec(line)?.groups.id;
      return id === undefined ? [] : [[id, new Set()]];
    }),
  );
  for (const test of testFiles()) {
    for (const { id, mark } of named(readFileSync(path.join(root, 'test', test), 'utf8'))) {
      const isNewest = mark === undefined ? newest.test(test) : mark === '2026';
      const ids = isNewest ? [`${id} (2026)`, id] : [id, `${id} (2026)`];
      rules.get(ids.find((candidate) => rules.has(candidate)))?.add(test);
    }
  }
  return rules;
}

/** The cheapest suites first. */
function testFiles() {
  const suites = ['unit', 'protocol', 'host', 'e2e'];
  const rank = (test) => {
    const at = suites.findIndex((suite) => test.startsWith(`${suite}/`));
    return at === -1 ? suites.length : at;
  };
  return readdirSync(path.join(root, 'test'), { recursive: true })
    .map((test) => test.replaceAll(path.sep, '/'))
    .filter((test) => /\.(?:ts|mjs)$/u.test(test) && !noTests.test(test))
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** The IDs outside of comments. A mark, `(2026)` or `(legacy)`, counts for the whole list before it. */
function named(text) {
  const code = text.replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gmu, '');
  return [
    ...code.matchAll(/\b[A-Z]{2,6}-\d\d\b(?:, [A-Z]{2,6}-\d\d\b)*(?: \((2026|legacy)\))?/gu),
  ].flatMap(([list, mark]) => list.match(/[A-Z]+-\d\d/gu).map((id) => ({ id, mark })));
}

function withTests(lines, tests) {
  return lines.map((line) => {
    const { id, rest, shown } = rule.exec(line)?.groups ?? {};
    return id === undefined ? line : `| ${id} | ${rest} | ${lastCell(shown, [...tests.get(id)])} |`;
  });
}

function lastCell(shown, tests) {
  const isExplained = reasons.some((reason) => shown.startsWith(reason));
  if (tests.length === 0) return isExplained ? shown : nothing;
  const links = tests.slice(0, namedFiles).map((test) => {
    const name = test.replace(/(?:\.test|\.e2e)?\.(?:ts|mjs)$/u, '');
    return `[${name}](../test/${test})`;
  });
  const more = tests.length - links.length;
  return links.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The table between the marks: of each part, and of all rules that say MUST, how many are shown how. */
function withCounts(lines) {
  const parts = new Map();
  const totals = new Map([
    ['**All**', columns.map(() => 0)],
    ['**All that say MUST**', columns.map(() => 0)],
  ]);
  let counted = [];
  for (const line of lines) {
    if (line.startsWith('## ')) {
      counted = columns.map(() => 0);
      parts.set(line.slice(3), counted);
    }
    const { id, rest, shown } = rule.exec(line)?.groups ?? {};
    if (id === undefined) continue;
    const column = columns.findIndex((start) => shown.startsWith(start));
    const [all, must] = totals.values();
    for (const counts of rest.includes(' | MUST | ') ? [counted, all, must] : [counted, all]) {
      counts[column] += 1;
    }
  }
  const table = [
    ['part', 'rules', ...headers],
    ['---', '--:', '--:', '--:', '--:', '--:', '--:', '--:'],
    ...[...parts, ...totals]
      .map(([name, counts]) => [name, counts.reduce((sum, count) => sum + count), ...counts])
      .filter(([, total]) => total > 0),
  ];
  const [start, end] = ['<!-- counts -->', '<!-- /counts -->'].map((mark) => lines.indexOf(mark));
  const written = table.map((cells) => `| ${cells.join(' | ')} |`);
  return lines.toSpliced(start + 1, end - start - 1, '', ...written, '');
}
