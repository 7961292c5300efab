import assert from 'node:assert/strict';
import type { BridgeConfirmation } from '../../../../src/host/config/userSettings.ts';
import { approveWith, type ChatCall } from '../../../../src/host/editorChat/approveTool.ts';
import {
  AppApprovals,
  maxAppCallsPerSecond,
  maxAppQuestionsPerMinute,
} from '../../../../src/host/toolApproval/appApprovals.ts';
import { isCancelled, isMcpError } from '../../../../src/mcp/errors.ts';
import { FakeApprovals } from '../../../support/fakeApprovals.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';
import { turns } from '../../../support/waitUntil.ts';

const tool = { name: 'echo', inputSchema: { type: 'object' } } as const;
const input = { message: 'hello' };
const { signal } = new AbortController();

function approver(confirmation: BridgeConfirmation) {
  const fake = new FakeApprovals();
  const settings = () => ({ isEnabled: true, confirmation });
  const clock = new FakeClock();
  const apps = new AppApprovals(fake.approvals, clock);
  const acting = new Set<string>();
  const approve = approveWith(fake.approvals, apps, settings, acting);
  const call = (more: Partial<ChatCall> = {}) =>
    approve({ server: stdioServer('a'), tool, input, caller: 'model', ...more }, signal);
  return {
    fake,
    clock,
    apps,
    acting,
    approve: () => call(),
    byApp: (more = {}) => call({ caller: 'app', ...more }),
  };
}

describe('a call from the editor’s chat', () => {
  it('HOST-06: is asked about as a call of a model, and sent as the user saw it last', async () => {
    const { fake, approve } = approver('mcpHost');
    fake.answer = () => ({ kind: 'allow', input: { message: 'bye' }, scope: 'session' });
    assert.deepEqual(await approve(), { message: 'bye' });
    assert.equal(fake.asked[0]?.caller, 'model');
    assert.deepEqual(await approve(), input, 'remembered with the answers of @mcp');
    assert.equal(fake.asked.length, 1);
  });

  it('TOOL-05: fails when the user refuses', async () => {
    const { fake, approve } = approver('mcpHost');
    fake.answer = () => ({ kind: 'deny' });
    await assert.rejects(approve(), (error) => isMcpError(error) && error.code === 'denied');
  });

  it('is let through where the editor alone confirms', async () => {
    const { fake, approve } = approver('vscode');
    assert.deepEqual(await approve(), input);
    assert.deepEqual(fake.asked, []);
  });

  for (const confirmation of ['mcpHost', 'vscode'] as const) {
    it(`SKL-53: is asked about each time once a skill was loaded, whoever confirms others (${confirmation})`, async () => {
      const { fake, acting, approve } = approver(confirmation);
      fake.answer = () => ({ kind: 'allow', input, scope: 'session' });
      await approve();
      fake.asked.length = 0;
      acting.add('tracker.pdf');
      await approve();
      await approve();
      assert.deepEqual(
        fake.asked.map(({ skills, scopes }) => [skills, scopes]),
        [
          [['tracker.pdf'], []],
          [['tracker.pdf'], []],
        ],
      );
    });

    it(`APP-65, HOST-06: by an app is asked about once for its tool, whoever confirms others (${confirmation})`, async () => {
      const { fake, byApp } = approver(confirmation);
      fake.trustedNames = ['a'];
      const polls = await Promise.all([byApp(), byApp({ input: { message: 'other' } })]);
      assert.deepEqual(polls, [input, { message: 'other' }]);
      await byApp();
      assert.equal(fake.asked.length, 1);
      assert.equal(fake.asked[0]?.caller, 'app');
      await byApp({ tool: { ...tool, name: 'other' } });
      await byApp({ tool: { ...tool, description: 'another' } });
      assert.equal(fake.asked.length, 3);
    });
  }

  it('HOST-06: a no to an app counts for its next calls, too, and what a model was allowed for none', async () => {
    const { fake, approve, byApp } = approver('mcpHost');
    fake.answer = () => ({ kind: 'allow', input, scope: 'session' });
    await approve();
    fake.answer = () => ({ kind: 'deny' });
    for (let call = 0; call < 3; call += 1) {
      await assert.rejects(byApp(), { code: 'denied' });
    }
    assert.equal(fake.asked.length, 2);
    assert.deepEqual(await approve(), input);
    for (const other of [
      { server: { ...stdioServer('a'), id: 'user/b' } },
      { tool: { ...tool, description: 'another' } },
    ]) {
      await assert.rejects(byApp(other), { code: 'denied' });
    }
    assert.equal(fake.asked.length, 4, 'a no counts for this server and this definition');
  });

  it('HOST-06: under a rule each call of an app is asked about, and no answer is kept', async () => {
    const { fake, byApp } = approver('mcpHost');
    fake.rules = [{ decision: 'ask', server: '*', tool: '*', scope: { kind: 'user' } }];
    await Promise.all([byApp(), byApp({ input: { message: 'other' } })]);
    assert.deepEqual(
      fake.asked.map((question) => [question.input, question.scopes]),
      [
        [input, []],
        [{ message: 'other' }, []],
      ],
    );
    assert.deepEqual(fake.approvals.list(), []);
    fake.answer = () => ({ kind: 'deny' });
    await assert.rejects(byApp(), { code: 'denied' });
    fake.answer = () => ({ kind: 'allow', input, scope: 'once' });
    await byApp();
    assert.equal(fake.asked.length, 4);
    fake.rules = [];
    const hold = fake.questions.hold();
    const denied = assert.rejects(byApp(), { code: 'denied' });
    await turns();
    fake.rules = [{ decision: 'deny', server: '*', tool: '*', scope: { kind: 'user' } }];
    hold.dispose();
    await denied;
    fake.rules = [];
    await byApp();
    assert.equal(fake.asked.length, 5, 'the rule is gone');
  });

  it('HOST-06: a call that waits for the answer to a withdrawn one is asked about itself', async () => {
    const { fake, apps } = approver('mcpHost');
    const first = new AbortController();
    fake.answer = (question, withdrawn) =>
      fake.asked.length > 1
        ? { kind: 'allow', input: question.input, scope: 'once' }
        : new Promise((_, reject) => {
            withdrawn.addEventListener('abort', () => reject(withdrawn.reason));
          });
    const call = { server: stdioServer('a'), tool, input };
    const calls = [apps.require(call, first.signal), apps.require(call, signal)];
    await turns();
    first.abort();
    await assert.rejects(calls[0] ?? assert.fail(), isCancelled);
    await calls[1];
    assert.equal(fake.asked.length, 2);
  });

  it('APP-65, HOST-08: apps of one server call so often and no more', async () => {
    const { fake, clock, byApp } = approver('vscode');
    for (let call = 0; call < maxAppCallsPerSecond; call += 1) {
      await byApp();
    }
    await assert.rejects(byApp(), { code: 'denied', message: /more than 20 times a second/u });
    await byApp({ server: stdioServer('b') });
    clock.advance(1_000);
    await byApp();
    assert.equal(fake.asked.length, 2);
  });

  it('HOST-08: apps of one server ask a person so often and no more', async () => {
    const { clock, apps } = approver('mcpHost');
    for (let question = 0; question < maxAppQuestionsPerMinute; question += 1) {
      apps.admitQuestion(stdioServer('a'));
    }
    assert.throws(() => apps.admitQuestion(stdioServer('a')), /more than 20 questions/u);
    apps.admitQuestion(stdioServer('b'));
    clock.advance(60_000);
    apps.admitQuestion(stdioServer('a'));
  });

  it('HOST-08: questions about tools count, too', async () => {
    const { fake, clock, byApp } = approver('mcpHost');
    fake.answer = () => ({ kind: 'deny' });
    for (let at = 0; at < maxAppQuestionsPerMinute; at += 1) {
      clock.advance(1_000);
      await assert.rejects(byApp({ tool: { ...tool, name: `tool ${at}` } }), { code: 'denied' });
    }
    clock.advance(1_000);
    await assert.rejects(byApp({ tool: { ...tool, name: 'more' } }), /more than 20 questions/u);
    assert.equal(fake.asked.length, maxAppQuestionsPerMinute);
  });

  it('APP-65: calls that apps were allowed are counted, by server and tool', async () => {
    const { fake, apps, approve, byApp } = approver('mcpHost');
    const counted = () => apps.calls.map(({ server, label, times }) => [server, label, times]);
    const told: unknown[] = [];
    apps.onDidCall(() => told.push(counted()));
    await byApp();
    await byApp({ server: { ...stdioServer('a'), id: 'user/b' } });
    await byApp();
    await approve();
    fake.answer = () => ({ kind: 'deny' });
    await assert.rejects(byApp({ tool: { ...tool, name: 'other' } }), { code: 'denied' });
    assert.deepEqual(counted(), [
      ['a', 'echo', 2],
      ['a', 'echo', 1],
    ]);
    assert.deepEqual(told.at(-1), counted());
    assert.equal(told.length, 3);
  });

  it('APP-15: a yes to an app can be taken back', async () => {
    const { fake, byApp } = approver('mcpHost');
    await byApp();
    const [approval] = fake.approvals.list();
    assert.deepEqual([approval?.app, approval?.scope], [true, 'session']);
    assert.ok(approval);
    await fake.approvals.revoke(approval);
    await byApp();
    assert.equal(fake.asked.length, 2);
  });
});
