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

/** Who of a server asks: itself, or an app of it. */
export type SamplingCaller = 'server' | 'app';

/** A request before the model gets it. The user changes it in place, also over a "Later". */
export interface RequestDraft {
  readonly server: ServerConfig;
  readonly caller: SamplingCaller;
  readonly revision: Revision;
  /** The models that the user may choose. */
  readonly models: readonly Model[];
  /** Whether the user sees the answer before the server gets it. */
  readonly isAnswerReviewed: boolean;
  request: CreateMessageRequest;
  choice: ModelChoice;
  isEdited: boolean;
}

/** An answer before the server gets it, likewise. */
export interface AnswerDraft {
  readonly server: ServerConfig;
  readonly caller: SamplingCaller;
  readonly revision: Revision;
  readonly model: Model;
  answer: SampledAnswer;
  isEdited: boolean;
}

export type SamplingNotice =
  /** An answer had no effect: the server had cancelled the request. */
  | { readonly kind: 'withdrawn' }
  | LimitNotice
  | { readonly kind: 'noModel' }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The server has spent its budget of this session. The user may give it the same again. */
  | { readonly kind: 'spent'; readonly tokens: number; readonly allowMore: () => void };

export interface SamplingUi {
  /**
   * Asks before anything is sent to the model; closing is a no. A modal may outlast the turn's signal: its answer is
   * then ignored.
   */
  approve(draft: RequestDraft, turn: Turn): Promise<SamplingScope | 'deny' | 'later'>;
  /** Asks before the answer reaches the server; closing it discards the answer. */
  review(draft: AnswerDraft, turn: Turn): Promise<'send' | 'discard' | 'later'>;
  /** Shows progress while `task` runs. Its signal also aborts when the user stops it. */
  whileAsking<T>(
    server: ServerConfig,
    model: Model,
    signal: AbortSignal,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  tell(server: ServerConfig, notice: SamplingNotice): void;
}
