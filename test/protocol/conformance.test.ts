/**
 * The client scenarios of @modelcontextprotocol/conformance, each at the newest revision that it applies to, and some of
 * those with a sign-in; with MCP_HOST_TESTS=all, all of them at every one. The suite forgives a client that fails or does
 * nothing: here a run is good when the suite says so, something was checked and nothing found wanting, and the client came
 * to its end.
 */
import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listScenarios, root, runSuite, type SuiteRun } from '../support/conformanceSuite.ts';
import { scenarioOf } from './conformanceScenarios.ts';
import { sharesServers } from '../support/leaks.ts';
import { isWhole } from '../support/whole.ts';

const client = relative(root, fileURLToPath(new URL('conformanceClient.ts', import.meta.url)));
/** The suite splits the command at blanks: paths are given relative to the root. */
const command = `${relative(root, process.execPath)} ${client}`;

/** The suite runs skills in the older era, in the other one when it is forced to (SKL-04). */
const inBothEras = /^sep-2640/u;

/** Of those with a sign-in, one of each kind; the others run with the whole suite. */
const signIns: readonly string[] = [
  'basic-cimd',
  'scope-step-up',
  'authorization-server-migration',
  'dpop',
  'enterprise-managed-authorization',
  'wif-jwt-bearer',
  '2025-03-26-oauth-metadata-backcompat',
].map((name) => `auth/${name}`);

const listed = listScenarios('client');

/** Scenario and revision. */
const runs = listed.flatMap(([scenario, revisions]) => {
  if (!isWhole && scenario.startsWith('auth/') && !signIns.includes(scenario)) return [];
  const all = [...revisions, ...(inBothEras.test(scenario) ? ['2026-07-28'] : [])].toSorted();
  const chosen = isWhole ? all : all.slice(-1);
  return chosen.map((revision) => [scenario, revision] as const);
});

function runScenario(scenario: string, revision: string, program = command): Promise<SuiteRun> {
  const version = revision === 'extension' ? [] : ['--spec-version', revision];
  const forced = inBothEras.test(scenario) && version.length > 0 ? ['--force'] : [];
  return runSuite('client', scenario, '--command', program, ...version, ...forced);
}

/** Why a run does not count as passed; undefined when it does. */
function shortfall({ code, checks, wanting, isDone }: SuiteRun): string | undefined {
  if (wanting.length > 0) {
    return wanting.map(({ id, status }) => `${id}: ${status}`).join('\n');
  }
  const passed = checks.filter(({ status }) => status === 'SUCCESS').map(({ id }) => id);
  if (passed.every((id) => id === 'wire-schema-valid')) {
    return 'nothing of the scenario was checked';
  }
  if (code !== 0) {
    return `the suite ended with ${String(code)}`;
  }
  return isDone ? undefined : 'the client did not come to its end';
}

describe('The conformance suite', function () {
  sharesServers(this);
  this.timeout(120_000);
  const started = new Map<number, Promise<SuiteRun>>();

  /** Begins a run, unless it has begun. */
  function start(n: number): Promise<SuiteRun> {
    const [scenario, revision] = runs[n] ?? assert.fail();
    const run = started.get(n) ?? runScenario(scenario, revision);
    started.set(n, run);
    return run;
  }

  after(() => Promise.allSettled(started.values()));

  for (const [n, [scenario, revision]] of runs.entries()) {
    it(`${inBothEras.test(scenario) ? 'SKL-04: ' : ''}${scenario}, ${revision}`, async () => {
      const running = start(n);
      if (n + 1 < runs.length) {
        void start(n + 1); // its processes start while those of this one work
      }
      const run = await running;
      assert.equal(shortfall(run), undefined, run.said);
    });
  }

  it('each scenario that is listed is known, and those that are chosen are listed', () => {
    const names = listed.map(([scenario]) => scenario);
    assert.deepEqual(
      names.filter((name) => scenarioOf(name) === undefined),
      [],
    );
    assert.deepEqual(
      signIns.filter((name) => !names.includes(name)),
      [],
    );
  });

  it('a client that does nothing passes no scenario, whatever the suite says', async () => {
    const run = await runScenario('http-standard-headers', '2026-07-28', 'true');
    assert.ok(shortfall(run) !== undefined, run.said);
  });
});
