/** What sampling needs from an editor: questions before and after the model, and notices. */
import type { CreateMessageRequest } from '../../mcp/types/clientFeatures.ts';
import type { Revision } from '../../mcp/revisions.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { Model } from '../models/model.ts';
import type { Turn } from '../questions/questionQueue.ts';
import type { LimitNotice } from '../questions/requestLimit.ts';
import type { ModelChoice } from './modelChoice.ts';
import type { SampledAnswer } from './askModel.ts';

/** How long a yes counts: for this request; until the window closes; in this workspace from now on. */
export type SamplingScope = 'once' | 'session' | 'always';

export interface SamplingQuestion {
  readonly server: ServerConfig;
  readonly revision: Revision;
  readonly request: CreateMessageRequest;
  readonly choice: ModelChoice;
  /** Other models that the user may choose. */
  readonly models: readonly Model[];
  /** Whether the user sees the answer before the server gets it. */
  readonly isAnswerReviewed: boolean;
  /** The user has edited the server's request. */
  readonly isEdited: boolean;
}

export type SamplingDecision =
  | { readonly kind: 'deny' }
  /** The user reopens the question later, as it was left. */
  | { readonly kind: 'later'; readonly question: SamplingQuestion }
  | {
      readonly kind: 'allow';
      readonly scope: SamplingScope;
      /** As last shown, possibly edited. */
      readonly request: CreateMessageRequest;
      readonly model: Model;
      /** The user chose the model, and not the server's preferences. */
      readonly isOwnModel: boolean;
    };

export interface AnswerQuestion {
  readonly server: ServerConfig;
  readonly revision: Revision;
  readonly model: Model;
  readonly answer: SampledAnswer;
  /** The user has edited the model's answer. */
  readonly isEdited: boolean;
}

export type AnswerDecision =
  | { readonly kind: 'discard' }
  /** The user reopens the question later, as it was left. */
  | { readonly kind: 'later'; readonly question: AnswerQuestion }
  /** As last shown. */
  | { readonly kind: 'send'; readonly answer: SampledAnswer };

export type SamplingNotice =
  /** An answer had no effect: the server had cancelled the request. */
  | { readonly kind: 'withdrawn' }
  | LimitNotice
  | { readonly kind: 'noModel' }
  | { readonly kind: 'failed'; readonly reason: string };

export interface SamplingUi {
  /**
   * Asks before anything is sent to the model; closing is a no. A modal may outlast the turn's signal: its answer is
   * then ignored.
   */
  approve(question: SamplingQuestion, turn: Turn): Promise<SamplingDecision>;
  /** Asks before the answer reaches the server; closing it discards the answer. */
  review(question: AnswerQuestion, turn: Turn): Promise<AnswerDecision>;
  /** Shows progress while `task` runs. Its signal also aborts when the user stops it. */
  whileAsking<T>(
    server: ServerConfig,
    model: Model,
    signal: AbortSignal,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  tell(server: ServerConfig, notice: SamplingNotice): void;
  /** The server has spent its budget of this session. Calls `allowMore` when the user gives it the same again. */
  tellSpent(server: ServerConfig, tokens: number, allowMore: () => void): void;
}
