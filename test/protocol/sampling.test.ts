/** Sampling over stdio: a scripted server of each revision asks, the host's own code answers. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { featuresFor } from '../../src/host/servers/features.ts';
import type { SamplingDecision } from '../../src/host/sampling/samplingUi.ts';
import { WorkspaceRoots } from '../../src/host/roots/workspaceRoots.ts';
import type { Binding } from '../../src/mcp/client/connect.ts';
import type { Revision } from '../../src/mcp/revisions.ts';
import { createStdioTransport } from '../../src/mcp/transport/stdio/stdio.ts';
import { deferred } from '../support/deferred.ts';
import { FakeSampling, allowing } from '../support/fakeSampling.ts';
import { FakeWorkspace } from '../support/fakeWorkspace.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { openStdio } from '../support/stdioSession.ts';
import { turns, waitUntil } from '../support/waitUntil.ts';

const script = fileURLToPath(new URL('../servers/sampler.mjs', import.meta.url));
const stopTimes = { afterEndOfInputMs: 2_000, afterTermMs: 2_000, afterKillMs: 5_000 };
const limitMs = 20_000;

type Json = Readonly<Record<string, unknown>>;

interface Setup {
  readonly fake: FakeSampling;
  /** Writes a file that the server looks for. */
  readonly tell: (file: string, value?: unknown) => Promise<void>;
  /** Waits for a file that the server writes. */
  readonly told: (file: string) => Promise<unknown>;
  readonly has: (file: string) => boolean;
}

const text = (words: string): Json => ({ type: 'text', text: words });
const hi: Json = { messages: [{ role: 'user', content: text('Hi') }], maxTokens: 100 };
const add = { name: 'add', inputSchema: { type: 'object', properties: {} } };

async function withServer(
  revision: Revision,
  use: (setup: Setup) => Promise<void>,
  sampling = true,
): Promise<void> {
  const fake = new FakeSampling();
  const folder = await mkdtemp(join(tmpdir(), 'mcp-host-sampling-'));
  const features = featuresFor(stdioServer('sampler', { sampling }), {
    roots: new WorkspaceRoots(new FakeWorkspace([])),
    sampling: () => fake.sampling,
  });
  const env = { ...process.env, FOLDER: folder, REVISION: revision };
  const binding: Binding = {
    label: 'stdio',
    wire: 'pipe',
    eras: ['legacy'],
    connect: () =>
      createStdioTransport({ command: process.execPath, args: [script], env, stopTimes }),
  };
  const { session } = await openStdio(binding, { features });
  const has = (file: string): boolean => existsSync(join(folder, file));
  try {
    await use({
      fake,
      has,
      tell: async (file, value = {}) => {
        await writeFile(join(folder, `${file}.new`), JSON.stringify(value));
        await rename(join(folder, `${file}.new`), join(folder, file));
      },
      told: async (file) => {
        await waitUntil(file, () => has(file), limitMs);
        return JSON.parse(await readFile(join(folder, file), 'utf8'));
      },
    });
  } finally {
    await session.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

describe('sampling over stdio', () => {
  for (const revision of ['2024-11-05', '2025-06-18', '2025-11-25'] as const) {
    it(`SAMP-01, SAMP-13: declared and answered in ${revision}`, async () => {
      await withServer(revision, async ({ fake, tell, told }) => {
        assert.deepEqual(await told('capabilities.json'), {
          roots: { listChanged: true },
          sampling: { tools: {} },
          tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} } } },
        });
        await tell('a.ask.json', hi);
        assert.deepEqual(await told('a.reply.json'), {
          result: {
            role: 'assistant',
            content: text('Hello'),
            model: 'fake',
            stopReason: 'endTurn',
          },
        });
        assert.equal(fake.approvals[0]?.revision, revision);
      });
    });

    it(`SAMP-22: a no in ${revision} is error -1`, async () => {
      await withServer(revision, async ({ fake, tell, told }) => {
        fake.answer = () => ({ kind: 'deny' });
        await tell('a.ask.json', hi);
        assert.deepEqual(await told('a.reply.json'), {
          error: { code: -1, message: 'User rejected sampling request' },
        });
      });
    });

    it(`SAMP-12, TRAP-42: tools and several blocks in ${revision}`, async () => {
      await withServer(revision, async ({ fake, tell, told }) => {
        fake.model.parts = [
          { kind: 'text', text: 'Well' },
          { kind: 'data', mimeType: 'image/png', bytes: new Uint8Array([0]) },
        ];
        await tell('a.ask.json', { ...hi, tools: [add], toolChoice: { mode: 'required' } });
        const reply = await told('a.reply.json');
        const isNewest = revision === '2025-11-25';
        assert.deepEqual(reply, {
          result: {
            role: 'assistant',
            content: isNewest
              ? [text('Well'), { type: 'image', data: 'AA==', mimeType: 'image/png' }]
              : text('Well'),
            model: 'fake',
            stopReason: 'endTurn',
          },
        });
        assert.equal(fake.model.requests[0]?.tools.length, isNewest ? 1 : 0);
        assert.equal(fake.model.requests[0]?.toolMode, isNewest ? 'required' : 'auto');
      });
    });
  }

  it('SAMP-16, SAMP-18: a loop of tools, run by the server', async () => {
    await withServer('2025-11-25', async ({ fake, tell, told }) => {
      fake.model.parts = [{ kind: 'toolCall', callId: 'c1', tool: 'add', input: { a: 1, b: 2 } }];
      await tell('a.ask.json', { ...hi, tools: [add] });
      const use = { type: 'tool_use', id: 'c1', name: 'add', input: { a: 1, b: 2 } };
      assert.deepEqual(await told('a.reply.json'), {
        result: { role: 'assistant', content: use, model: 'fake', stopReason: 'toolUse' },
      });
      fake.model.parts = [{ kind: 'text', text: 'It is 3' }];
      const result = { type: 'tool_result', toolUseId: 'c1', content: [text('3')] };
      await tell('b.ask.json', {
        maxTokens: 100,
        tools: [add],
        messages: [
          { role: 'user', content: text('1+2?') },
          { role: 'assistant', content: [use] },
          { role: 'user', content: [result] },
        ],
      });
      assert.match(JSON.stringify(await told('b.reply.json')), /It is 3/);
      await tell('c.ask.json', {
        maxTokens: 100,
        messages: [
          { role: 'user', content: text('1+2?') },
          { role: 'assistant', content: [use] },
          { role: 'user', content: [result, text('and?')] },
        ],
      });
      assert.match(JSON.stringify(await told('c.reply.json')), /-32602.*mixes tool results/);
    });
  });

  it('CANC-03: what the server withdraws gets no reply, whatever the user answers later', async () => {
    await withServer('2025-06-18', async ({ fake, tell, told, has }) => {
      const late = deferred<SamplingDecision>();
      fake.answer = () => late.promise;
      await tell('a.ask.json', hi);
      await waitUntil('the question', () => fake.approvals.length === 1, limitMs);
      await tell('a.cancel');
      await told('a.cancelled.json');
      await waitUntil('the withdrawal', () => fake.questions.open.length === 0, limitMs);
      const [question] = fake.approvals;
      assert.ok(question);
      late.resolve(allowing('always')(question));
      await turns();
      assert.deepEqual(fake.notices, [{ kind: 'withdrawn' }]);
      fake.answer = allowing('once');
      await tell('b.ask.json', hi);
      await told('b.reply.json');
      assert.equal(has('a.reply.json'), false);
      assert.equal(fake.approvals.length, 2);
    });
  });

  it('CAP-02, CAP-05: a server whose sampling is off is not told of it, and gets -32601', async () => {
    await withServer(
      '2025-11-25',
      async ({ tell, told }) => {
        assert.deepEqual(await told('capabilities.json'), { roots: { listChanged: true } });
        await tell('a.ask.json', hi);
        assert.match(JSON.stringify(await told('a.reply.json')), /-32601/);
      },
      false,
    );
  });
});
