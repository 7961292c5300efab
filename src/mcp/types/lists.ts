/** The items that servers list: tools, prompts, resources, resource templates; and argument completion. */
import type { Annotations, Icon } from './content.ts';

/** A server's claims about a tool. Untrusted (TOOL-02). */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  /** Since 2025-11-25; as received. `taskSupport` is `forbidden`, `optional` or `required`. */
  readonly execution?: { readonly taskSupport?: unknown };
  /** Absent if no argument is sent outside of the message. */
  readonly [argumentHeaders]?: ArgumentHeaders;
  readonly icons?: readonly Icon[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
  readonly icons?: readonly Icon[];
}

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, before any encoding. */
  readonly size?: number;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
}

export interface ResourceTemplate {
  /** RFC 6570. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
}

export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

export interface CompletionRequest {
  readonly ref: CompletionReference;
  readonly argument: { readonly name: string; readonly value: string };
  /** Values already chosen for other arguments. Sent only in revisions that have it (COMP-03). */
  readonly context?: { readonly arguments: Readonly<Record<string, string>> };
}

export interface Completion {
  /** At most 100. */
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}

/**
 * Which arguments of a tool are also sent as HTTP headers, so that a prompt before the call can show it. A session adds
 * it to the tools that it lists. The key is a symbol, which no server can send; a registered one, because each bundle
 * has its own copy of this file.
 */
export const argumentHeaders: unique symbol = Symbol.for('mcp-host.argumentHeaders');

/** Paths of arguments, joined by dots. */
export type ArgumentHeaders = readonly string[];

/** An item that a session removed from a list because it may not be offered. */
export interface OmittedItem {
  /** The server's name for it; may be missing. */
  readonly name?: string;
  /** Completes "… is left out: ". */
  readonly reason: string;
}

/** A registered symbol, like {@link argumentHeaders}. */
export const omitted: unique symbol = Symbol.for('mcp-host.omitted');
