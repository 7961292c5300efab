import assert from 'node:assert/strict';
import { Elicitation } from '../../../../src/host/elicitation/elicitation.ts';
import type { AuditEntry } from '../../../../src/host/audit/audit.ts';
import { type Question, QuestionQueue } from '../../../../src/host/questions/questionQueue.ts';
import { isCancelled, isRpcError } from '../../../../src/mcp/errors.ts';
import type { ElicitRequest, ElicitResult } from '../../../../src/mcp/types/clientFeatures.ts';
import { createSchemaChecker } from '../../../../src/entries/schemas.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { FakeElicitationUi } from '../../../support/fakeElicitationUi.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';
import { turns, waitUntil } from '../../../support/waitUntil.ts';

const never = new AbortController().signal;
const weather = stdioServer('weather');
const shop = stdioServer('shop', {
  launch: { kind: 'http', url: 'https://shop.example:8443/mcp', headers: {} },
});

const form: ElicitRequest = {
  mode: 'form',
  message: 'Where?',
  requestedSchema: {
    type: 'object',
    properties: { city: { type: 'string', minLength: 2 }, days: { type: 'integer', default: 0 } },
    required: ['city'],
  },
};
const link: ElicitRequest = {
  mode: 'url',
  message: 'Pay',
  elicitationId: 'e1',
  url: 'https://pay.example/now',
};

class Setup {
  readonly audit: AuditEntry[] = [];
  readonly ui = new FakeElicitationUi();
  readonly clock = new FakeClock();
  readonly questions = new QuestionQueue();
  readonly elicitation = new Elicitation({
    questions: this.questions,
    ui: this.ui,
    checker: createSchemaChecker,
    clock: this.clock,
    audit: { record: (entry) => this.audit.push(entry) },
  });

  elicit(request: ElicitRequest, signal = never, server = weather): Promise<ElicitResult> {
    return this.elicitation.elicit(server, request, { signal, revision: '2025-11-25' });
  }

  /** Asks, and answers at once. */
  async reply(
    request: ElicitRequest,
    action: ElicitResult['action'],
    server = weather,
  ): Promise<ElicitResult> {
    const answer = this.elicit(request, never, server);
    await this.ui.reply(request.mode === 'form' ? 'form' : 'link', action);
    return answer;
  }

  async fill(city: string, action: ElicitResult['action'] | 'later'): Promise<void> {
    const { question } = await this.ui.next('form');
    const [field] = question.draft.form.fields;
    assert.ok(field);
    question.draft.set(field, city);
    this.ui.answer(action);
  }

  /** The user has opened the page, and is not back yet. */
  async visit(): Promise<Question> {
    assert.deepEqual(await this.reply(link, 'accept'), { action: 'accept' });
    await turns();
    const [waiting] = this.questions.waiting;
    return waiting ?? assert.fail('nothing waits');
  }

  /** The kinds of notices, when nothing is left of what was asked. */
  async told(): Promise<readonly string[]> {
    await turns();
    assert.equal(this.ui.shown, undefined);
    assert.deepEqual(this.questions.open, []);
    assert.equal(this.clock.pending, 0);
    return this.ui.notices.map(({ kind }) => kind);
  }
}

async function codeOf(promise: Promise<unknown>): Promise<number | undefined> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return isRpcError(error) ? error.rpcCode : undefined;
}

describe('Elicitation, form mode', () => {
  it('ELIC-04, ELI-19, HOST-06: names who asks by the settings, and passes on the message', async () => {
    const setup = new Setup();
    const answer = setup.elicit(form, never, shop);
    const { question } = await setup.ui.next('form');
    assert.deepEqual(question.asker, { name: 'shop', origin: 'shop.example:8443' });
    assert.equal(question.message, 'Where?');
    setup.ui.answer('cancel');
    await answer;
  });

  it('ELIC-05, ELI-04, ELIC-19, TRAP-48: keeps the three outcomes apart', async () => {
    const setup = new Setup();
    for (const [action, content] of [
      ['decline', {}],
      ['cancel', {}],
      ['accept', { content: { city: 'Rome', days: 0 } }],
    ] as const) {
      const answer = setup.elicit(form);
      await setup.fill('Rome', action);
      assert.deepEqual(await answer, { action, ...content });
    }
  });

  it('ELIC-18, ELI-09: never sends what does not fit the schema', async () => {
    const setup = new Setup();
    const answer = setup.elicit(form);
    await setup.fill('R', 'accept');
    await assert.rejects(answer, { code: 'invalidInput' });
  });

  it('ELIC-08: refuses a nested form before anybody is asked', async () => {
    const setup = new Setup();
    const nested = { type: 'object', properties: { a: { type: 'object' } } };
    const answer = setup.elicit({ mode: 'form', message: 'm', requestedSchema: nested });
    assert.equal(await codeOf(answer), -32602);
    assert.deepEqual(setup.ui.history, []);
  });

  it('"Later" lets the next question through and keeps what was typed', async () => {
    const setup = new Setup();
    const first = setup.elicit(form);
    const second = setup.elicit(form, never, shop);
    await setup.fill('Ro', 'later');
    await waitUntil('the second question', () => setup.ui.history.length === 2);
    const [waiting] = setup.questions.waiting;
    assert.ok(waiting);
    assert.deepEqual([waiting.server, waiting.text], ['weather', 'Where?']);
    setup.ui.answer('decline');
    assert.deepEqual(await second, { action: 'decline' });
    setup.questions.reopen(waiting);
    await setup.ui.reply('form', 'accept');
    assert.deepEqual(await first, { action: 'accept', content: { city: 'Ro', days: 0 } });
  });

  it('CANC-03: what the server withdraws goes from the screen at once, and the user is told', async () => {
    const setup = new Setup();
    const withdrawal = new AbortController();
    const answer = setup.elicit(form, withdrawal.signal);
    await setup.ui.next('form');
    withdrawal.abort();
    await assert.rejects(answer, isCancelled);
    assert.deepEqual(await setup.told(), ['withdrawn']);
  });

  it('ELIC-07, HOST-08: refuses what is over the limits of its server, and tells the user', async () => {
    const setup = new Setup();
    const withdrawal = new AbortController();
    const server = stdioServer('chatty', { limits: { elicitationsPerMinute: 1 } });
    await setup.reply(form, 'cancel', server);
    assert.equal(await codeOf(setup.elicit(form, never, server)), -32603);
    const asker = { name: 'chatty', origin: 'chatty' };
    assert.deepEqual(setup.ui.notices, [{ kind: 'tooMany', perMinute: 1, asker }]);
    const open = Array.from({ length: 5 }, () => setup.elicit(form, withdrawal.signal));
    assert.equal(await codeOf(setup.elicit(form)), -32603);
    assert.partialDeepStrictEqual(setup.ui.notices.at(-1), { kind: 'tooManyOpen', open: 5 });
    withdrawal.abort();
    await Promise.allSettled(open);
  });
});

describe('Elicitation, URL mode', () => {
  it('ELIC-22, ELIC-23, ELI-06, ELI-13, ELI-14: nothing is opened before the user consents', async () => {
    const setup = new Setup();
    for (const action of ['decline', 'cancel'] as const) {
      const answer = setup.elicit(link);
      const { question } = await setup.ui.next('link');
      assert.equal(question.link.href, 'https://pay.example/now');
      assert.equal(question.link.host, 'pay.example');
      setup.ui.answer(action);
      assert.deepEqual(await answer, { action });
    }
    assert.deepEqual(setup.ui.opened, []);
    assert.deepEqual(setup.questions.open, []);
  });

  it('ELIC-26: consent is the answer, without content; the return waits by itself', async () => {
    const setup = new Setup();
    await setup.visit();
    assert.deepEqual(setup.ui.opened, ['https://pay.example/now']);
    assert.equal(setup.ui.shown, undefined);
    setup.elicitation.completed(weather, 'e1');
    assert.deepEqual(await setup.told(), ['completed']);
    const asker = { name: 'weather', origin: 'weather' };
    assert.partialDeepStrictEqual(setup.ui.notices, [{ asker, host: 'pay.example' }]);
  });

  it('ELI-11: without an id nothing waits for the return', async () => {
    const setup = new Setup();
    const { elicitationId: _id, ...bare } = link;
    assert.deepEqual(await setup.reply(bare, 'accept'), { action: 'accept' });
    assert.deepEqual(await setup.told(), []);
  });

  for (const end of ['accept', 'cancel', 'time'] as const) {
    it(`ELIC-28, ELI-12: the user can end the wait, and it ends by itself: ${end}`, async () => {
      const setup = new Setup();
      const waiting = await setup.visit();
      if (end === 'time') {
        setup.clock.advance(3_600_000);
      } else {
        setup.questions.reopen(waiting);
        await setup.ui.reply('return', end);
      }
      assert.deepEqual(await setup.told(), []);
    });
  }

  for (const isOnScreen of [false, true]) {
    it(`ELIC-28: the wait ends with the connection of its server; it is told of if it is ${isOnScreen ? '' : 'not '}on the screen`, async () => {
      const setup = new Setup();
      const waiting = await setup.visit();
      setup.elicitation.endVisits((id) => id === shop.id);
      await turns();
      assert.deepEqual(setup.questions.waiting, [waiting]);
      if (isOnScreen) {
        setup.questions.reopen(waiting);
        await setup.ui.next('return');
      }
      setup.elicitation.endVisits((id) => id === weather.id);
      assert.deepEqual(await setup.told(), isOnScreen ? ['gone'] : []);
      setup.elicitation.completed(weather, 'e1');
      setup.elicitation.endVisits((id) => id === weather.id);
      assert.deepEqual(await setup.told(), isOnScreen ? ['gone'] : []);
    });
  }

  it('ELIC-27: ids that are unknown, finished or of another server are ignored', async () => {
    const setup = new Setup();
    setup.elicitation.completed(weather, 'e1');
    const waiting = await setup.visit();
    setup.elicitation.completed(shop, 'e1');
    setup.elicitation.completed(weather, 'e2');
    await turns();
    assert.deepEqual(setup.questions.waiting, [waiting]);
    setup.elicitation.completed(weather, 'e1');
    setup.elicitation.completed(weather, 'e1');
    assert.deepEqual(await setup.told(), ['completed']);
  });

  for (const url of ['command:workbench.action.quit?hidden', 'ssh://ann:hidden@pay.example/']) {
    it(`ELIC-25, SEC-08 (legacy): "${url}" reaches no browser, and no record`, async () => {
      const setup = new Setup();
      assert.equal(await codeOf(setup.elicit({ ...link, url })), -32602);
      assert.deepEqual([setup.ui.history, setup.ui.opened], [[], []]);
      const record = { server: 'weather', outcome: 'refused', code: -32602 };
      assert.partialDeepStrictEqual(setup.audit, [record]);
      assert.doesNotMatch(JSON.stringify(setup.audit), /hidden/);
    });
  }

  for (const [url, href] of [
    [
      'https://pay.example/"&calc&" `x`?key=hidden',
      'https://pay.example/%22&calc&%22%20%60x%60?key=hidden',
    ],
    ['https:\\\\ann:hidden@pay.example\\x\n', 'https://ann:hidden@pay.example/x'],
  ] as const) {
    it(`SEC-08 (legacy): ${JSON.stringify(url)} is opened as ${href}, as shown`, async () => {
      const setup = new Setup();
      const answer = setup.elicit({ ...link, url });
      const { question } = await setup.ui.next('link');
      assert.equal(question.link.href, href);
      setup.ui.answer('accept');
      await answer;
      assert.deepEqual(setup.ui.opened, [href]);
      assert.equal(setup.audit[0]?.host, 'pay.example');
      assert.doesNotMatch(JSON.stringify(setup.audit), /hidden/);
    });
  }

  it('tells when the browser could not be opened; that is no consent', async () => {
    const setup = new Setup();
    setup.ui.canOpen = false;
    assert.deepEqual(await setup.reply(link, 'accept'), { action: 'cancel' });
    assert.deepEqual(await setup.told(), ['notOpened']);
  });

  it('CANC-03: a late yes in a modal opens nothing, and the user is told', async () => {
    const setup = new Setup();
    setup.ui.isModal = true;
    const withdrawal = new AbortController();
    const answer = setup.elicit(link, withdrawal.signal);
    await setup.ui.next('link');
    withdrawal.abort();
    await assert.rejects(answer, isCancelled);
    assert.deepEqual(setup.ui.notices, []);
    setup.ui.answer('accept');
    assert.deepEqual(await setup.told(), ['withdrawn']);
    assert.deepEqual(setup.ui.opened, []);
    // The next one has its turn.
    assert.deepEqual(await setup.reply(link, 'decline'), { action: 'decline' });
  });
});

describe('Elicitation, error -32042', () => {
  const second = { ...link, elicitationId: 'e2', url: 'https://pay.example/more' };

  it('ELIC-29: runs every elicitation, one after the other, before the retry', async () => {
    const setup = new Setup();
    const done = setup.elicitation.visitAll(weather, [link, second], never);
    await setup.ui.reply('link', 'accept');
    await setup.ui.reply('return', 'accept');
    await setup.ui.reply('link', 'accept');
    await setup.ui.next('return');
    setup.elicitation.completed(weather, 'e2');
    assert.equal(await done, true);
    assert.deepEqual(await setup.told(), ['completed']);
    assert.deepEqual(setup.ui.opened, [link.url, second.url]);
  });

  it('ELIC-29: stops at a no, in the dialog or while waiting', async () => {
    for (const steps of [['decline'], ['cancel'], ['accept', 'cancel']] as const) {
      const setup = new Setup();
      const done = setup.elicitation.visitAll(weather, [link, second], never);
      for (const step of steps) {
        await waitUntil('a question', () => setup.ui.shown !== undefined);
        setup.ui.answer(step);
      }
      assert.equal(await done, false);
      assert.equal(setup.ui.history.length, steps.length);
    }
  });

  it('ELIC-27: counts what was completed while the user still read the question', async () => {
    const setup = new Setup();
    const done = setup.elicitation.visitAll(weather, [link], never);
    await setup.ui.next('link');
    setup.elicitation.completed(weather, 'e1');
    setup.ui.answer('accept');
    assert.equal(await done, true);
  });

  it('ELIC-29: ends with the call that it belongs to; the page is not visited when the server is gone', async () => {
    for (const isGone of [false, true]) {
      const setup = new Setup();
      const call = new AbortController();
      const done = setup.elicitation.visitAll(weather, [link], call.signal);
      await setup.ui.reply('link', 'accept');
      await setup.ui.next('return');
      if (isGone) {
        setup.elicitation.endVisits((id) => id === weather.id);
        assert.equal(await done, false);
      } else {
        call.abort();
        await assert.rejects(done, isCancelled);
      }
      assert.deepEqual(await setup.told(), isGone ? ['gone'] : []);
    }
  });
});

describe('Audit of elicitations', () => {
  it('HOST-07: the answer and its size, not what was typed; where a link leads; who was not asked', async () => {
    const setup = new Setup();
    const filled = setup.elicit(form);
    await setup.fill('Bern', 'accept');
    await filled;
    await setup.reply(link, 'decline', shop);
    await codeOf(setup.elicit({ mode: 'url', message: 'Run', url: 'javascript:alert(1)' }));
    assert.deepEqual(
      setup.audit.map(({ event, server, mode, host = '', outcome, by, code = '' }) =>
        [event, server, mode, host, outcome, by, code].join(' '),
      ),
      [
        'elicitation weather form  allowed hand ',
        'elicitation shop url pay.example declined hand ',
        'elicitation weather url  refused rule -32602',
      ],
    );
    assert.ok((setup.audit[0]?.resultSize ?? 0) > 0);
    assert.doesNotMatch(JSON.stringify(setup.audit), /Bern/);
  });
});
