import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { HttpEndpoint } from '../../../../../src/mcp/transport/http/httpExchange.ts';
import { isLostByPing } from '../../../../../src/mcp/transport/http/sessionLoss.ts';
import { HttpSession } from '../../../../../src/mcp/transport/http/httpSession.ts';
import { type Handler, HttpScripted } from '../../../../servers/httpScripted.ts';
import { closedAfterTest } from '../../../../support/closing.ts';
import { waitUntil } from '../../../../support/waitUntil.ts';

function openSession(id: string): HttpSession {
  const session = new HttpSession({ 'x-team': 'blue' });
  session.take(id);
  session.agree('2025-11-25');
  return session;
}

/** Whether a session is lost whose ping is answered so. */
async function askAbout(
  answerPing: Handler,
): Promise<{ isLost: Promise<boolean>; server: HttpScripted }> {
  const server = closedAfterTest(await new HttpScripted(answerPing).start());
  const endpoint = new HttpEndpoint(server.url(), 1_000);
  closedAfterTest({ close: async () => endpoint.close() });
  return { isLost: isLostByPing(endpoint, openSession('session-2'), 1_000), server };
}

const answered: Handler = (exchange) => exchange.json(exchange.resultOf({}));

describe('isLostByPing', () => {
  for (const [what, answerPing, isLost] of [
    ['answered', answered, false],
    ['answered with a stream', (exchange) => exchange.stream().event({}).end(), false],
    ['taken without an answer', (exchange) => exchange.answer(202), false],
    ['refused with 404', (exchange) => exchange.answer(404), true],
    [
      'refused with 400 for its session',
      (exchange) => exchange.json(exchange.errorOf(-32_000, 'No session', null), {}, 400),
      true,
    ],
    [
      'unknown as a method',
      (exchange) => exchange.json(exchange.errorOf(-32_601, 'Method not found'), {}, 404),
      false,
    ],
    ['refused for another reason', (exchange) => exchange.answer(500), false],
    ['cut off', (exchange) => exchange.cut(), false],
  ] satisfies readonly (readonly [string, Handler, boolean])[]) {
    it(`HTTP-22: a session ${isLost ? 'is lost' : 'lives'} whose ping is ${what}`, async () => {
      const asked = await askAbout(answerPing);
      assert.equal(await asked.isLost, isLost);
      const { server } = asked;
      assert.equal(server.received.length, 1);
      const [{ verb, headers, message } = assert.fail()] = server.received;
      assert.deepEqual([verb, message.method], ['POST', 'ping']);
      assert.deepEqual(
        [headers['mcp-session-id'], headers['mcp-protocol-version'], headers['x-team']],
        ['session-2', '2025-11-25', 'blue'],
      );
    });
  }

  it('is not known to be lost when the ping is not answered', async () => {
    const limit = new AbortController();
    const timeout = mock.method(AbortSignal, 'timeout', () => limit.signal);
    const { isLost, server } = await askAbout(() => undefined);
    timeout.mock.restore();
    await waitUntil('the ping', () => server.received.length === 1);
    limit.abort();
    assert.equal(await isLost, false);
    assert.deepEqual(timeout.mock.calls[0]?.arguments, [5_000]);
  });
});
