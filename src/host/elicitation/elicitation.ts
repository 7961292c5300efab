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
import { LinkVisits } from './linkVisits.ts';
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
  readonly #visits: LinkVisits;

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
    this.#visits = new LinkVisits(services);
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
    this.#visits.completed(server, elicitationId);
  }

  /** Ends the waits for elicitations by URL of servers whose session is over. */
  endVisits(isOver: (serverId: ServerId) => boolean): void {
    this.#visits.endAll(isOver);
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
    const question = toLinkQuestion(server, request);
    if (request.elicitationId === undefined) {
      // The server finds out whether the user is done when it gets the request again (ELI-11).
      return { action: await this.#open(server, question, signal) };
    }
    const visit = this.#visits.begin(server, request.elicitationId);
    let action: Decision = 'cancel';
    try {
      action = await this.#open(server, question, signal);
    } finally {
      if (action !== 'accept') {
        this.#visits.forget(visit);
      }
    }
    if (action === 'accept') {
      this.#visits.watchReturn(server, question, visit).catch(onUnexpectedError);
    }
    return { action };
  }

  async #visitFully(
    server: ServerConfig,
    request: ElicitUrlRequest,
    signal: AbortSignal,
  ): Promise<ElicitResult> {
    const question = toLinkQuestion(server, request);
    const visit = this.#visits.begin(server, request.elicitationId ?? request.url);
    try {
      const action = await this.#open(server, question, signal);
      return action === 'accept'
        ? { action: await this.#visits.awaitReturn(server, question, visit, signal) }
        : { action };
    } finally {
      this.#visits.forget(visit);
    }
  }

  async #open(
    server: ServerConfig,
    question: LinkQuestion,
    signal: AbortSignal,
  ): Promise<Decision> {
    const { ui } = this.#services;
    const action = await this.#ask(server, question.message, signal, (turn) =>
      ui.confirmLink(question, turn),
    );
    if (action !== 'accept' || (await ui.openLink(question.link.href))) {
      return action;
    }
    ui.tell({ kind: 'notOpened', asker: question.asker, host: question.link.host });
    return 'cancel';
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
      { server: server.name, serverId: server.id, about: 'elicitation', text, ...how },
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
