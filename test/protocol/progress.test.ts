import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Progress } from '../../src/mcp/rpc/peer.ts';
import { receivedBy, textOf, withTools } from '../support/stdioSession.ts';

const ignore = (): void => undefined;

describe('Progress over stdio', function () {
  this.timeout(60_000);
  it('all of it arrives, before the result, also when it shares a write with it', async () => {
    await withTools(async ({ session }) => {
      const seen: number[] = [];
      const onProgress = ({ progress }: Progress): unknown => seen.push(progress);
      await textOf(session, 'progressWithReply', {}, { onProgress });
      assert.deepEqual(
        seen,
        Array.from({ length: 150 }, (_, index) => index + 1),
      );
    });
  });

  it('META-04, PROG-01: the token is unique and inside _meta, and only there when wanted', async () => {
    await withTools(async ({ session }) => {
      await Promise.all([
        textOf(session, 'echo', { value: 'a' }, { onProgress: ignore }),
        textOf(session, 'echo', { value: 'b' }, { onProgress: ignore }),
        textOf(session, 'echo', { value: 'c' }),
      ]);
      const calls = (await receivedBy(session)).filter(({ method }) => method === 'tools/call');
      const [a, b, c] = calls.map(({ params }) => params?.['_meta']);
      assert.notDeepEqual(a, b);
      assert.deepEqual(Object.keys(a ?? {}), ['progressToken']);
      assert.equal(c, undefined);
    });
  });

  it('PROG-04: what comes after the reply is dropped', async () => {
    await withTools(async ({ session }) => {
      let count = 0;
      const onProgress = (): unknown => count++;
      await textOf(session, 'progressAfterReply', {}, { onProgress });
      await textOf(session, 'echo', { value: 'x' });
      assert.equal(count, 0);
    });
  });

  it('TIME-03: keeps a long call alive beyond its idle limit', async () => {
    await withTools(async ({ session }) => {
      const options = {
        onProgress: ignore,
        times: { idleMs: 1_000, totalMs: 60_000 },
      };
      const startedAt = performance.now();
      assert.equal(await textOf(session, 'steady', { everyMs: 100, times: 15 }, options), 'done');
      assert.ok(performance.now() - startedAt > 1_000);
    });
  });

  it('TIME-03: but not beyond its limit in all', async () => {
    await withTools(async ({ session }) => {
      const options = { onProgress: ignore, times: { idleMs: 5_000, totalMs: 600 } };
      await assert.rejects(textOf(session, 'steady', { everyMs: 50, times: 400 }, options), {
        code: 'timeout',
        message: /limit of 0.6 s in all/,
      });
    });
  });
});
