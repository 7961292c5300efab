/** A language model for the host: the editor's models behind an interface without editor types. */

export type ModelPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly mimeType: string; readonly bytes: Uint8Array }
  | {
      readonly kind: 'toolCall';
      readonly callId: string;
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'toolResult';
      readonly callId: string;
      readonly parts: readonly ModelPart[];
      readonly isError?: boolean;
    };

/** A part that is neither a call nor its result. */
export type ContentPart = Extract<ModelPart, { kind: 'text' | 'data' }>;

export function textPart(text: string): ModelPart & { readonly kind: 'text' } {
  return { kind: 'text', text };
}

export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly ModelPart[];
}

export interface ModelTool {
  /** At most 64 characters of letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** `required`: the model has to call a tool. Absent: it may. */
  readonly toolMode?: 'required';
  /** Why the model is used, shown by the editor where it asks for access. */
  readonly justification: string;
  /** Options of the provider, such as `max_tokens`, `temperature`, `stop`. A provider may ignore them. */
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface Model {
  /** Another vendor may have the same. */
  readonly id: string;
  /** For display. */
  readonly name: string;
  readonly vendor: string;
  readonly family: string;
  /** Tokens that a request may hold. */
  readonly maxInputTokens: number;
  /**
   * The parts of the answer as they arrive. Who leaves the loop early stops the provider.
   * @throws McpError `denied` when the user or the provider refuses access, `cancelled`, else `unsupported` with the
   * provider's words
   */
  send(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
  countTokens(text: string, signal: AbortSignal): Promise<number>;
}

/** What a model is remembered by. */
export function idWithVendor({ vendor, id }: Model): string {
  return `${vendor}/${id}`;
}
