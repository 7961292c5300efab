import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/event.ts';
import { QuestionQueue } from '../../../../src/host/questions/questionQueue.ts';
import { UserWaits } from '../../../../src/host/servers/userWaits.ts';
import { deferred } from '../../../support/deferred.ts';

const never = new AbortController().signal;

describe('UserWaits', () => {
  it('says what the start of a server waits for: questions about it, and its sign-in', async () => {
    const questions = new QuestionQueue();
    const changed = new Emitter<string>();
    const waiting = new Set<string>();
    const waits = new UserWaits(questions, {
      isWaiting: (id) => waiting.has(id),
      onDidChange: changed.event,
    });
    let changes = 0;
    waits.onDidChange(() => (changes += 1));
    const answer = deferred<boolean>();
    const asked = [
      questions.run(
        { server: 'a', serverId: 'user/a', about: 'start', holdsUp: true },
        () => answer.promise,
        never,
      ),
      questions.run(
        { server: 'b', serverId: 'user/b', about: 'input', holdsUp: true },
        async () => true,
        never,
      ),
      questions.run(
        { server: 'c', serverId: 'user/c', about: 'elicitation' },
        async () => true,
        never,
      ),
    ];
    assert.deepEqual(
      ['user/a', 'user/b', 'user/c'].map((id) => waits.of(id)),
      ['consent', 'input', undefined],
    );
    assert.ok(changes > 0);
    waiting.add('user/a');
    changed.fire('user/a');
    assert.equal(waits.of('user/a'), 'signIn');
    answer.resolve(true);
    await Promise.all(asked);
    waiting.clear();
    assert.equal(waits.of('user/a'), undefined);
    waits.dispose();
  });
});
