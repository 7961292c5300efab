import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { HttpEndpoint } from '../../../../../src/mcp/transport/http/httpExchange.ts';
import { SessionLosses } from '../../../../../src/mcp/transport/http/sessionLoss.ts';
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

async function openLosses(
  answerPing: Handler,
): Promise<{ losses: SessionLosses; server: HttpScripted }> {
  const server = closedAfterTest(await new HttpScripted(answerPing).start());
  const endpoint = new HttpEndpoint(server.url(), 1_000);
  closedAfterTest({ close: async () => endpoint.close() });
  return { losses: new SessionLosses(endpoint, 1_000), server };
}

const answered: Handler = (exchange) => exchange.json(exchange.resultOf({}));

describe('SessionLosses', () => {
  it('HTTP-22: one is believed, and for a minute after it no other', async () => {
    const { losses } = await openLosses(answered);
    let now = Math.ceil(performance.now());
    const clock = mock.method(performance, 'now', () => now);
    try {
      for (let minutes = 0; minutes < 3; minutes += 1) {
        assert.equal(losses.isBelieved, true);
        losses.note();
        assert.equal(losses.isBelieved, false);
        now += 59_999;
        assert.equal(losses.isBelieved, false);
        now += 1;
      }
    } finally {
      clock.mock.restore();
    }
  });

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
      const { losses, server } = await openLosses(answerPing);
      assert.equal(await losses.ask(openSession('session-2')), isLost);
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
    const { losses, server } = await openLosses(() => undefined);
    const limit = new AbortController();
    const timeout = mock.method(AbortSignal, 'timeout', () => limit.signal);
    const answer = losses.ask(openSession('session-1'));
    timeout.mock.restore();
    await waitUntil('the ping', () => server.received.length === 1);
    limit.abort();
    assert.equal(await answer, false);
    assert.deepEqual(timeout.mock.calls[0]?.arguments, [5_000]);
  });

  it('asks once for all who ask at a time, of each session apart, and anew later', async () => {
    const { losses, server } = await openLosses(answered);
    const [one, two] = [openSession('session-1'), openSession('session-2')];
    const asked = [losses.ask(one), losses.ask(one), losses.ask(two)];
    assert.deepEqual(await Promise.all(asked), [false, false, false]);
    assert.equal(await losses.ask(two), false);
    const sessions = server.received.map(({ headers }) => headers['mcp-session-id']);
    assert.equal(sessions.length, 3);
    assert.equal(sessions.filter((id) => id === 'session-2').length, 2);
    const ids = server.received.map(({ message }) => message.id);
    assert.equal(new Set(ids).size, 3);
  });
});
