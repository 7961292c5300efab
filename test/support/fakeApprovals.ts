/** Approvals whose questions a test answers, with memories that it can look into. */
import { QuestionQueue } from '../../src/host/questions/questionQueue.ts';
import type { ToolRule } from '../../src/host/toolApproval/toolRules.ts';
import type { AuditEntry } from '../../src/host/audit/audit.ts';
import {
  type JointAnswer,
  ToolApprovals,
  type ToolAnswer,
  type ToolQuestion,
} from '../../src/host/toolApproval/approvals.ts';
import { TrustedServers } from '../../src/host/toolApproval/trustedServers.ts';
import type { Memory } from '../../src/host/storage.ts';

const nothing = (): void => undefined;

export class FakeMemory implements Memory {
  readonly values = new Map<string, unknown>();

  get(key: string): unknown {
    return this.values.get(key);
  }

  async set(key: string, value: unknown): Promise<void> {
    this.values.set(key, JSON.parse(JSON.stringify(value)));
  }
}

export class FakeApprovals {
  readonly asked: ToolQuestion[] = [];
  /** The questions about several calls. */
  readonly askedJointly: (readonly ToolQuestion[])[] = [];
  readonly audit: AuditEntry[] = [];
  readonly workspaceMemory: FakeMemory;
  readonly globalMemory: FakeMemory;
  readonly questions = new QuestionQueue();
  readonly trusted: TrustedServers;
  readonly approvals: ToolApprovals;
  trustedNames: readonly string[] = [];
  rules: readonly ToolRule[] = [];
  /** Allows once as asked, unless a test says otherwise. */
  answer: (question: ToolQuestion, signal: AbortSignal) => ToolAnswer | Promise<ToolAnswer>;
  /** Runs all, unless a test says otherwise. */
  answerJointly: (
    questions: readonly ToolQuestion[],
    signal: AbortSignal,
  ) => JointAnswer | Promise<JointAnswer> = () => 'run';

  constructor(memories: { readonly workspace?: FakeMemory; readonly global?: FakeMemory } = {}) {
    this.answer = ({ input }) => ({ kind: 'allow', input, scope: 'once' });
    this.workspaceMemory = memories.workspace ?? new FakeMemory();
    this.globalMemory = memories.global ?? new FakeMemory();
    this.trusted = new TrustedServers(
      {
        names: () => this.trustedNames,
        set: async (names) => {
          this.trustedNames = names;
        },
      },
      this.workspaceMemory,
    );
    this.approvals = new ToolApprovals({
      prompt: {
        confirmTool: async (question, { signal }) => {
          this.asked.push(question);
          return this.answer(question, signal);
        },
        confirmTools: async (questions, { signal }) => {
          this.askedJointly.push(questions);
          return this.answerJointly(questions, signal);
        },
      },
      questions: this.questions,
      trusted: this.trusted,
      rules: () => this.rules,
      memory: this.workspaceMemory,
      globalMemory: this.globalMemory,
      audit: { record: (entry) => this.audit.push(entry) },
      log: { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing },
    });
  }
}
