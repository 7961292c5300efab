import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { receivedBy, textOf, withTools } from '../support/stdioSession.ts';

describe('Cancellation over stdio', function () {
  this.timeout(60_000);
  it('CANC-01: a cancelled call ends at once, and the server is told which', async () => {
    await withTools(async ({ session }) => {
      const controller = new AbortController();
      const call = textOf(session, 'silent', {}, { signal: controller.signal });
      controller.abort();
      await assert.rejects(call, { code: 'cancelled' });
      const messages = await receivedBy(session);
      const request = messages.find(({ params }) => params?.['name'] === 'silent');
      const cancel = messages.find(({ method }) => method === 'notifications/cancelled');
      assert.equal(cancel?.params?.['requestId'], request?.id);
      assert.equal(typeof cancel?.params?.['reason'], 'string');
      assert.equal(cancel !== undefined && 'id' in cancel, false);
    });
  });

  it('CANC-01: an answered call is not cancelled', async () => {
    await withTools(async ({ session }) => {
      const controller = new AbortController();
      await textOf(session, 'echo', { value: 'x' }, { signal: controller.signal });
      controller.abort();
      const methods = (await receivedBy(session)).map(({ method }) => method);
      assert.ok(!methods.includes('notifications/cancelled'));
    });
  });

  it('CANC-05: the reply that comes all the same is discarded', async () => {
    await withTools(async ({ session, diagnostics }) => {
      const controller = new AbortController();
      const call = textOf(session, 'late', { afterMs: 50 }, { signal: controller.signal });
      controller.abort();
      await assert.rejects(call, { code: 'cancelled' });
      while (!diagnostics.some(({ text }) => /late or second reply/.test(text))) {
        assert.equal(await textOf(session, 'echo', { value: 'alive' }), 'alive');
      }
    });
  });

  it('TIME-01, TIME-02: a call over its limit ends, is cancelled, and costs no other call', async () => {
    await withTools(async ({ session }) => {
      const times = { idleMs: 200, totalMs: 10_000 };
      await assert.rejects(textOf(session, 'silent', {}, { times }), { code: 'timeout' });
      const messages = await receivedBy(session);
      const cancel = messages.find(({ method }) => method === 'notifications/cancelled');
      assert.equal(cancel?.params?.['reason'], 'The request timed out');
    });
  });

  it('CANC-03, CANC-04: a question that the server takes back gets no answer; odd ones are ignored', async () => {
    let wasStopped = false;
    const listRoots = (signal: AbortSignal) =>
      new Promise<[]>((resolve) => {
        signal.addEventListener('abort', () => {
          wasStopped = true;
          resolve([]);
        });
      });
    await withTools(
      async ({ session }) => {
        // The first one may be taken back while the code for it is loaded: nobody is asked then.
        assert.equal(await textOf(session, 'rootsCancelled'), 'false');
        assert.equal(await textOf(session, 'rootsCancelled'), 'false');
        assert.equal(wasStopped, true);
      },
      { features: { listRoots } },
    );
  });
});
