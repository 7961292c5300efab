/**
 * Records the messages of one server and their facts: the request of a response, its duration, the HTTP requests that
 * carried it. Shows nothing.
 */
import { isObject, isString, type JsonObject, stableStringify } from '../../base/json.ts';
import type { Redactor } from '../../base/log.ts';
import type { MemoryAccount } from '../../base/memory.ts';
import type { ExchangeHead, ExchangeObserver, MessageObserver } from '../../mcp/messageTap.ts';
import type { RecentMessages } from '../../mcp/recentMessages.ts';
import {
  AskedSecrets,
  maskedHeaders,
  maskedJson,
  maskedUrl,
  type Id,
  shortened,
  sizeOf,
  toId,
} from './maskedText.ts';
import { carriedMessage, MessageBuffer } from './messageBuffer.ts';
import {
  blankEntry,
  type Direction,
  inspectorLimits,
  type Outcome,
  ownParams,
  type Seen,
  type SeenExchange,
  subjectOf,
} from './seenMessage.ts';

/** A request without a response. */
interface OpenRequest {
  readonly entry: Seen;
  /** From a monotonic clock. */
  readonly since: number;
}

interface Expected {
  readonly of: number;
  readonly method: string;
  readonly params: string;
}

/** Where the request of a response went. */
const opposite = {
  sent: 'received',
  received: 'sent',
  fromApp: 'toApp',
  toApp: 'fromApp',
} as const satisfies Record<Direction, Direction>;

const revisionMember = 'io.modelcontextprotocol/protocolVersion';

export class MessageRecorder implements MessageObserver {
  /** Newest last. */
  readonly buffer: MessageBuffer;
  readonly #redactor: Pick<Redactor, 'redact'>;
  readonly #changed: (entry: Seen) => void;
  /** By {@link keyOf}. */
  readonly #open = new Map<string, OpenRequest>();
  readonly #asked = new AskedSecrets();
  #expected: Expected | undefined;
  #isDisposed = false;
  /** The number of the next entry. */
  #next = 1;
  /** The time of a message that is replayed, in ms since 1970. */
  #replayed: number | undefined;
  /** The protocol revision of the session, if known. */
  revision: string | undefined;

  /**
   * @param changed called with each new entry, and again when it has more facts
   * @param memory counts the entries
   */
  constructor(
    redactor: Pick<Redactor, 'redact'>,
    changed: (entry: Seen) => void,
    memory: MemoryAccount,
  ) {
    this.#redactor = redactor;
    this.#changed = changed;
    this.buffer = new MessageBuffer(memory, (gone) => this.#close(gone));
  }

  /** The number of the next entry. */
  get next(): number {
    return this.#next;
  }

  /** The number of the oldest stored entry; that of the next one when there is none. */
  get first(): number {
    return this.#next - this.buffer.size;
  }

  /** Records what came before there was a recorder. */
  replay(recent: RecentMessages): void {
    recent.replay(this, (time) => (this.#replayed = time));
    this.#replayed = undefined;
  }

  sent(message: object): void {
    for (const one of Array.isArray(message) ? message : [message]) {
      this.#add('sent', one, undefined);
    }
  }

  received(message: object, during: Id | undefined): void {
    this.#add('received', message, during);
  }

  ofApp(view: string, direction: 'fromApp' | 'toApp', message: object): void {
    this.#add(direction, message, undefined, view);
  }

  exchanged(head: ExchangeHead): ExchangeObserver {
    const exchange: SeenExchange = {
      method: head.method,
      url: shortened(maskedUrl(head.url, this.#redactor), inspectorLimits.headerChars),
      sent: maskedHeaders(head.headers, 'sent', this.#redactor),
    };
    const carried = carriedMessage(head.body, this.buffer.all());
    const entry = carried ?? this.#entry('stream', { direction: 'sent', exchanges: [exchange] });
    if (carried === undefined) {
      this.#keep(entry);
    } else {
      carried.exchanges = [...carried.exchanges, exchange].slice(-inspectorLimits.exchanges);
      if (carried.kind === 'request' && carried.partner === undefined) {
        this.#tell(carried, 'pending'); // signed in, or sent elsewhere, after a refusal
      }
    }
    return {
      answered: (status, headers) => {
        exchange.status = status;
        exchange.received = maskedHeaders(headers, 'received', this.#redactor);
        this.#tell(entry);
      },
      ended: (error) => {
        if (error !== undefined) {
          exchange.error = shortened(this.#redactor.redact(error.message));
        }
        if (carried !== undefined) {
          this.#onExchangeEnded(carried, exchange);
        }
        this.#tell(entry);
      },
    };
  }

  /** An event of the server. @param isEnd pending requests get no answer any more */
  note(text: string, isEnd: boolean): void {
    if (isEnd) {
      this.#open.forEach(({ entry }) => this.#tell(entry, 'unanswered'));
      this.#open.clear();
    }
    this.#keep(this.#entry('event', { method: text }));
  }

  /** Marks the next such request as a repetition of entry `of`. @returns ends the expectation */
  expect(of: number, method: string, params: JsonObject): () => void {
    const expected = { of, method, params: stableStringify(params) };
    this.#expected = expected;
    return () => {
      if (this.#expected === expected) {
        this.#expected = undefined;
      }
    };
  }

  /** Pending requests are dropped, too: their responses are then recorded without a request. */
  clear(): void {
    this.buffer.clear();
    this.#open.clear();
  }

  /** Stops recording: an open event stream holds its observer for long. */
  dispose(): void {
    this.#isDisposed = true;
    this.clear();
  }

  #add(direction: Direction, message: unknown, during: Id | undefined, view?: string): void {
    if (this.#isDisposed || !isObject(message)) {
      return;
    }
    const { method, params } = message;
    const id = toId(message['id']);
    if (direction === 'received') {
      this.#asked.received(message);
    }
    const asked = direction === 'sent' ? this.#asked.names : undefined;
    const { text, isCut } = maskedJson(message, this.#redactor, undefined, asked);
    const common = { direction, view, text, isCut, bytes: sizeOf(message) };
    if (!isString(method)) {
      this.#addResponse(common, message, during);
      return;
    }
    const given = isObject(params) ? params : {};
    const isRequest = id !== undefined;
    const entry = this.#entry(isRequest ? 'request' : 'notification', {
      ...common,
      method: shortened(this.#redactor.redact(method)),
      subject: shortened(this.#redactor.redact(subjectOf(method, given))),
      id,
      revision: this.#revisionOf(method, given, view),
      ...(isRequest && { outcome: 'pending' as const }),
      ...(isRequest && direction === 'sent' && !isCut && { params: given }),
    });
    if (isRequest) {
      this.#open.set(keyOf(direction, id, view), { entry, since: this.#elapsed() });
      this.#markReplay(entry, method, given);
    } else if (method === 'notifications/cancelled') {
      const open = this.#open.get(keyOf(direction, toId(given['requestId']), view));
      this.#tell(open?.entry, 'cancelled');
    }
    this.#keep(entry);
  }

  #addResponse(
    common: Pick<Seen, 'view' | 'text' | 'isCut' | 'bytes'> & { readonly direction: Direction },
    message: Readonly<Record<string, unknown>>,
    during: Id | undefined,
  ): void {
    const id = toId(message['id'] ?? during);
    const open = this.#open.get(keyOf(opposite[common.direction], id, common.view));
    const request = open?.entry;
    if (request?.method === 'initialize') {
      const { result } = message;
      this.#noteRevision(isObject(result) ? result['protocolVersion'] : undefined);
    }
    const known = this.#outcomeOf(message);
    const entry = this.#entry('response', {
      ...common,
      method: request?.method ?? '',
      subject: request?.subject ?? '',
      id,
      revision: common.view === undefined ? this.revision : undefined,
      ...known,
    });
    if (open !== undefined) {
      this.#close(open.entry);
      this.#pair(open, entry, known);
    }
    this.#keep(entry);
  }

  #pair({ entry: request, since }: OpenRequest, response: Seen, known: Partial<Seen>): void {
    const durationMs = this.#elapsed() - since;
    const { n, replayOf, exchanges, method, revision } = request;
    Object.assign(response, { durationMs, partner: n, exchanges });
    if (replayOf !== undefined) {
      response.replayOf = replayOf;
    }
    if (method !== 'initialize') {
      response.revision = revision;
    }
    Object.assign(request, { durationMs, partner: response.n, ...known });
    this.#tell(request);
  }

  /** Era and revision are in the messages themselves. */
  #revisionOf(method: string, params: JsonObject, view?: string): string | undefined {
    if (view !== undefined) {
      return undefined;
    }
    const meta = params['_meta'];
    const named = isObject(meta) ? meta[revisionMember] : undefined;
    this.#noteRevision(named ?? (method === 'initialize' ? params['protocolVersion'] : undefined));
    return this.revision;
  }

  #noteRevision(named: unknown): void {
    if (isString(named)) {
      this.revision = shortened(named);
    }
  }

  #outcomeOf({ error, result }: JsonObject): Pick<Seen, 'outcome' | 'problem'> {
    if (isObject(result) && result['isError'] === true) {
      return { outcome: 'error', problem: 'isError' };
    }
    if (!isObject(error)) {
      return { outcome: 'done', problem: undefined };
    }
    const text = `${String(error['code'])}: ${String(error['message'])}`;
    return { outcome: 'error', problem: shortened(this.#redactor.redact(text)) };
  }

  #markReplay(entry: Seen, method: string, params: JsonObject): void {
    const expected = this.#expected;
    if (
      entry.direction === 'sent' &&
      expected?.method === method &&
      expected.params === stableStringify(ownParams(params))
    ) {
      entry.replayOf = expected.of;
      this.#expected = undefined;
    }
  }

  /** The entry no longer waits: it has its response, or is no longer stored. */
  #close(entry: Seen): void {
    const key = keyOf(entry.direction, entry.id, entry.view);
    if (this.#open.get(key)?.entry === entry) {
      this.#open.delete(key);
    }
  }

  #onExchangeEnded(carried: Seen, { status = 0, received = [], error }: SeenExchange): void {
    if (carried.outcome !== 'pending') {
      return;
    }
    const isOver = received.some(
      ([name, value]) => name === 'content-type' && value.startsWith('text/event-stream'),
    );
    if (error !== undefined || status >= 400) {
      carried.problem = error ?? `HTTP ${status}`;
      this.#tell(carried, 'error');
    } else if (status === 200 && isOver) {
      // The stream may be resumed by another one: then the response still comes.
      this.#tell(carried, 'unanswered');
    }
  }

  #entry(kind: Seen['kind'], facts: Partial<Seen>): Seen {
    return { ...blankEntry, ...facts, kind, n: this.#next++, at: this.#replayed ?? Date.now() };
  }

  /** Milliseconds of a monotonic clock, also for what happened before. */
  #elapsed(): number {
    const agoMs = this.#replayed === undefined ? 0 : Date.now() - this.#replayed;
    return performance.now() - agoMs;
  }

  #keep(entry: Seen): void {
    if (!this.#isDisposed) {
      this.buffer.add(entry);
      this.#changed(entry);
    }
  }

  /** More is known of an entry. @param outcome of a request */
  #tell(entry: Seen | undefined, outcome?: Outcome): void {
    if (outcome !== undefined && entry !== undefined) {
      entry.outcome = outcome;
    }
    if (entry !== undefined && this.buffer.grown(entry)) {
      this.#changed(entry);
    }
  }
}

/** Views of apps count their requests alike. */
function keyOf(
  direction: Direction | undefined,
  id: Id | undefined,
  view: string | undefined,
): string {
  return JSON.stringify([direction, view, id]);
}
