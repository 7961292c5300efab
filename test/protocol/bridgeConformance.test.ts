/**
 * The server scenarios of @modelcontextprotocol/conformance against the bridge, with the server that
 * they expect behind it, and those that expect no certain one with the reference server. Each is a run of
 * its own, judged by its checks and its exit code.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BridgedHost, nodeServer } from '../support/bridged.ts';
import { sharesServers } from '../support/leaks.ts';
import { openTokenFront, type TokenFront } from '../support/tokenFront.ts';

const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);
const everything = join(
  dirname(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json'),
  ),
  'dist/index.js',
);
const behind = fileURLToPath(new URL('../servers/conformance.mjs', import.meta.url));

const scenarios = [
  'server-initialize',
  'server-session-lifecycle',
  'logging-set-level',
  'ping',
  'completion-complete',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-with-logging',
  'tools-call-error',
  'tools-call-with-progress',
  'json-schema-2020-12',
  'server-sse-multiple-streams',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'resources-subscribe',
  'resources-unsubscribe',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'dns-rebinding-protection',
];

/** Those that ask for nothing by a name of the suite's own. */
const general = [
  'server-initialize',
  'server-session-lifecycle',
  'logging-set-level',
  'ping',
  'tools-list',
  'server-sse-multiple-streams',
  'resources-list',
  'resources-subscribe',
  'resources-unsubscribe',
  'prompts-list',
  'dns-rebinding-protection',
];

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

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
  readonly details?: { readonly message?: string };
}

interface Run {
  readonly checks: readonly Check[];
  readonly code: unknown;
  readonly said: string;
}

/** One scenario of the suite at this address. */
async function run(scenario: string, url: string): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const options = ['--scenario', scenario, '--spec-version', '2025-11-25', '-o', folder];
    const suiteRun = spawn(process.execPath, [suite, 'server', '--url', url, ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    suiteRun.stdout.on('data', (chunk) => (said += String(chunk)));
    suiteRun.stderr.on('data', (chunk) => (said += String(chunk)));
    const [code] = await once(suiteRun, 'close');
    const files = await readdir(folder, { recursive: true });
    const results = files.find((file) => file.endsWith('checks.json'));
    assert.ok(results, said);
    const checks: readonly Check[] = JSON.parse(await readFile(join(folder, results), 'utf8'));
    return { checks, code, said };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function passes(scenario: string, url: string): Promise<void> {
  const { checks, code, said } = await run(scenario, url);
  assert.deepEqual(
    checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING'),
    [],
  );
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
  const fronts: TokenFront[] = [];
  const urls = { scripted: '', everything: '' };
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
    ground.configure(
      nodeServer('scripted', [behind]),
      nodeServer('everything', [everything, 'stdio']),
    );
    await ground.bridge.start();
    for (const name of ['scripted', 'everything'] as const) {
      await ground.untilReady(name);
      const front = await openTokenFront(ground.endpoint(name));
      fronts.push(front);
      urls[name] = front.url;
    }
  });

  after(async () => {
    for (const front of fronts) {
      await front.close();
    }
    await ground.close();
  });

  for (const scenario of scenarios) {
    it(`${scenario}, 2025-11-25`, () => passes(scenario, urls.scripted));
  }

  // Each has passed with another server behind by then.
  for (const scenario of process.env['MCP_HOST_TESTS'] === 'all' ? general : []) {
    it(`${scenario}, 2025-11-25, with the reference server behind`, () =>
      passes(scenario, urls.everything));
  }

  for (const [scenario, what] of Object.entries(asking)) {
    it(`${scenario}: the host is asked, and the client is not, though it could answer`, async () => {
      asked.length = 0;
      const { checks } = await run(scenario, urls.scripted);
      assert.deepEqual(
        checks
          .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
          .map(({ errorMessage }) => errorMessage),
        [`Server did not request ${what} from client`],
      );
      assert.deepEqual(asked, [what]);
    });
  }

  it(`${polling}: has nothing to poll, since the answer comes without a stream`, async () => {
    const { checks, code, said } = await run(polling, urls.scripted);
    assert.equal(code, 0, said);
    assert.deepEqual(new Set(checks.map(({ status }) => status)), new Set(['INFO']));
    assert.ok(
      checks.some(({ details }) => details?.message?.includes('not applicable') === true),
      JSON.stringify(checks),
    );
  });

  it('has no scenario for servers of a handshake revision that is not named here', async () => {
    const list = spawn(process.execPath, [suite, 'list', '--server'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    list.stdout.on('data', (chunk) => (said += String(chunk)));
    await once(list, 'close');
    const [, servers = ''] = /Server scenarios[^\n]*\n(.*?)(?:\n\n|$)/su.exec(said) ?? [];
    const named = [...servers.matchAll(/- (\S+) \[.*2025-11-25.*\]/gu)].map(([, name]) => name);
    assert.deepEqual(new Set(named), new Set([...scenarios, ...Object.keys(asking), polling]));
  });
});
