/**
 * What a server may request from its client: elicitation and sampling, as in the schema of revision
 * 2025-11-25. Both eras use the same handlers for them.
 */
import type { AudioContent, ContentBlock, ImageContent, TextContent } from './content.ts';
import type { JsonSchema, Tool } from './lists.ts';

export interface ElicitFormRequest {
  readonly mode: 'form';
  readonly message: string;
  /** A flat object schema, as received. */
  readonly requestedSchema: JsonSchema;
}

export interface ElicitUrlRequest {
  readonly mode: 'url';
  readonly message: string;
  /** Opaque (ELIC-27). Absent in the modern era, which does not report completion (ELI-21). */
  readonly elicitationId?: string;
  readonly url: string;
}

export type ElicitRequest = ElicitFormRequest | ElicitUrlRequest;

/** A field that was left empty is absent. Arrays are allowed since revision 2025-11-25 (ELIC-20). */
export type ElicitContent = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export type ElicitResult =
  | { readonly action: 'accept'; readonly content?: ElicitContent }
  | { readonly action: 'decline' | 'cancel' };

export interface ToolUseContent {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface ToolResultContent {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export type SamplingContent =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent;

export interface SamplingMessage {
  readonly role: 'user' | 'assistant';
  /** One block before revision 2025-11-25. */
  readonly content: SamplingContent | readonly SamplingContent[];
}

export interface ModelPreferences {
  readonly hints?: readonly { readonly name?: string }[];
  /** 0 to 1, like the two below. */
  readonly costPriority?: number;
  readonly speedPriority?: number;
  readonly intelligencePriority?: number;
}

export interface CreateMessageRequest {
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
  readonly modelPreferences?: ModelPreferences;
  readonly systemPrompt?: string;
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly tools?: readonly Tool[];
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' };
}

export interface CreateMessageResult {
  readonly role: 'assistant';
  /** One block before revision 2025-11-25 (TRAP-42). */
  readonly content: SamplingContent | readonly SamplingContent[];
  /** The model that answered. */
  readonly model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or the provider's own word. */
  readonly stopReason?: string;
}
