import assert from 'node:assert/strict';
import { later, QuestionQueue } from '../../../../src/host/questions/questionQueue.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { rememberedScopes, type ServerConfig } from '../../../../src/host/config/serverConfig.ts';
import type {
  LaunchDescription,
  LaunchFact,
} from '../../../../src/host/launch/launchDescription.ts';
import type { AuditEntry } from '../../../../src/host/audit/audit.ts';
import { StartConsent } from '../../../../src/host/launch/startConsent.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

const signal = new AbortController().signal;

function server(kind: 'user' | 'remote' | 'workspace', name = 's'): ServerConfig {
  return stdioServer(name, { scope: { kind } });
}

function argument(value: string): LaunchFact {
  return { label: 'argument', value };
}

function described(of: ServerConfig, hash = 'h1', args: readonly string[] = []): LaunchDescription {
  const facts = args.map(argument);
  return { server: of, facts, risks: [], hash, unread: [] };
}

type Answer = boolean | typeof later;

function harness(
  answer: (description: LaunchDescription) => Promise<Answer> | Answer,
  questions = new QuestionQueue(),
) {
  const memory = new FakeMemory();
  const workspace = { isTrusted: true };
  const audit: AuditEntry[] = [];
  const asked: LaunchDescription[] = [];
  const prompt = {
    confirmStart: async (description: LaunchDescription) => {
      asked.push(description);
      return answer(description);
    },
  };
  return {
    consent: new StartConsent(workspace, prompt, memory, questions, {
      record: (entry) => audit.push(entry),
    }),
    audit,
    workspace,
    asked,
    memory,
  };
}

describe('StartConsent', () => {
  const own = server('workspace');

  it('asks before the first start and remembers the consent, also over a restart', async () => {
    const { consent, asked } = harness(() => true);
    assert.equal(consent.isGranted(own, described(own)), false);
    await consent.require(own, described(own), signal);
    await consent.require(own, described(own), signal);
    assert.equal(asked.length, 1);
    assert.equal(asked[0]?.changes, undefined);
    assert.equal(consent.isGranted(own, described(own)), true);
    assert.deepEqual(consent.list(), [own.id]);
  });

  it('"Later" starts nothing and remembers nothing until the question is answered', async () => {
    const questions = new QuestionQueue();
    let answer: Answer = later;
    const { consent } = harness(() => answer, questions);
    const start = consent.require(own, described(own), signal);
    await waitUntil('the question to wait', () => questions.waiting.length === 1);
    await new Promise(setImmediate);
    assert.deepEqual(consent.list(), []);
    const [waiting] = questions.waiting;
    assert.deepEqual(waiting, {
      server: own.name,
      serverId: own.id,
      about: 'start',
      holdsUp: true,
    });
    assert.deepEqual(questions.open, [waiting]);
    answer = true;
    questions.reopen(waiting);
    await start;
    assert.deepEqual(questions.open, []);
    assert.deepEqual(consent.list(), [own.id]);
  });

  it('asks again after every change of what would run, and says what has changed', async () => {
    const { consent, asked } = harness(() => true);
    await consent.require(own, described(own, 'h1', ['-v', 'a', '-v']), signal);
    assert.equal(consent.changes(own, described(own, 'h1')), undefined);
    assert.equal(consent.isGranted(own, described(own, 'h2')), false);
    await consent.require(own, described(own, 'h2', ['-v', 'b']), signal);
    await consent.require(own, described(own, 'h3', ['b', '-v']), signal);
    assert.deepEqual(
      asked.map(({ changes }) => changes),
      [
        undefined,
        { added: [argument('b')], removed: [argument('a'), argument('-v')] },
        { added: [], removed: [] },
      ],
    );
  });

  it('throws `denied` for a no, remembers none, and keeps the consent to what ran before', async () => {
    const answers = [false, true, false];
    const { consent } = harness(() => answers.shift() ?? false);
    await assert.rejects(consent.require(own, described(own), signal), { code: 'denied' });
    assert.deepEqual(consent.list(), []);
    await consent.require(own, described(own, 'h1'), signal);
    await assert.rejects(consent.require(own, described(own, 'h2'), signal), { code: 'denied' });
    assert.equal(consent.isGranted(own, described(own, 'h1')), true);
    assert.equal(consent.isGranted(own, described(own, 'h2')), false);
  });

  it('starts no server in Restricted Mode, whatever scope it comes from, and asks nothing', async () => {
    const { consent, workspace, asked } = harness(() => true);
    const user = server('user');
    await consent.require(own, described(own), signal);
    asked.length = 0;
    workspace.isTrusted = false;
    for (const each of [own, user]) {
      await assert.rejects(consent.require(each, described(each), signal), {
        code: 'denied',
        message: /Restricted Mode/u,
      });
      assert.equal(consent.isGranted(each, described(each)), false);
    }
    assert.deepEqual(asked, []);
  });

  it('asks nothing about a server of the user, and denies one of the workspace that nobody described', async () => {
    const { consent, asked } = harness(() => true);
    const user = server('user');
    await consent.require(user, undefined, signal);
    assert.equal(consent.isAlwaysAsked(user), false);
    await assert.rejects(consent.require(own, undefined, signal), { code: 'denied' });
    assert.deepEqual(asked, []);
  });

  it('SEC-01: asks about a server of the remote machine as about one of the workspace', async () => {
    const { consent, asked } = harness(() => true);
    const remote = server('remote');
    assert.equal(consent.isAlwaysAsked(remote), true);
    await assert.rejects(consent.require(remote, undefined, signal), { code: 'denied' });
    await consent.require(remote, described(remote), signal);
    assert.equal(asked.length, 1);
    assert.deepEqual(rememberedScopes(remote), ['session', 'workspace']);
  });

  it('opens one dialog at a time, and one only for two starts of the same server', async () => {
    let open = 0;
    let most = 0;
    const { consent, asked } = harness(async () => {
      most = Math.max(most, ++open);
      await new Promise(setImmediate);
      open--;
      return true;
    });
    const others = ['a', 'b'].map((name) => server('workspace', name));
    const all = [own, ...others, own];
    await Promise.all(all.map(async (each) => consent.require(each, described(each), signal)));
    assert.equal(most, 1);
    assert.equal(asked.length, 3);
    assert.equal(consent.list().length, 3);
  });

  it('gives up at once when the start is, and takes no late yes for a consent', async () => {
    const controller = new AbortController();
    const dialogs = new Emitter<(isAllowed: boolean) => void>();
    const nextDialog = async (): Promise<(isAllowed: boolean) => void> =>
      new Promise((resolve) => {
        const listening = dialogs.event((close) => {
          listening.dispose();
          resolve(close);
        });
      });
    const { consent, asked } = harness(async () => new Promise((resolve) => dialogs.fire(resolve)));
    const firstDialog = nextDialog();
    const first = consent.require(own, described(own), controller.signal);
    const waiting = server('workspace', 'waiting');
    const second = consent.require(waiting, described(waiting), controller.signal);
    const closeFirst = await firstDialog;
    controller.abort(new Error('stopped'));
    await assert.rejects(first, { code: 'cancelled' });
    await assert.rejects(second, { code: 'cancelled' });
    const secondDialog = nextDialog();
    const third = consent.require(own, described(own), signal);
    closeFirst(true);
    (await secondDialog)(false);
    await assert.rejects(third, { code: 'denied' });
    assert.equal(asked.length, 2);
    assert.deepEqual(consent.list(), []);
  });

  it('does not start a server when trust is gone by the time of the answer', async () => {
    const { consent, workspace } = harness(() => {
      workspace.isTrusted = false;
      return true;
    });
    await assert.rejects(consent.require(own, described(own), signal), { code: 'denied' });
    assert.deepEqual(consent.list(), []);
  });

  it('forgets one consent or all', async () => {
    const { consent } = harness(() => true);
    const all = ['a', 'b', '__proto__'].map((name) => server('workspace', name));
    await Promise.all(all.map(async (each) => consent.require(each, described(each), signal)));
    await consent.forget('workspace/b');
    assert.deepEqual(consent.list(), ['workspace/a', 'workspace/__proto__']);
    await consent.forget();
    assert.deepEqual(consent.list(), []);
  });

  it('takes what is kept in another shape for no consent', () => {
    const { consent, memory } = harness(() => true);
    for (const value of [
      null,
      'x',
      { 'workspace/s': 'h1' },
      [['workspace/s']],
      [['workspace/s', 1]],
      [['workspace/s', 'h1']],
      [['workspace/s', { hash: 'h1' }]],
    ]) {
      memory.values.set('mcpHost.startConsents', value);
      assert.equal(consent.isGranted(own, described(own)), false);
    }
    const facts = [argument('a'), { label: 'unknown', value: 'b' }, { label: 'argument' }];
    memory.values.set('mcpHost.startConsents', [[own.id, { hash: 'h0', facts }]]);
    assert.deepEqual(consent.changes(own, described(own)), { added: [], removed: [argument('a')] });
  });
});

describe('Audit of starts', () => {
  it('HOST-07: each decision, by hand or by rule', async () => {
    const own = server('workspace');
    let isAllowed = false;
    const { consent, workspace, audit } = harness(() => isAllowed);
    await assert.rejects(consent.require(own, described(own), signal));
    isAllowed = true;
    await consent.require(own, described(own), signal);
    await consent.require(own, described(own), signal);
    await consent.require(server('user'), undefined, signal);
    const opened: LaunchDescription = {
      ...described(own, 'h2'),
      risks: [{ kind: 'connection', by: 'unchecked', text: '' }],
    };
    await consent.requireContent(own, opened, described(own), signal);
    workspace.isTrusted = false;
    await assert.rejects(consent.require(own, described(own), signal));
    assert.deepEqual(
      audit.map(({ event, scope, outcome, by, because = '' }) =>
        [event, scope, outcome, by, because].join(' '),
      ),
      [
        'start workspace denied hand ',
        'start workspace allowed hand ',
        'start workspace allowed rule remembered',
        'start user allowed rule userSettings',
        'start workspace allowed hand ',
        'start workspace denied rule ',
      ],
    );
  });
});
