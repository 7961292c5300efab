import assert from 'node:assert/strict';
import { approveWith } from '../../../../src/host/editorChat/approveTool.ts';
import {
  allowsTools,
  parseRules,
  ruleFor,
  ruleText,
  type ToolRule,
} from '../../../../src/host/toolApproval/toolRules.ts';
import type { ToolRequest } from '../../../../src/host/toolApproval/approvals.ts';
import { FakeApprovals } from '../../../support/fakeApprovals.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

const own = stdioServer('github');
const theirs = { ...own, scope: { kind: 'workspace' } } as const;
const never = new AbortController().signal;

const none = { user: undefined, remote: undefined, workspace: undefined };

function rules(...user: readonly object[]): readonly ToolRule[] {
  const parsed = parseRules({ ...none, user });
  assert.deepEqual(parsed.problems, []);
  return parsed.rules;
}

function request(more: Partial<ToolRequest> = {}): ToolRequest {
  return {
    server: own,
    tool: { name: 'get', inputSchema: {} },
    input: {},
    caller: 'model',
    ...more,
  };
}

describe('mcpHost.rules', () => {
  const cases: readonly (readonly [pattern: string, fitting: string, other: string])[] = [
    ['delete_*', 'delete_', 'undelete_x'],
    ['*_issue', 'get_issue', 'get_issues'],
    ['a*b*c', 'a-b-b-c', 'a-c-b'],
    ['a*a', 'aa', 'a'],
    ['a.c', 'a.c', 'abc'],
    ['get', 'get', 'Get'],
  ];
  for (const [pattern, fitting, other] of cases) {
    it(`"${pattern}" fits "${fitting}" and not "${other}"`, () => {
      const list = rules({ decision: 'deny', tool: pattern });
      assert.ok(ruleFor(list, own, fitting));
      assert.equal(ruleFor(list, own, other), undefined);
    });
  }

  it('deny wins over ask, ask over allow, whatever their order', () => {
    const list = rules(
      { decision: 'allow' },
      { decision: 'ask', server: 'git*', tool: 'get_*' },
      { decision: 'deny', tool: 'get_secret' },
    );
    const decided = ['list', 'get_issue', 'get_secret'].map(
      (tool) => ruleFor(list, own, tool)?.decision,
    );
    assert.deepEqual(decided, ['allow', 'ask', 'deny']);
  });

  it('a rule that allows is for servers of the user alone: a workspace may take any name', () => {
    const list = rules({ decision: 'allow', server: 'github' });
    assert.equal(ruleFor(list, own, 'x')?.decision, 'allow');
    assert.equal(ruleFor(list, theirs, 'x'), undefined);
    const named = [own, theirs, { ...own, name: 'gitlab' }].map((server) =>
      allowsTools(list, server),
    );
    assert.deepEqual(named, [true, false, false]);
    assert.equal(allowsTools(rules({ decision: 'ask' }), own), false);
  });

  it('a workspace may only tighten, and what is wrong is named', () => {
    const { rules: list, problems } = parseRules({
      ...none,
      user: [
        { decision: 'never' },
        { tool: 'x' },
        'deny',
        { decision: 'ask', tools: 'x' },
        { decision: 'allow', server: 5 },
        { decision: 'allow', tool: ['x'] },
      ],
      remote: [{ decision: 'allow' }, { decision: 'ask', tool: 'y' }],
      workspace: [{ decision: 'allow' }, { decision: 'deny', tool: 'x' }],
    });
    assert.deepEqual(list.map(ruleText), ['ask * of *', 'ask y of *', 'deny x of *']);
    assert.deepEqual(
      problems.map(({ scope, message }) => `${scope.kind}: ${message}`),
      [
        'user: rule 1: decision must be "deny", "ask" or "allow"',
        'user: rule 2: decision is missing',
        'user: rule 3: must be an object with "decision", not a text',
        'user: rule 4: tools is not a known field and has no effect; did you mean `tool`?',
        'user: rule 5: server must be a text (write "5"), not a number',
        'user: rule 6: tool must be a text, not a list',
        'remote: rule 1: a workspace or a remote machine may deny tools and have them asked about, not allow them',
        'workspace: rule 1: a workspace or a remote machine may deny tools and have them asked about, not allow them',
      ],
    );
    assert.equal(parseRules({ ...none, user: {}, workspace: null }).problems.length, 1);
  });
});

describe('calls under mcpHost.rules', () => {
  it('are denied without a question, whoever calls, and whatever was remembered', async () => {
    const fake = new FakeApprovals();
    fake.answer = ({ input }) => ({ kind: 'allow', input, scope: 'session' });
    await fake.approvals.request(request(), never);
    fake.rules = rules({ decision: 'deny', tool: 'g*' });
    for (const caller of ['model', 'user', 'extension', 'app'] as const) {
      assert.deepEqual(await fake.approvals.request(request({ caller }), never), {
        kind: 'denied',
        why: 'The rule "deny g* of *" in mcpHost.rules does not allow this call',
        isRuled: true,
      });
    }
    assert.equal(fake.asked.length, 1);
    const { outcome, by } = fake.audit.at(-1) ?? assert.fail();
    assert.deepEqual([outcome, by], ['denied', 'rule']);
  });

  it('are asked about each time, whatever was remembered', async () => {
    const fake = new FakeApprovals();
    fake.answer = ({ input }) => ({ kind: 'allow', input, scope: 'session' });
    await fake.approvals.request(request(), never);
    fake.rules = rules({ decision: 'ask' });
    for (let count = 2; count <= 3; count++) {
      await fake.approvals.request(request(), never);
      assert.deepEqual([fake.asked.length, fake.asked.at(-1)?.scopes], [count, []]);
    }
  });

  it('are allowed for models alone, and while no skill acts', async () => {
    const fake = new FakeApprovals();
    fake.rules = rules({ decision: 'allow' });
    await fake.approvals.request(request(), never);
    assert.equal(fake.asked.length, 0);
    for (const more of [{ caller: 'app' }, { caller: 'extension' }, { skills: ['x'] }] as const) {
      await fake.approvals.request(request(more), never);
    }
    assert.equal(fake.asked.length, 3);
  });

  it('are restricted also where the editor asks', async () => {
    const fake = new FakeApprovals();
    const apps = { require: () => Promise.reject(new Error('no app')) };
    const settings = { isEnabled: true, confirmation: 'vscode' } as const;
    const approve = approveWith(fake.approvals, apps, () => settings, new Set());
    const call = { server: own, tool: request().tool, input: {}, caller: 'model' } as const;
    await approve(call, never);
    assert.equal(fake.asked.length, 0);
    fake.rules = rules({ decision: 'ask' });
    await approve(call, never);
    assert.equal(fake.asked.length, 1);
    fake.rules = rules({ decision: 'deny' });
    await assert.rejects(approve(call, never), { code: 'denied', message: /mcpHost\.rules/u });
  });
});
