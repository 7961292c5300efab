/** Tries mutants, several side by side, each in a copy of the project. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Mutant } from './mutant.ts';
import { ProjectCopy, type TestRun, type Tests } from './projectCopy.ts';

export type Verdict =
  | { readonly kind: 'noticed'; readonly by: string }
  | { readonly kind: 'survived' }
  /** It says nothing: the tests fail without it, or do not run with it. */
  | { readonly kind: 'void'; readonly why: string };

/** For tests without a mutant. */
const longestMs = 300_000;
const leastLimitMs = 20_000;

/**
 * Tests that neither stand beside the code nor have its rules in their titles, both by the beginning of their names: the
 * first that fits a file counts.
 */
const others: readonly (readonly [code: string, tests: string])[] = [
  ['src/base/wildcard', 'unit/host/toolApproval/toolRules'],
  ['src/bridge/', 'protocol/bridgeSessions'],
  ['src/host/requests/', 'protocol/taskConnections'],
  ['src/host/signIn/', 'protocol/authSignIn'],
  ['src/host/toolApproval/', 'unit/host/editorChat/approveTool'],
  ['src/mcp/auth/credentials', 'unit/host/signIn/accountAccess'],
  ['src/mcp/auth/routedFetch', 'protocol/routedFetch'],
  ['src/mcp/auth/', 'protocol/auth'],
  ['src/mcp/network/', 'unit/mcp/auth/authFetch'],
  ['src/mcp/transport/chunkBuffer', 'unit/mcp/transport/stdio/outputLines'],
  ['src/mcp/transport/http/httpRetryAfter', 'protocol/retryAfter'],
  ['src/mcp/transport/http/modernHttp', 'protocol/modernHttp'],
  ['src/mcp/transport/http/sse.', 'protocol/sse'],
  ['src/mcp/transport/http/', 'protocol/streamableHttp'],
  ['src/mcp/transport/stdio/reaper', 'protocol/orphans'],
  ['src/mcp/transport/stdio/', 'protocol/stdio'],
  ['src/mcp/transport/webSocket/', 'protocol/webSocket'],
];

export async function tryMutants(
  mutants: readonly Mutant[],
  jobs: number,
  onVerdict: (mutant: Mutant, verdict: Verdict) => void,
): Promise<void> {
  const copies = await Promise.all(
    Array.from({ length: Math.min(jobs, mutants.length) }, () => ProjectCopy.make()),
  );
  try {
    const texts = await testTexts(copies[0]?.folder ?? '');
    const unchanged = new Map<string, Promise<TestRun>>();
    const left = mutants.values();
    await Promise.all(
      copies.map(async (copy) => {
        // Each copy takes the next one as soon as it is free.
        for (const mutant of left) {
          onVerdict(mutant, await judge(mutant, copy, texts, unchanged));
        }
      }),
    );
  } finally {
    await Promise.all(copies.map((copy) => copy.dispose()));
  }
}

/** Of the test files that need no build, the quickest first. */
async function testTexts(root: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const suite of ['unit', 'protocol']) {
    const folder = path.join(root, 'test', suite);
    for (const name of await readdir(folder, { recursive: true })) {
      if (name.endsWith('.test.ts')) {
        const file = path.posix.join(suite, name.replaceAll(path.sep, '/'));
        texts.set(file, await readFile(path.join(folder, name), 'utf8'));
      }
    }
  }
  return texts;
}

/** The likeliest first: tests of the same name, with the rule in their titles, of the same folder, others. */
function testsFor({ file, rule }: Mutant, texts: ReadonlyMap<string, string>): readonly Tests[] {
  const beside = file.replace(/^src/u, 'unit').replace(/\.ts$/u, '.test.ts');
  const files = [...texts.keys()].filter((name) => name !== beside);
  const folder = path.posix.dirname(beside);
  const [only = ''] = /^[A-Z]+-\d+/u.exec(rule) ?? [];
  const [, start] = others.find(([code]) => file.startsWith(code)) ?? [];
  return [
    { files: texts.has(beside) ? [beside] : [] },
    { files: files.filter((name) => only !== '' && texts.get(name)?.includes(only)), only },
    { files: files.filter((name) => path.posix.dirname(name) === folder) },
    { files: files.filter((name) => start !== undefined && name.startsWith(start)) },
  ].filter((tests) => tests.files.length > 0);
}

async function judge(
  mutant: Mutant,
  copy: ProjectCopy,
  texts: ReadonlyMap<string, string>,
  unchanged: Map<string, Promise<TestRun>>,
): Promise<Verdict> {
  for (const tests of testsFor(mutant, texts)) {
    const key = JSON.stringify(tests);
    const running = unchanged.get(key) ?? copy.test(tests, longestMs);
    unchanged.set(key, running);
    const before = await running;
    const names = tests.files.join(' ');
    const hasRun = before.passed > 0 || tests.only !== undefined;
    if (before.failure !== undefined || before.isTimedOut || !hasRun) {
      const why = before.failure ?? before.output;
      return { kind: 'void', why: `${names} fails without a mutant: ${why}` };
    }
    const limitMs = Math.max(leastLimitMs, before.ms * 3);
    const run = await copy.withMutant(mutant, () => copy.test(tests, limitMs));
    if (run.failure !== undefined || run.isTimedOut) {
      const by = run.failure ?? `${names}: did not end within ${Math.round(limitMs / 1_000)} s`;
      return { kind: 'noticed', by };
    }
    if (run.passed !== before.passed) {
      return { kind: 'void', why: `${names} does not run: ${run.output}` };
    }
  }
  return { kind: 'survived' };
}
