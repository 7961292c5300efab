import assert from 'node:assert/strict';
import { type LimitNotice, RequestLimit } from '../../../../src/host/questions/requestLimit.ts';
import { deferred } from '../../../support/deferred.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

class Setup {
  readonly clock = new FakeClock();
  readonly notices: LimitNotice[] = [];
  readonly limit = new RequestLimit(
    { what: 'questions', maxOpen: 3, perMinute: 4, setting: 'elicitationsPerMinute' },
    this.clock,
  );

  run(request: () => Promise<unknown> = async () => undefined, server = stdioServer('notes')) {
    const refused = (message: string, notice: LimitNotice | undefined): Error => {
      this.notices.push(...(notice === undefined ? [] : [notice]));
      return new Error(message);
    };
    return this.limit.run(server, refused, request);
  }

  /** What the user is told, the user is told once. */
  async isRefused(message: string, server = stdioServer('notes')): Promise<void> {
    await assert.rejects(this.run(undefined, server), { message });
    await assert.rejects(this.run(undefined, server), { message });
  }
}

describe('RequestLimit', () => {
  it('ELIC-07, SAMP-21, HOST-08: refuses too many a minute; another server, or the same later, may ask', async () => {
    const setup = new Setup();
    for (let n = 0; n < 4; n += 1) {
      await setup.run();
    }
    await setup.isRefused(
      'Too many questions: at most 4 a minute, which `limits.elicitationsPerMinute` of its entry can raise; try again in 60 s',
    );
    assert.deepEqual(setup.notices, [{ kind: 'tooMany', perMinute: 4 }]);
    await setup.run(undefined, stdioServer('other'));
    setup.clock.advance(60_000);
    await setup.run();
  });

  it('ELIC-07, SAM-12: counts by the entry of the server where that says how many', async () => {
    const setup = new Setup();
    const server = stdioServer('chatty', { limits: { elicitationsPerMinute: 1 } });
    await setup.run(undefined, server);
    await assert.rejects(setup.run(undefined, server), /at most 1 a minute/);
  });

  it('ELIC-07, SAMP-21: refuses more than may be open at once; one that fails makes room', async () => {
    const setup = new Setup();
    const held = deferred<void>();
    const open = Array.from({ length: 3 }, () => setup.run(() => held.promise));
    await setup.isRefused(
      'Too many questions: 3 are open already; try again once one of them is answered',
    );
    assert.deepEqual(setup.notices, [{ kind: 'tooManyOpen', open: 3 }]);
    held.reject(new Error('no'));
    await Promise.allSettled(open);
    await setup.run();
  });
});
