/** A Sampling whose user and model a test plays. */
import assert from 'node:assert/strict';
import type { AuditEntry } from '../../src/host/audit/audit.ts';
import { QuestionQueue } from '../../src/host/questions/questionQueue.ts';
import { Sampling } from '../../src/host/sampling/sampling.ts';
import { SamplingBudget } from '../../src/host/sampling/samplingBudget.ts';
import { SamplingSettings } from '../../src/host/sampling/samplingSettings.ts';
import type {
  AnswerDraft,
  RequestDraft,
  SamplingNotice,
  SamplingScope,
  SamplingUi,
} from '../../src/host/sampling/samplingUi.ts';
import type { ServerConfig } from '../../src/host/config/serverConfig.ts';
import type { Model, ModelPart, ModelRequest } from '../../src/host/models/model.ts';
import type { CreateMessageRequest } from '../../src/mcp/types/clientFeatures.ts';
import { FakeMemory } from './fakeApprovals.ts';
import { FakeClock } from './fakeClock.ts';
import { FakeLogs } from './fakeLogs.ts';

export function userSays(
  text: string,
  more: Partial<CreateMessageRequest> = {},
): CreateMessageRequest {
  return {
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 1_000,
    ...more,
  };
}

/** Counts one token for each character, and says `parts`. */
export class ScriptedModel implements Model {
  readonly id: string;
  readonly name: string;
  readonly vendor = 'fake';
  readonly family: string;
  readonly maxInputTokens: number;
  readonly requests: ModelRequest[] = [];
  readonly counted: string[] = [];
  /** What comes; a function may wait or throw. */
  parts: readonly (ModelPart | ((signal: AbortSignal) => Promise<ModelPart>))[] = [
    { kind: 'text', text: 'Hello' },
  ];
  /** Parts that were taken from it. */
  given = 0;
  /** Its consumer has left before the end. */
  isStopped = false;
  countError: Error | undefined;

  constructor(name = 'fake', maxInputTokens = 1_000_000) {
    this.id = name;
    this.name = name;
    this.family = name;
    this.maxInputTokens = maxInputTokens;
  }

  async *send(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
    this.requests.push(request);
    let isDone = false;
    try {
      for (const part of this.parts) {
        signal.throwIfAborted();
        this.given += 1;
        yield typeof part === 'function' ? await part(signal) : part;
      }
      isDone = true;
    } finally {
      this.isStopped = !isDone;
    }
  }

  async countTokens(text: string): Promise<number> {
    this.counted.push(text);
    if (this.countError !== undefined) {
      throw this.countError;
    }
    return text.length;
  }
}

type Approval = SamplingScope | 'deny' | 'later';
type Judgement = 'send' | 'discard' | 'later';

/** Allows once and sends, unless a test says otherwise. */
export class FakeSampling implements SamplingUi {
  /** As they were when they were asked about. */
  readonly approvals: RequestDraft[] = [];
  readonly reviews: AnswerDraft[] = [];
  readonly notices: SamplingNotice[] = [];
  readonly audit: AuditEntry[] = [];
  readonly memory = new FakeMemory();
  readonly clock = new FakeClock();
  readonly logs = new FakeLogs();
  readonly questions = new QuestionQueue();
  readonly model = new ScriptedModel();
  models: readonly Model[] = [this.model];
  isTrusted = false;
  readonly budget = new SamplingBudget({
    clock: this.clock,
    ui: this,
    log: (server) => this.logs.open(server).log,
  });
  settings = this.#createSettings();
  sampling = this.#createSampling();
  answer: (draft: RequestDraft) => Approval | Promise<Approval> = () => 'once';
  judge: (draft: AnswerDraft) => Judgement = () => 'send';
  /** Stops the model, as the user's Cancel does. */
  stop = new AbortController();

  /** As after a new start of the window. */
  reopen(): void {
    this.settings = this.#createSettings();
    this.sampling = this.#createSampling();
  }

  async approve(draft: RequestDraft): Promise<Approval> {
    this.approvals.push({ ...draft });
    return this.answer(draft);
  }

  async review(draft: AnswerDraft): Promise<Judgement> {
    this.reviews.push({ ...draft });
    return this.judge(draft);
  }

  async whileAsking<T>(
    _server: ServerConfig,
    _model: Model,
    signal: AbortSignal,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return task(AbortSignal.any([signal, this.stop.signal]));
  }

  tell(_server: ServerConfig, notice: SamplingNotice): void {
    this.notices.push(notice);
  }

  #createSettings(): SamplingSettings {
    return new SamplingSettings(this.memory, { isTrusted: () => this.isTrusted });
  }

  #createSampling(): Sampling {
    return new Sampling({
      questions: this.questions,
      ui: this,
      models: async () => this.models,
      settings: this.settings,
      budget: this.budget,
      log: (server) => this.logs.open(server).log,
      audit: { record: (entry) => this.audit.push(entry) },
    });
  }
}

/** The part of an answer during which this is aborted. */
export function aborting(controller: AbortController): ScriptedModel['parts'][number] {
  return async (signal) => {
    controller.abort();
    signal.throwIfAborted();
    return assert.fail('the model was not stopped');
  };
}
