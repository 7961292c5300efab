/** What sampling needs from an editor: to ask before and after the model, and to tell what happened. */
import type { CreateMessageRequest } from '../../mcp/types/clientFeatures.ts';
import type { Revision } from '../../mcp/revisions.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { Model } from '../models/model.ts';
import type { Turn } from '../questions/questionQueue.ts';
import type { ModelChoice } from './modelChoice.ts';
import type { SampledAnswer } from './sampledAnswer.ts';

/** How long a yes counts: this request; until the window closes; in this workspace from now on. */
export type SamplingScope = 'once' | 'session' | 'always';

export interface SamplingQuestion {
  readonly server: ServerConfig;
  readonly revision: Revision;
  readonly request: CreateMessageRequest;
  readonly choice: ModelChoice;
  /** What the user may choose from instead. */
  readonly models: readonly Model[];
  /** Whether the user sees the answer before the server gets it. */
  readonly isAnswerReviewed: boolean;
  /** The request is no longer the server's own. */
  readonly isEdited: boolean;
}

export type SamplingDecision =
  | { readonly kind: 'deny' }
  /** Asked again when the user opens it, as it was left. */
  | { readonly kind: 'later'; readonly question: SamplingQuestion }
  | {
      readonly kind: 'allow';
      readonly scope: SamplingScope;
      /** As it was shown last, which may be edited. */
      readonly request: CreateMessageRequest;
      readonly model: Model;
      /** The user chose the model, rather than leaving it to what the server prefers. */
      readonly isOwnModel: boolean;
    };

export interface AnswerQuestion {
  readonly server: ServerConfig;
  readonly revision: Revision;
  readonly model: Model;
  readonly answer: SampledAnswer;
  /** The answer is no longer the model's own. */
  readonly isEdited: boolean;
}

export type AnswerDecision =
  | { readonly kind: 'discard' }
  /** Asked again when the user opens it, as it was left. */
  | { readonly kind: 'later'; readonly question: AnswerQuestion }
  /** As it was shown last. */
  | { readonly kind: 'send'; readonly answer: SampledAnswer };

export type SamplingNotice =
  /** An answer counted for nothing: the server gave up before. */
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'tooMany'; readonly perMinute: number }
  | { readonly kind: 'tooManyAtOnce'; readonly atOnce: number }
  | { readonly kind: 'noModel' }
  | { readonly kind: 'failed'; readonly reason: string };

export interface SamplingUi {
  /**
   * Asks before anything reaches the model; closing it is a no. A modal may outlast the turn's
   * signal: its answer counts for nothing then.
   */
  approve(question: SamplingQuestion, turn: Turn): Promise<SamplingDecision>;
  /** Asks before the answer reaches the server; closing it discards the answer. */
  review(question: AnswerQuestion, turn: Turn): Promise<AnswerDecision>;
  /** Shows that the model works, for as long as `task` runs. Its signal aborts also when the user stops it. */
  whileAsking<T>(
    server: ServerConfig,
    model: Model,
    signal: AbortSignal,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  tell(server: ServerConfig, notice: SamplingNotice): void;
  /** The server has used what it may use in this session. Calls `allowMore` when the user gives it as much again. */
  tellSpent(server: ServerConfig, tokens: number, allowMore: () => void): void;
}
