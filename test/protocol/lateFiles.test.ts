/** What is loaded with the first failure may fail to load: then, too, each request ends. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'mocha';
import { Worker } from 'node:worker_threads';
import { legacyServer, type Script } from '../servers/httpScripted.ts';
import type { WithoutLateFiles } from '../servers/withoutLateFiles.ts';
import { failOnLeaks } from '../support/leaks.ts';

const file = new URL('../servers/withoutLateFiles.ts', import.meta.url);

/** What comes of a request where these files cannot be loaded. Rejects with what nobody handles. */
async function outcomeWithout(workerData: WithoutLateFiles): Promise<unknown> {
  const worker = new Worker(file, { workerData });
  const exited = once(worker, 'exit');
  const [outcome]: unknown[] = await once(worker, 'message');
  await exited;
  return outcome;
}

describe('files that cannot be loaded when they are needed', function () {
  this.timeout(60_000);
  failOnLeaks();

  const parts: readonly (readonly [string, string, Script['ping'], RegExp])[] = [
    [
      'the words for a failure',
      'httpErrors.ts',
      (exchange) => exchange.cut(),
      /^McpError: .*ECONNRESET; whether/u,
    ],
    ['the words for a refusal', 'httpErrors.ts', (exchange) => exchange.answer(500), /open files/u],
    [
      'the parser of events',
      'eventsource-parser',
      (exchange) => exchange.stream().write(': not plain\n\n'),
      /too many open files/u,
    ],
  ];
  for (const [what, missing, ping, expected] of parts) {
    it(`without ${what} a request fails, at once and in order`, async () => {
      const server = await legacyServer({ ping }).start();
      try {
        assert.match(String(await outcomeWithout({ missing, url: server.url().href })), expected);
      } finally {
        await server.close();
      }
    });
  }

  it('without the words for a program that does not start, its name and the reason are said', async () => {
    const outcome = await outcomeWithout({ missing: 'startFailure.ts', command: '/no/such/one' });
    assert.match(String(outcome), /^McpError: "\/no\/such\/one" .*ENOENT/u);
  });
});
