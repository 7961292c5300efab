/**
 * Reads one text of a channel (a line, a body, an event, a frame) and delivers each JSON-RPC message in it with one
 * call. A text without one is reported, and never ends the channel. Framing belongs to the channels.
 */
import type { MemoryAccount } from '../../base/memory.ts';
import { ellipsis, truncated } from '../../base/text.ts';
import { rpcCodes } from '../errors.ts';
import { envelopeProblem, isRequest, type RequestId, type RpcMessage } from '../types/message.ts';
import { objectionTo } from './jsonText.ts';
import type { Batch } from './transport.ts';

/** Bytes kept of the beginning, and of the end, of a text that is not used: they tell whose reply it was. */
export const keptBytes = 1_024;

export interface Skipped {
  readonly head: string;
  readonly tail: string;
  /** Completes "The answer …". */
  readonly reason: string;
}

/** Characters that a report quotes of a text that is not a message. */
const excerptChars = 200;
/** Characters searched for secrets, so that none is cut in two. */
const redactedChars = 1_000;

export interface MessageSink {
  /** `batch`: set for a member of an array (BASE-08). */
  message(message: RpcMessage, batch: Batch | undefined): void;
  /** Takes a sentence for the log, and the beginning of a text without a message as it came. */
  problem(sentence: string, text?: string): void;
  /** Redacts secrets from a quote. */
  redact?(quote: string): string;
  /** The server's memory account: a text that does not fit is not parsed. */
  readonly memory?: MemoryAccount | undefined;
  /** What a text is, for the log. */
  readonly what?: string;
}

/** Never throws. */
export function readMessages(text: string, sink: MessageSink): void {
  const objection = objectionTo(text, sink.memory);
  if (objection !== undefined) {
    const [head, tail] = [text.slice(0, keptBytes), text.slice(-keptBytes)];
    skipMessage({ head, tail, reason: objection }, sink);
    return;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (text.trim() !== '') {
      reportText(text, 'is not JSON', sink);
    }
    return;
  }
  if (Array.isArray(value)) {
    deliverBatch(value, sink);
  } else if (isRpcMessage(value)) {
    sink.message(withOwnId(value), undefined);
  } else {
    reportText(text, notAMessage(value), sink);
  }
}

function skipped({ what = 'a message of the server' }: MessageSink): string {
  return `Skipped ${what}`;
}

function reportText(text: string, problem: string, sink: MessageSink): void {
  sink.problem(`${skipped(sink)} that ${problem}: ${quoteOf(text, sink)}`, beginningOf(text));
}

function quoteOf(text: string, sink: MessageSink): string {
  const start = text.trimStart().slice(0, redactedChars);
  return truncated((sink.redact?.(start) ?? start).trimEnd(), excerptChars);
}

function beginningOf(text: string): string {
  return truncated(text, keptBytes).trimEnd();
}

/** Reports a text beyond a limit. If it was a reply, its request gets an error reply instead. */
export function skipMessage(text: Skipped, sink: MessageSink): void {
  reportSkipped(text, sink);
  replaceReply(text, sink);
}

/** Can be called as soon as the limit is reached. */
export function reportSkipped({ head, reason }: Omit<Skipped, 'tail'>, sink: MessageSink): void {
  const start = head + ellipsis;
  sink.problem(
    `${skipped(sink)} that ${reason}. It begins: ${quoteOf(start, sink)}`,
    beginningOf(start),
  );
}

/** @returns whether the text is known to be a reply, whose request then got an error reply. */
export function replaceReply({ head, tail, reason }: Skipped, sink: MessageSink): boolean {
  const reply = errorReply(head, tail, reason);
  if (reply !== undefined) {
    sink.message(reply, undefined);
  }
  return reply !== undefined;
}

const id = String.raw`"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,200}")`;
const ownIdAsText = /^[1-9]\d{0,14}$/u;
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const outcome = String.raw`"(?:result|error)"\s*:`;
/** The members that may come before the large one, in either order. */
const idFirst = new RegExp(
  String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${id}\s*,\s*(?:${version}\s*,\s*)?${outcome}`,
  'u',
);
const outcomeFirst = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${outcome}`, 'u');
/** A member directly before the last bracket of a JSON text belongs to the outermost object. */
const idLast = new RegExp(String.raw`,\s*${id}\s*(?:,\s*${version}\s*)?\}\s*$`, 'u');

/**
 * What replaces a reply that was not kept whole: an error reply, so that nobody waits in vain. Undefined if
 * beginning and end do not show that it was a reply.
 * @param reason completes "The answer …"
 */
export function errorReply(head: string, tail: string, reason: string): RpcMessage | undefined {
  const found = idFirst.exec(head) ?? (outcomeFirst.test(head) ? idLast.exec(tail) : null);
  if (found?.[1] === undefined) {
    return undefined;
  }
  const of: RequestId = JSON.parse(found[1]);
  const error = { code: rpcCodes.internalError, message: `The answer ${reason}` };
  return { jsonrpc: '2.0', id: of, error };
}

/** Delivers the members that are messages, in order, and reports the others. */
function deliverBatch(members: readonly unknown[], sink: MessageSink): void {
  if (members.length === 0) {
    sink.problem(`${skipped(sink)} that is an empty array`);
    return;
  }
  const messages: RpcMessage[] = [];
  for (const member of members) {
    if (isRpcMessage(member)) {
      messages.push(withOwnId(member));
    } else {
      sink.problem(`${skipped(sink)} that ${notAMessage(member)}`);
    }
  }
  const batch: Batch = { requests: messages.filter(isRequest).length };
  for (const message of messages) {
    sink.message(message, batch);
  }
}

/** Our ids are numbers. Some servers return them as text, which the official clients accept, too. */
function withOwnId(message: RpcMessage): RpcMessage {
  return !('method' in message) && typeof message.id === 'string' && ownIdAsText.test(message.id)
    ? { ...message, id: Number(message.id) }
    : message;
}

/** See envelopeProblem. */
function isRpcMessage(value: unknown): value is RpcMessage {
  return envelopeProblem(value) === undefined;
}

function notAMessage(value: unknown): string {
  return `is not a JSON-RPC message (${envelopeProblem(value) ?? ''})`;
}
