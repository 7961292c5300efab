/** Requests that a client sends, with their parameters and results; lifecycle types; log messages. */
import type {
  Completion,
  CompletionRequest,
  omitted,
  OmittedItem,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from './lists.ts';
import type { ContentBlock, Icon, ResourceContents } from './content.ts';

export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}

/** An empty object declares support, a missing member none (CAP-04). Unknown members are kept. */
export interface ServerCapabilities {
  readonly logging?: object;
  readonly completions?: object;
  readonly prompts?: { readonly listChanged?: boolean };
  readonly resources?: { readonly subscribe?: boolean; readonly listChanged?: boolean };
  readonly tools?: { readonly listChanged?: boolean };
  readonly experimental?: Readonly<Record<string, object>>;
  readonly [other: string]: unknown;
}

/** RFC 5424 severities, as `logging/setLevel` spells them. */
export type LoggingLevel =
  | 'debug'
  | 'info'
  | 'notice'
  | 'warning'
  | 'error'
  | 'critical'
  | 'alert'
  | 'emergency';

export interface LoggingMessage {
  readonly level: LoggingLevel;
  readonly logger?: string;
  readonly data: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface Root {
  /** A `file:` URI. */
  readonly uri: string;
  readonly name?: string;
}

export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

export interface GetPromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

interface Page {
  readonly cursor?: string;
}

interface ListResult {
  readonly nextCursor?: string;
  /** How long the answer is valid, in milliseconds, as received. Since 2026-07-28. */
  readonly ttlMs?: unknown;
}

/** Method → parameters and result, for the requests that a {@link Session} lets through. */
export interface MethodMap {
  ping: { params: Record<string, never>; result: unknown };
  'tools/list': {
    params: Page;
    result: ListResult & {
      readonly tools: readonly Tool[];
      readonly [omitted]?: readonly OmittedItem[];
    };
  };
  'tools/call': {
    params: { readonly name: string; readonly arguments?: Readonly<Record<string, unknown>> };
    result: CallToolResult;
  };
  'prompts/list': {
    params: Page;
    result: ListResult & { readonly prompts: readonly Prompt[] };
  };
  'prompts/get': {
    params: { readonly name: string; readonly arguments?: Readonly<Record<string, string>> };
    result: GetPromptResult;
  };
  'resources/list': {
    params: Page;
    result: ListResult & { readonly resources: readonly Resource[] };
  };
  'resources/templates/list': {
    params: Page;
    result: ListResult & { readonly resourceTemplates: readonly ResourceTemplate[] };
  };
  'resources/read': {
    params: { readonly uri: string };
    result: { readonly contents: readonly ResourceContents[] };
  };
  'skills/list': {
    params: Page;
    result: ListResult & { readonly skills: readonly unknown[] };
  };
  /** `skill` as received: it is checked like an entry of the list. */
  'skills/get': { params: { readonly uri: string }; result: { readonly skill?: unknown } };
  'resources/directory/read': {
    params: Page & { readonly uri: string };
    result: ListResult & { readonly resources: readonly Resource[] };
  };
  'completion/complete': { params: CompletionRequest; result: { readonly completion: Completion } };
}

export type Method = keyof MethodMap;
/** `_meta` is sent too, except for members that the conversation sets: a trace context (SEP-414), vendor names. */
export type ParamsOf<M extends Method> = MethodMap[M]['params'] & {
  readonly _meta?: Readonly<Record<string, unknown>>;
};
export type ResultOf<M extends Method> = MethodMap[M]['result'];
