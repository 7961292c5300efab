import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import {
  later,
  type Question,
  QuestionQueue,
} from '../../../../src/host/questions/questionQueue.ts';
import { turns } from '../../../support/waitUntil.ts';

const never = new AbortController().signal;
const from = (server: string): Question => ({
  server,
  serverId: `user/${server}`,
  about: 'elicitation',
});

interface Step {
  readonly asked: Promise<void>;
  readonly answer: (value: string) => void;
  readonly result: Promise<string>;
  /** Answers what is asked, and waits for the result. */
  readonly settle: (value?: string) => Promise<void>;
}

function ask(queue: QuestionQueue, question: Question, signal: AbortSignal = never): Step {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<string>();
  const result = queue.run(
    question,
    async () => {
      asked.resolve();
      return answered.promise;
    },
    signal,
  );
  const settle = async (value = 'ok'): Promise<void> => {
    await asked.promise;
    answered.resolve(value);
    assert.equal(await result, value);
  };
  return { asked: asked.promise, answer: answered.resolve, result, settle };
}

describe('QuestionQueue', () => {
  it('SEC-01: announces a question that would take the keyboard, and asks it when it is opened', async () => {
    const queue = new QuestionQueue(() => false);
    const announced: Question[] = [];
    queue.onDidAnnounce((question) => announced.push(question));
    const question = { ...from('a'), takesKeyboard: true } as const;
    const form = ask(queue, question);
    const modal = ask(queue, from('b'));
    await modal.asked;
    assert.deepEqual(announced, [question]);
    await modal.settle();
    assert.deepEqual(queue.waiting, [question]);
    queue.reopen(question);
    await form.settle();
    // What follows at once belongs to it, for this server alone. A modal opens the way for nothing.
    await ask(queue, question).settle();
    const other = { ...from('b'), takesKeyboard: true } as const;
    void ask(queue, other);
    assert.deepEqual(announced, [question, other]);
  });

  it('SEC-01: announces one that waited until it is no longer expected', async () => {
    let isAwaited = true;
    const queue = new QuestionQueue(() => isAwaited);
    const announced: Question[] = [];
    queue.onDidAnnounce((question) => announced.push(question));
    const modal = ask(queue, from('a'));
    const question = { ...from('b'), takesKeyboard: true } as const;
    const form = ask(queue, question);
    const last = ask(queue, from('c'));
    isAwaited = false;
    await modal.settle();
    await last.settle();
    assert.deepEqual(announced, [question]);
    assert.deepEqual(queue.waiting, [question]);
    queue.reopen(question);
    await form.settle();
  });

  it('SEC-01: asks at once what belongs to what the user has just done', async () => {
    const queue = new QuestionQueue((id) => id === 'user/tool');
    for (const name of ['tool', 'started']) {
      queue.expect('user/started');
      await ask(queue, { ...from(name), takesKeyboard: true }).settle();
    }
    assert.deepEqual(
      ['user/started', 'user/idle'].map((id) => queue.isExpected(id)),
      [true, false],
    );
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_000 });
    const isExpected = queue.isExpected('user/started');
    mock.timers.reset();
    assert.equal(isExpected, false);
  });

  it('asks one question at a time, in order of arrival', async () => {
    const queue = new QuestionQueue();
    const [first, second] = [from('a'), from('b')];
    const one = ask(queue, first);
    const two = ask(queue, second);
    await one.asked;
    assert.deepEqual(queue.open, [first, second]);
    assert.deepEqual(queue.waiting, [second]);
    await one.settle('yes');
    await two.asked;
    assert.deepEqual(queue.waiting, []);
    await two.settle('no');
    assert.deepEqual(queue.open, []);
  });

  it('leaves nothing at a signal that goes on after the answer', async () => {
    const queue = new QuestionQueue();
    const { signal } = new AbortController();
    const one = ask(queue, from('a'), signal);
    await one.asked;
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    await one.settle();
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('goes on after a question that fails', async () => {
    const queue = new QuestionQueue();
    const failing = queue.run(from('a'), () => Promise.reject(new Error('no screen')), never);
    const next = ask(queue, from('b'));
    await assert.rejects(failing, /no screen/u);
    await next.settle();
  });

  it('lets the next one through on "Later", and asks again when the question is reopened', async () => {
    const queue = new QuestionQueue();
    const putOff = from('a');
    let times = 0;
    const first = queue.run(putOff, async () => (++times === 1 ? later : 'done'), never);
    const next = ask(queue, from('b'));
    await next.asked;
    assert.deepEqual(queue.waiting, [putOff]);
    await next.settle();
    assert.equal(times, 1, 'a question that was put off does not come back by itself');
    queue.reopen(putOff);
    assert.equal(await first, 'done');
    assert.equal(times, 2);
  });

  it('CANC-03: a withdrawn question fails at once, also while it waits or is put off', async () => {
    const queue = new QuestionQueue();
    const onScreen = new AbortController();
    const waiting = new AbortController();
    const one = ask(queue, from('a'), onScreen.signal);
    const two = ask(queue, from('b'), waiting.signal);
    await one.asked;
    waiting.abort();
    await assert.rejects(two.result, { code: 'cancelled' });
    onScreen.abort();
    await assert.rejects(one.result, { code: 'cancelled' });
    assert.deepEqual(queue.open, []);
    const three = ask(queue, from('c'));
    one.answer('too late');
    void two.asked.then(() => assert.fail('was asked'));
    await three.settle(); // the turn of the withdrawn one ends when its dialog does
  });

  it('puts off what is on the screen only while that can be put off', async () => {
    const queue = new QuestionQueue();
    assert.equal(queue.postpone(), false);
    const step = Promise.withResolvers<void>();
    const putOff = from('a');
    let times = 0;
    const answer = queue.run<string>(
      putOff,
      async ({ postponable }) => {
        times += 1;
        if (times === 2) {
          return 'yes';
        }
        await step.promise; // a modal
        return postponable(
          (postponed) =>
            new Promise((resolve) =>
              postponed.addEventListener('abort', () => resolve(later), { once: true }),
            ),
        );
      },
      never,
    );
    assert.equal(queue.postpone(), false);
    step.resolve();
    await turns();
    assert.equal(queue.postpone(), true);
    await turns();
    assert.deepEqual(queue.waiting, [putOff]);
    assert.equal(queue.postpone(), false);
    queue.reopen(putOff);
    assert.equal(await answer, 'yes');
  });

  it('asks nothing while it is held', async () => {
    const queue = new QuestionQueue();
    const hold = queue.hold();
    const second = queue.hold();
    const step = ask(queue, from('a'));
    hold.dispose();
    hold.dispose();
    assert.equal(queue.waiting.length, 1);
    second.dispose();
    await step.settle();
  });
});
