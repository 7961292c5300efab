/**
 * The server scenarios of @modelcontextprotocol/conformance against the bridge, with the server that
 * they expect behind it. Each is a run of its own, judged by its checks and its exit code.
 */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { BridgedHost, nodeServer } from '../support/bridged.ts';
import { listScenarios, runSuite, type SuiteRun } from '../support/conformanceSuite.ts';
import { sharesServers } from '../support/leaks.ts';
import { isWhole } from '../support/whole.ts';
import { openTokenFront, type TokenFront } from '../support/tokenFront.ts';

const behind = fileURLToPath(new URL('../servers/conformance.mjs', import.meta.url));

/** What the suite expects to be asked, and what the server asks the host instead. */
const asking: Readonly<Record<string, 'sampling' | 'elicitation'>> = {
  'tools-call-sampling': 'sampling',
  'tools-call-elicitation': 'elicitation',
  'elicitation-sep1034-defaults': 'elicitation',
  'elicitation-sep1330-enums': 'elicitation',
};

/**
 * Wants a stream that ends before the answer, which comes in another one (a MAY). The bridge ends none
 * early. An event with an id and a `retry`, which the suite recommends at the start of a stream, would
 * invite clients to come back for an answer that nobody keeps, so that it sends neither.
 */
const polling = 'server-sse-polling';

/** One of each kind that bridge*.test.ts leave; the others run with the whole suite, each two processes of its own. */
const few: ReadonlySet<string> = new Set([
  'server-initialize',
  'tools-call-mixed-content',
  'tools-call-with-progress',
  'server-sse-multiple-streams',
  'tools-call-sampling',
]);
const isChosen = (scenario: string): boolean => isWhole || few.has(scenario);

/** All others of the revision. */
const scenarios = listScenarios('server').flatMap(([scenario, revisions]) =>
  revisions.includes('2025-11-25') && !(scenario in asking) && scenario !== polling
    ? [scenario]
    : [],
);

/** One scenario of the suite at this address. */
async function run(scenario: string, url: string): Promise<SuiteRun> {
  const result = await runSuite('server', scenario, '--url', url, '--spec-version', '2025-11-25');
  assert.ok(result.checks.length > 0, result.said);
  return result;
}

async function passes(scenario: string, url: string): Promise<void> {
  const { checks, wanting, code, said } = await run(scenario, url);
  assert.deepEqual(wanting, []);
  assert.equal(code, 0, said);
  assert.ok(
    checks.some(({ status }) => status === 'SUCCESS'),
    'nothing was checked',
  );
}

describe('The conformance suite at the bridge', function () {
  sharesServers(this);
  this.timeout(90_000);
  let ground: BridgedHost;
  let front: TokenFront;
  const asked: string[] = [];

  before(async () => {
    ground = new BridgedHost({
      features: () => ({
        sample: async () => {
          asked.push('sampling');
          const content = { type: 'text', text: 'The host has answered' } as const;
          return { role: 'assistant', content, model: 'none' };
        },
        elicit: async () => {
          asked.push('elicitation');
          return { action: 'decline' };
        },
      }),
    });
    await ground.serve(nodeServer('scripted', [behind]));
    front = await openTokenFront(ground.endpoint('scripted'));
  });

  after(async () => {
    await front.close();
    await ground.close();
  });

  for (const scenario of scenarios.filter(isChosen)) {
    it(`${scenario}, 2025-11-25`, () => passes(scenario, front.url));
  }

  for (const [scenario, what] of Object.entries(asking).filter(([name]) => isChosen(name))) {
    it(`${scenario}: the host is asked, and the client is not, though it could answer`, async () => {
      asked.length = 0;
      const { wanting } = await run(scenario, front.url);
      assert.deepEqual(
        wanting.map(({ errorMessage }) => errorMessage),
        [`Server did not request ${what} from client`],
      );
      assert.deepEqual(asked, [what]);
    });
  }

  it(`${polling}: nothing fails, though there is nothing to come back for`, async () => {
    const { checks, code, said } = await run(polling, front.url);
    assert.equal(code, 0, said);
    assert.ok(
      checks.every(({ status }) => status === 'INFO' || status === 'WARNING'),
      JSON.stringify(checks),
    );
  });
});
