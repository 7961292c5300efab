import assert from 'node:assert/strict';
import { SamplingSettings } from '../../../../src/host/sampling/samplingSettings.ts';
import { launchHash } from '../../../../src/host/toolApproval/trustedServers.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

const server = stdioServer('notes');
const changed = stdioServer('notes', {
  launch: { kind: 'stdio', command: 'other', args: [], env: {} },
});

function settings(memory = new FakeMemory()) {
  const trust = { isTrusted: true };
  return {
    memory,
    trust,
    settings: new SamplingSettings(memory, { isTrusted: () => trust.isTrusted }),
  };
}

describe('SamplingSettings', () => {
  it('TRAP-45: asks, unless the user said otherwise for this server', async () => {
    const { settings: own } = settings();
    assert.equal(own.allowance(server), undefined);
    await own.allow(server, 'session', undefined);
    assert.equal(own.allowance(server), 'session');
    assert.equal(own.allowance(stdioServer('other')), undefined);
    await own.askAgain(server);
    assert.equal(own.allowance(server), undefined);
  });

  it('a session ends with the window; "always" is kept in the workspace, and can be revoked', async () => {
    const first = settings();
    await first.settings.allow(server, 'session', 'gpt');
    await first.settings.allow(stdioServer('other'), 'always', 'opus');
    const second = settings(first.memory).settings;
    assert.equal(second.allowance(server), undefined);
    assert.equal(second.modelId(server), undefined);
    assert.equal(second.allowance(stdioServer('other')), 'always');
    assert.equal(second.modelId(stdioServer('other')), 'opus');
    await second.askAgain(stdioServer('other'));
    assert.equal(settings(first.memory).settings.allowance(stdioServer('other')), undefined);
    assert.equal(second.modelId(stdioServer('other')), 'opus');
  });

  it('nothing counts for a server of the same name that starts something else', async () => {
    const { settings: own } = settings();
    await own.allow(server, 'always', 'gpt');
    await own.setAnswerUnseen(server, true);
    assert.equal(own.allowance(changed), undefined);
    assert.equal(own.modelId(changed), undefined);
    assert.equal(own.isAnswerUnseen(changed), false);
    await own.allow(server, 'session', undefined);
    assert.equal(own.allowance(changed), undefined);
    assert.equal(own.allowance(server), 'always');
  });

  it('SAMP-04: answers go unseen only for a trusted server, and for as long as it is', async () => {
    const { settings: own, trust } = settings();
    await own.setAnswerUnseen(server, true);
    assert.equal(own.isAnswerUnseen(server), true);
    trust.isTrusted = false;
    assert.equal(own.isAnswerUnseen(server), false);
  });

  it('the model of a server can be set and taken back, whatever a session said', async () => {
    const { settings: own, memory } = settings();
    await own.allow(server, 'session', 'gpt');
    assert.equal(own.modelId(server), 'gpt');
    await own.setModel(server, 'opus');
    assert.equal(own.modelId(server), 'opus');
    assert.equal(own.allowance(server), 'session');
    await own.setModel(server, undefined);
    assert.equal(own.modelId(server), undefined);
    assert.deepEqual(memory.get('mcpHost.sampling'), {});
  });

  it('takes what it did not write for nothing', () => {
    const other = { launchHash: launchHash(server), isAllowed: 'true', isAnswerUnseen: 'true' };
    for (const stored of [
      'x',
      [],
      { 'user/notes': 7 },
      { 'user/notes': { isAllowed: true } },
      { 'user/notes': other },
    ]) {
      const memory = new FakeMemory();
      memory.values.set('mcpHost.sampling', stored);
      const { settings: own } = settings(memory);
      assert.deepEqual([own.allowance(server), own.isAnswerUnseen(server)], [undefined, false]);
    }
  });
});
