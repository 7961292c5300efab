import assert from 'node:assert/strict';
import {
  type Disruption,
  Disruptions,
  disruptionRules,
  networkAddresses,
} from '../../../../src/host/servers/disruptions.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const { lookEveryMs, settleMs, sleptMs } = disruptionRules;

class Setup {
  readonly clock = new FakeClock();
  network = 'home';
  looks = 0;
  readonly heard: Disruption[] = [];
  readonly disruptions = new Disruptions(this.clock, () => {
    this.looks += 1;
    return this.network;
  });
  readonly watch = this.disruptions.watch((disruption) => this.heard.push(disruption));

  enter(network: string, ms: number = lookEveryMs): void {
    this.network = network;
    this.clock.advance(ms);
  }
}

describe('disruptions', () => {
  it('tells once of another network, when its addresses have come to rest', () => {
    const setup = new Setup();
    setup.enter('');
    for (const network of ['train', 'train and tunnel', 'train']) {
      setup.enter(network, settleMs);
    }
    assert.deepEqual(setup.heard, []);
    setup.clock.advance(settleMs);
    assert.deepEqual(setup.heard, ['networkChanged']);
    setup.clock.advance(lookEveryMs * 10);
    assert.deepEqual(setup.heard, ['networkChanged']);
  });

  it('tells of the same network when it comes back, and of none nothing', () => {
    const setup = new Setup();
    setup.enter('');
    setup.clock.advance(lookEveryMs * 3);
    assert.deepEqual(setup.heard, []);
    setup.enter('home');
    setup.clock.advance(settleMs);
    assert.deepEqual(setup.heard, ['networkChanged']);
  });

  it('tells of a sleep, and not of the network that is another after it as well', () => {
    const setup = new Setup();
    setup.clock.sleep(lookEveryMs + sleptMs + 1);
    assert.deepEqual(setup.heard, ['slept']);
    setup.clock.sleep(lookEveryMs + sleptMs);
    assert.deepEqual(setup.heard, ['slept']);
  });

  it('looks every ten seconds for however many listen, and not at all for nobody', () => {
    const setup = new Setup();
    const second = setup.disruptions.watch(() => assert.fail('nothing happened'));
    setup.clock.advance(lookEveryMs * 6);
    assert.equal(setup.looks, 7);
    setup.watch.dispose();
    assert.equal(setup.clock.pending, 1);
    second.dispose();
    second.dispose();
    assert.equal(setup.clock.pending, 0);
    setup.network = 'train';
    setup.disruptions.watch((disruption) => setup.heard.push(disruption));
    setup.clock.advance(lookEveryMs * 2);
    assert.deepEqual(setup.heard, [], 'what was before is not news');
  });

  it('reads the addresses of this machine, in the same words twice', () => {
    assert.equal(networkAddresses(), networkAddresses());
    assert.doesNotMatch(networkAddresses(), /127\.0\.0\.1|::1\/128|fe80:/iu);
  });
});
