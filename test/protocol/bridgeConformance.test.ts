/**
 * The server scenarios of @modelcontextprotocol/conformance against the bridge, with the server that
 * they expect behind it. Each is a run of its own, judged by its checks and its exit code.
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
import { openTokenFront, type TokenFront } from '../support/tokenFront.ts';

const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
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

/** The rest of the suite's scenarios for a handshake revision, with the reason. */
const inapplicable: Readonly<Record<string, string>> = {
  'tools-call-sampling': 'the server asks: the host answers, never the client of the bridge',
  'tools-call-elicitation': 'the server asks: the host answers, never the client of the bridge',
  'elicitation-sep1034-defaults': 'the server asks: the host answers',
  'elicitation-sep1330-enums': 'the server asks: the host answers',
  'server-sse-polling': 'a server may end a stream and go on in another; the bridge never does',
};

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

describe('The conformance suite at the bridge', function () {
  this.timeout(90_000);
  let ground: BridgedHost;
  let front: TokenFront;

  before(async () => {
    ground = new BridgedHost();
    ground.configure(nodeServer('conformance', [behind]));
    await ground.bridge.start();
    await ground.untilReady('conformance');
    front = await openTokenFront(ground.endpoint('conformance'));
  });

  after(async () => {
    await front.close();
    await ground.close();
  });

  async function run(scenario: string): Promise<readonly Check[]> {
    const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
    try {
      const options = ['--scenario', scenario, '--spec-version', '2025-11-25', '-o', folder];
      const suiteRun = spawn(process.execPath, [suite, 'server', '--url', front.url, ...options], {
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
      assert.deepEqual(
        checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING'),
        [],
      );
      assert.equal(code, 0, said);
      return checks.filter(({ status }) => status === 'SUCCESS');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  for (const scenario of scenarios) {
    it(`${scenario}, 2025-11-25`, async () => {
      assert.ok((await run(scenario)).length > 0, 'nothing was checked');
    });
  }

  it('has no scenario for servers of a handshake revision that is not named here', async () => {
    const list = spawn(process.execPath, [suite, 'list', '--server'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    list.stdout.on('data', (chunk) => (said += String(chunk)));
    await once(list, 'close');
    const [, servers = ''] = /Server scenarios[^\n]*\n(.*?)(?:\n\n|$)/su.exec(said) ?? [];
    const named = [...servers.matchAll(/- (\S+) \[.*2025-11-25.*\]/gu)].map(([, name]) => name);
    assert.deepEqual(new Set(named), new Set([...scenarios, ...Object.keys(inapplicable)]));
  });
});
