/**
 * Elicitation, for both eras: a server's question in form or URL mode becomes one question to the user, when its turn
 * comes, and one answer to the server. The UI is an interface.
 */
import type { SchemaChecker } from '../schemas/schemaChecker.ts';
import { onUnexpectedError } from '../../base/event.ts';
import { McpError, RpcError, rpcCodes } from '../../mcp/errors.ts';
import type { AskContext } from '../../mcp/session/session.ts';
import type {
  ElicitFormRequest,
  ElicitRequest,
  ElicitResult,
  ElicitUrlRequest,
} from '../../mcp/types/clientFeatures.ts';
import { type Audit, audited, sizeOf } from '../audit/audit.ts';
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';
import type { Clock } from '../../base/clock.ts';
import { describeLink } from './describeLink.ts';
import type { Answer, Decision, ElicitationUi, LinkQuestion } from './elicitationUi.ts';
import { FormDraft } from '../forms/formDraft.ts';
import { readForm } from '../forms/readForm.ts';
import { askerOf } from '../questions/asker.ts';
import { type Question, type QuestionQueue, type Turn, later } from '../questions/questionQueue.ts';
import { type LimitNotice, RequestLimit } from '../questions/requestLimit.ts';

/** Questions of one server per minute (ELIC-07, HOST-08); the default of its entry. */
export const maxPerMinute = 20;
/** Unanswered questions of one server at the same time. */
const maxUnanswered = 5;

export interface ElicitationServices {
  readonly questions: QuestionQueue;
  readonly ui: ElicitationUi;
  /** Called on each question, so that ajv is not loaded before the first. */
  readonly checker: () => SchemaChecker;
  readonly clock: Clock;
  readonly audit: Audit;
}

export class Elicitation {
  readonly #services: ElicitationServices;
  readonly #limit: RequestLimit;
  /** Pages that the user was sent to, by server and elicitation id, until it is known that the user is done there. */
  readonly #visits = new Map<string, Visit>();

  constructor(services: ElicitationServices) {
    this.#services = services;
    this.#limit = new RequestLimit(
      {
        what: 'elicitations',
        maxOpen: maxUnanswered,
        perMinute: maxPerMinute,
        setting: 'elicitationsPerMinute',
      },
      services.clock,
    );
  }

  /**
   * @throws RpcError for the server: -32602 for a question that cannot be asked, -32603 for too many questions;
   * McpError `cancelled` when the context's signal aborts
   */
  async elicit(
    server: ServerConfig,
    request: ElicitRequest,
    context: AskContext,
  ): Promise<ElicitResult> {
    return this.#recorded(server, request, () =>
      request.mode === 'form'
        ? this.#fillForm(server, request, context)
        : this.#visit(server, request, context.signal),
    );
  }

  /** The server reports that an elicitation by URL is done. Unknown ids are ignored (ELIC-27). */
  completed(server: ServerConfig, elicitationId: string): void {
    this.#visits.get(visitKey(server, elicitationId))?.end('done');
  }

  /** Ends the waits for elicitations by URL of servers whose session is over. */
  endVisits(isOver: (serverId: ServerId) => boolean): void {
    for (const visit of this.#visits.values()) {
      if (isOver(visit.server.id)) {
        visit.end('gone');
      }
    }
  }

  /**
   * Runs the elicitations that error -32042 requires, one after the other (ELIC-29).
   * @returns whether the user did all of them, so that the request may be sent again
   * @throws McpError `cancelled`; RpcError as {@link elicit}
   */
  async visitAll(
    server: ServerConfig,
    requests: readonly ElicitUrlRequest[],
    signal: AbortSignal,
  ): Promise<boolean> {
    for (const request of requests) {
      const visit = (): Promise<ElicitResult> => this.#visitFully(server, request, signal);
      if ((await this.#recorded(server, request, visit)).action !== 'accept') {
        return false;
      }
    }
    return true;
  }

  /** Within the limits of the server. Of the content of a form, only the size is recorded. */
  async #recorded(
    server: ServerConfig,
    request: ElicitRequest,
    ask: () => Promise<ElicitResult>,
  ): Promise<ElicitResult> {
    const { audit, ui } = this.#services;
    const { mode } = request;
    const isLink = mode === 'url' && URL.canParse(request.url);
    const subject = { event: 'elicitation', caller: 'server', mode } as const;
    const where = isLink ? { host: new URL(request.url).host } : {};
    const refused = (message: string, notice: LimitNotice | undefined): RpcError => {
      if (notice !== undefined) {
        ui.tell({ ...notice, asker: askerOf(server) });
      }
      return new RpcError(rpcCodes.internalError, message);
    };
    return audited(audit, server, { ...subject, ...where }, async (note) => {
      const result = await this.#limit.run(server, refused, ask);
      note({ outcome: outcomes[result.action], by: 'hand' });
      if ('content' in result) {
        note({ resultSize: sizeOf(result.content) });
      }
      return result;
    });
  }

  async #fillForm(
    server: ServerConfig,
    { message, requestedSchema }: ElicitFormRequest,
    { revision, signal }: AskContext,
  ): Promise<ElicitResult> {
    const checker = this.#services.checker();
    const draft = new FormDraft(await readForm(requestedSchema, revision, checker), checker);
    const question = { asker: askerOf(server), message, draft };
    const action = await this.#ask(
      server,
      message,
      signal,
      (turn) => this.#services.ui.fillForm(question, turn),
      { takesKeyboard: true },
    );
    if (action !== 'accept') {
      return { action };
    }
    const review = await draft.review();
    if (review.kind === 'incomplete') {
      throw new McpError('invalidInput', 'The answers do not fit the form');
    }
    return { action, content: review.content };
  }

  /** The consent is the answer (ELIC-26); the server does not wait here for the user's return. */
  async #visit(
    server: ServerConfig,
    request: ElicitUrlRequest,
    signal: AbortSignal,
  ): Promise<ElicitResult> {
    const visit = this.#begin(server, request);
    const action = await this.#open(visit, signal);
    if (request.elicitationId === undefined) {
      // The server finds out whether the user is done when it gets the request again (ELI-11).
      this.#forget(visit);
    } else if (action === 'accept') {
      // Nobody has to answer this: it waits among the questions, and disappears after a while.
      const timer = this.#services.clock.after(returnLimitMs, () => visit.end('expired'));
      this.#awaitReturn(visit, visit.signal, { isPutOff: true })
        .finally(() => timer.dispose())
        .catch(onUnexpectedError);
    }
    return { action };
  }

  async #visitFully(
    server: ServerConfig,
    request: ElicitUrlRequest,
    signal: AbortSignal,
  ): Promise<ElicitResult> {
    const visit = this.#begin(server, request);
    const action = await this.#open(visit, signal);
    return { action: action === 'accept' ? await this.#awaitReturn(visit, signal) : action };
  }

  /** @throws RpcError -32602 for a URL that must not reach a browser */
  #begin(server: ServerConfig, request: ElicitUrlRequest): Visit {
    const question = toLinkQuestion(server, request);
    const controller = new AbortController();
    const visit: Visit = {
      server,
      question,
      key: visitKey(server, request.elicitationId ?? request.url),
      signal: controller.signal,
      end: (how) => {
        visit.how ??= how;
        controller.abort();
      },
    };
    this.#visits.set(visit.key, visit);
    return visit;
  }

  #forget(visit: Visit): void {
    if (this.#visits.get(visit.key) === visit) {
      this.#visits.delete(visit.key);
    }
  }

  /** The visit is over unless this resolves to `accept`. */
  async #open(visit: Visit, signal: AbortSignal): Promise<Decision> {
    const { ui } = this.#services;
    const { server, question } = visit;
    let action: Decision = 'cancel';
    try {
      action = await this.#ask(server, question.message, signal, (turn) =>
        ui.confirmLink(question, turn),
      );
      if (action === 'accept' && !(await ui.openLink(question.link.href))) {
        action = 'cancel';
        ui.tell({ kind: 'notOpened', asker: question.asker, host: question.link.host });
      }
      return action;
    } finally {
      if (action !== 'accept') {
        this.#forget(visit);
      }
    }
  }

  /** Ends with the server's notification, with "Done", or when the user cancels (ELIC-28). The visit is over then. */
  async #awaitReturn(
    visit: Visit,
    signal: AbortSignal,
    how: Pick<Question, 'takesKeyboard' | 'isPutOff'> = { takesKeyboard: true },
  ): Promise<Decision> {
    const { questions, ui } = this.#services;
    const { question } = visit;
    const { asker, link } = question;
    let isShown = false;
    try {
      return await questions.run<Decision>(
        { ...about(visit.server, question.message), ...how },
        async (turn) => {
          isShown = true;
          const answer = await ui.awaitReturn(question, turn);
          isShown = answer !== 'later' || turn.signal.aborted;
          return answer === 'later' ? later : answer;
        },
        AbortSignal.any([visit.signal, signal]),
      );
    } catch (error) {
      if (visit.how === undefined) {
        throw error;
      }
      if (visit.how === 'done' || (visit.how === 'gone' && isShown)) {
        const kind = visit.how === 'done' ? 'completed' : 'gone';
        ui.tell({ kind, asker, host: link.host });
      }
      return visit.how === 'done' ? 'accept' : 'cancel';
    } finally {
      this.#forget(visit);
    }
  }

  /** Puts one question into the queue; tells the user when it is withdrawn while it is shown. */
  #ask(
    server: ServerConfig,
    text: string,
    signal: AbortSignal,
    show: (turn: Turn) => Promise<Answer>,
    how: Pick<Question, 'takesKeyboard'> = {},
  ): Promise<Decision> {
    return this.#services.questions.run<Decision>(
      { ...about(server, text), ...how },
      async (turn) => {
        const answer = await show(turn);
        if (turn.signal.aborted) {
          this.#services.ui.tell({ kind: 'withdrawn', asker: askerOf(server) });
        }
        return answer === 'later' ? later : answer;
      },
      signal,
    );
  }
}

function about({ name, id }: ServerConfig, text: string): Question {
  return { server: name, serverId: id, about: 'elicitation', text };
}

/** @throws RpcError -32602 for a URL that must not reach a browser */
function toLinkQuestion(server: ServerConfig, { url, message }: ElicitUrlRequest): LinkQuestion {
  const link = describeLink(url);
  if (link.kind === 'unusable') {
    throw new RpcError(
      rpcCodes.invalidParams,
      `Invalid params: a URL of scheme "${link.scheme}" is not opened; use https`,
    );
  }
  return { asker: askerOf(server), message, link };
}

const outcomes = { accept: 'allowed', decline: 'declined', cancel: 'dismissed' } as const;

/** Milliseconds that an opened page counts as being visited without a notification that it is done. */
const returnLimitMs = 15 * 60_000;

/** Why a visit ends: the server says that it is done, or can say nothing any more, or nothing came for too long. */
type VisitEnd = 'done' | 'gone' | 'expired';

/** A URL elicitation from its request until its end is known. */
interface Visit {
  readonly server: ServerConfig;
  readonly question: LinkQuestion;
  readonly key: string;
  readonly signal: AbortSignal;
  /** What ended it. */
  how?: VisitEnd;
  readonly end: (how: VisitEnd) => void;
}

/** Unique even if two servers use the same id. */
function visitKey(server: ServerConfig, elicitationId: string): string {
  return JSON.stringify([server.id, elicitationId]);
}
