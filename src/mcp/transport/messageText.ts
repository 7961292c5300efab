/**
 * Reads one text of a channel (a body, an event, a frame) and delivers each JSON-RPC message in it with one
 * call. Framing belongs to the channels; lineDecoder.ts reads lines of standard output.
 */
import type { MemoryAccount } from '../../base/memory.ts';
import { truncated } from '../../base/text.ts';
import { envelopeProblem, isRequest, type RpcMessage } from '../types/message.ts';
import { isTooDeep, objectionTo, shallow, tooDeepText } from './jsonText.ts';
import { errorReply } from './sizeLimit.ts';
import type { Batch } from './transport.ts';

/** Characters that a report quotes of a text that is not a message. */
const excerptChars = 200;
/** Characters, or bytes, of the beginning and of the end that tell what a message is. */
const shownChars = 1_024;
/** Characters searched for secrets, so that none is cut in two. */
const redactedChars = 1_000;

export interface MessageSink {
  /** `batch`: set for a member of an array (BASE-08). */
  message(message: RpcMessage, batch: Batch | undefined): void;
  /** Takes a sentence for the log. It quotes the beginning of a text that is not JSON. */
  problem(text: string): void;
  /** Redacts secrets from a quote. */
  redact?(quote: string): string;
  /** The server's memory account: a text that does not fit is not parsed. */
  readonly memory?: MemoryAccount | undefined;
}

/** Never throws. */
export function readMessages(text: string, sink: MessageSink): void {
  const objection = objectionTo(text, sink.memory);
  if (objection !== undefined) {
    deliverInstead(text, objection, sink);
    return;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (text !== '') {
      const start = text.slice(0, redactedChars);
      const quote = truncated(sink.redact?.(start) ?? start, excerptChars);
      sink.problem(`The server sent text that is not JSON: ${quote}`);
    }
    return;
  }
  if (isTooDeep(text)) {
    deliverShallow(value, sink);
  } else if (Array.isArray(value)) {
    deliverBatch(value, sink);
  } else if (isRpcMessage(value)) {
    sink.message(value, undefined);
  } else {
    sink.problem(notAMessage(value));
  }
}

/** Drops a message beyond a limit. If its text shows that it is a reply, its request gets an error reply instead. */
export function deliverInstead(text: string, reason: string, sink: MessageSink): void {
  sink.problem(`Skipped a message of the server that ${reason}`);
  const reply = errorReply(text.slice(0, shownChars), text.slice(-shownChars), reason);
  if (reply !== undefined) {
    sink.message(reply, undefined);
  }
}

/** The part of a large text that {@link deliverInstead} reads. */
export function endsOf(bytes: Buffer): string {
  const end = Math.max(shownChars, bytes.length - shownChars);
  return bytes.toString('utf8', 0, shownChars) + bytes.toString('utf8', end);
}

/** Drops a message that is nested too deep. If it is a reply, its request gets an error reply instead. */
export function deliverShallow(value: unknown, sink: MessageSink): void {
  sink.problem(tooDeepText);
  for (const member of Array.isArray(value) ? value : [value]) {
    const message = isRpcMessage(member) ? shallow(member) : undefined;
    if (message !== undefined) {
      sink.message(message, undefined);
    }
  }
}

/** Delivers the members that are messages, in order, and reports the others. */
export function deliverBatch(members: readonly unknown[], sink: MessageSink): void {
  if (members.length === 0) {
    sink.problem('The server sent an empty array, which is not a JSON-RPC message');
    return;
  }
  const messages: RpcMessage[] = [];
  for (const member of members) {
    if (isRpcMessage(member)) {
      messages.push(member);
    } else {
      sink.problem(notAMessage(member));
    }
  }
  const batch: Batch = { requests: messages.filter(isRequest).length };
  for (const message of messages) {
    sink.message(message, batch);
  }
}

/** See envelopeProblem. */
export function isRpcMessage(value: unknown): value is RpcMessage {
  return envelopeProblem(value) === undefined;
}

function notAMessage(value: unknown): string {
  return `The server sent JSON that is not a JSON-RPC message: ${envelopeProblem(value) ?? ''}`;
}
