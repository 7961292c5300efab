/**
 * One question to the user at a time, for all servers: a dialog that opens over another one is answered by mistake.
 * Waiting questions can be listed, and one can be postponed for the next. A question that would take the keyboard while
 * the user types elsewhere is announced, and waits until the user opens it.
 */
import { onAbort } from '../../base/async.ts';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { ServerId } from '../config/serverConfig.ts';
import { abortedError } from '../../mcp/errors.ts';

/** A question, for lists of waiting questions. */
export interface Question {
  /** The server's name. */
  readonly server: string;
  readonly serverId: ServerId;
  /** The server cannot start before this is answered. */
  readonly holdsUp?: true;
  /** It waits until the user opens it, and nothing announces it. */
  readonly isPutOff?: true;
  /** It is asked in an input that takes the keyboard. A modal needs no care: its focused button commits nothing. */
  readonly takesKeyboard?: true;
  /**
   * Its subject, in the protocol's terms: an elicitation, a sampling request, a tool call; or access for an extension.
   */
  readonly about:
    | 'elicitation'
    | 'sampling'
    | 'sampledAnswer'
    | 'toolCall'
    | 'skill'
    | 'access'
    | 'start'
    | 'input'
    | 'signIn';
  /** The server's own text about it. */
  readonly text?: string;
}

/** What {@link QuestionQueue.run} gives to the current question. */
export interface Turn {
  /** Aborts when the question is withdrawn: it has to disappear. */
  readonly signal: AbortSignal;
  /**
   * Runs `show` as the part of the question that {@link QuestionQueue.postpone} may interrupt: `postponed` then aborts,
   * and `ask` resolves to {@link later} soon. A modal dialog cannot be such a part.
   */
  readonly postponable: <T>(show: (postponed: AbortSignal) => Promise<T>) => Promise<T>;
}

/**
 * The user chose "Later": the question waits until it is reopened, and the next one has its turn. A registered symbol,
 * so that it is the same in every bundle.
 */
export const later: unique symbol = Symbol.for('mcpHost.later');

/** Milliseconds in which the user expects an answer to their last action with a server. */
const expectingMs = 3_000;

interface Entry {
  readonly question: Question;
  /** Asks, and settles the asker's promise; resolves to false for "Later". Never rejects. */
  readonly attempt: () => Promise<boolean>;
  isPutOff: boolean;
}

export class QuestionQueue {
  readonly #isAwaited: (server: ServerId, withinMs: number) => boolean;
  readonly #changed = new Emitter<void>();
  readonly #announced = new Emitter<Question>();
  /** The time of the user's last action with a server. */
  readonly #expected = new Map<ServerId, number>();
  readonly #entries: Entry[] = [];
  #current: Entry | undefined;
  #holds = 0;
  #postponing: AbortController | undefined;
  /** Fires when a question is added, asked, postponed or done. */
  readonly onDidChange = this.#changed.event;
  /** Fires for a question whose turn has come, and that waits until the user opens it. */
  readonly onDidAnnounce = this.#announced.event;

  /** @param isAwaited whether the user has just made a request to a server by hand. Absent: always */
  constructor(isAwaited: (server: ServerId, withinMs: number) => boolean = () => true) {
    this.#isAwaited = isAwaited;
  }

  /** The user has just done something with a server: its next questions and its result belong to that. */
  expect(server: ServerId): void {
    this.#expected.set(server, Date.now());
  }

  /** Whether what comes of a server now belongs to what the user has just done with it. */
  isExpected(server: ServerId): boolean {
    return Date.now() - (this.#expected.get(server) ?? 0) < expectingMs;
  }

  /** All unanswered questions, including the one on the screen. */
  get open(): readonly Question[] {
    return this.#entries.map(({ question }) => question);
  }

  /** Questions that are not on the screen. */
  get waiting(): readonly Question[] {
    return this.#entries.filter((entry) => entry !== this.#current).map(({ question }) => question);
  }

  /**
   * Runs `ask` when its turn comes. An `ask` that resolves to {@link later} runs again when the question is reopened.
   * @throws what `ask` throws; McpError `cancelled`, or the signal's own McpError, at once when it aborts, also while
   * it waits
   */
  run<T>(
    question: Question,
    ask: (turn: Turn) => Promise<T | typeof later>,
    signal: AbortSignal,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (signal.aborted) {
        reject(abortedError(signal, 'The question'));
        return;
      }
      const { serverId } = question;
      const attempt = async (): Promise<boolean> => {
        try {
          const answer = await ask({ signal, postponable: (show) => this.#postponable(show) });
          if (answer === later && !signal.aborted) {
            return false;
          }
          this.#remove(entry);
          if (answer !== later) {
            if (question.takesKeyboard === true || question.holdsUp === true) {
              this.expect(serverId);
            }
            resolve(answer);
          }
        } catch (error) {
          this.#remove(entry);
          reject(error);
        }
        abortion.dispose();
        return true;
      };
      const entry: Entry = { question, attempt, isPutOff: question.isPutOff === true };
      const abortion = onAbort(signal, () => {
        // Its asker is told at once; the turn lasts until the question has disappeared.
        this.#remove(entry);
        reject(abortedError(signal, 'The question'));
        this.#changed.fire();
      });
      this.#entries.push(entry);
      this.#changed.fire();
      this.#next();
    });
  }

  /** Opens a waiting or postponed question when the screen is free. */
  reopen(question: Question): void {
    const entry = this.#entries.find((other) => other.question === question);
    if (entry !== undefined && entry !== this.#current) {
      this.expect(question.serverId);
      entry.isPutOff = false;
      this.#entries.splice(this.#entries.indexOf(entry), 1);
      this.#entries.splice(this.#current === undefined ? 0 : 1, 0, entry);
      this.#changed.fire();
      this.#next();
    }
  }

  /** Postpones the question on the screen, like the user's "Later". False when that is not possible now. */
  postpone(): boolean {
    this.#postponing?.abort();
    return this.#postponing !== undefined;
  }

  /** Shows no question until the hold is disposed: something else needs the screen. */
  hold(): Disposable {
    this.#holds += 1;
    return toDisposable(() => {
      this.#holds -= 1;
      this.#next();
    });
  }

  async #postponable<T>(show: (postponed: AbortSignal) => Promise<T>): Promise<T> {
    const postponing = new AbortController();
    this.#postponing = postponing;
    try {
      return await show(postponing.signal);
    } finally {
      this.#postponing = undefined;
    }
  }

  #next(): void {
    if (this.#current !== undefined || this.#holds > 0) {
      return;
    }
    const entry = this.#entries.find(({ isPutOff }) => !isPutOff);
    if (entry === undefined) {
      return;
    }
    const { question } = entry;
    const mayCome =
      question.takesKeyboard !== true ||
      this.isExpected(question.serverId) ||
      this.#isAwaited(question.serverId, expectingMs);
    if (mayCome) {
      this.#current = entry;
      this.#changed.fire();
      void this.#ask(entry);
    } else {
      entry.isPutOff = true;
      this.#announced.fire(question);
      this.#next();
    }
  }

  async #ask(entry: Entry): Promise<void> {
    entry.isPutOff = !(await entry.attempt());
    this.#current = undefined;
    this.#changed.fire();
    this.#next();
  }

  #remove(entry: Entry): void {
    const index = this.#entries.indexOf(entry);
    if (index >= 0) {
      this.#entries.splice(index, 1);
    }
  }
}
