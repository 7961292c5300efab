/**
 * The pages that servers have sent the user to, until it is known that the user is done there, or that no notification
 * can come. Whether a page is opened was decided before.
 */
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';
import type { Clock } from '../../base/clock.ts';
import type { Decision, ElicitationUi, LinkQuestion } from './elicitationUi.ts';
import { later, type Question, type QuestionQueue } from '../questions/questionQueue.ts';

/** Milliseconds that an opened page counts as being visited without a notification that it is done. */
const returnLimitMs = 15 * 60_000;

/** A URL elicitation from its request until its end is known. */
export interface Visit {
  readonly key: string;
  readonly serverId: ServerId;
  /** Aborts when the server reports that the elicitation is done. */
  readonly done: AbortController;
  /** Aborts when the server is gone and can report nothing. */
  readonly gone: AbortController;
}

interface VisitServices {
  readonly questions: QuestionQueue;
  readonly ui: Pick<ElicitationUi, 'awaitReturn' | 'tell'>;
  readonly clock: Clock;
}

export class LinkVisits {
  readonly #services: VisitServices;
  /** By server and elicitation id. */
  readonly #visits = new Map<string, Visit>();

  constructor(services: VisitServices) {
    this.#services = services;
  }

  begin(server: ServerConfig, elicitationId: string): Visit {
    const visit = {
      key: visitKey(server, elicitationId),
      serverId: server.id,
      done: new AbortController(),
      gone: new AbortController(),
    };
    this.#visits.set(visit.key, visit);
    return visit;
  }

  end(visit: Visit): void {
    if (this.#visits.get(visit.key) === visit) {
      this.#visits.delete(visit.key);
    }
  }

  /** The server reports that the elicitation is done. */
  completed(server: ServerConfig, elicitationId: string): void {
    this.#visits.get(visitKey(server, elicitationId))?.done.abort();
  }

  /** Ends the visits of servers that are gone. */
  endAll(isOver: (serverId: ServerId) => boolean): void {
    for (const { serverId, gone } of this.#visits.values()) {
      if (isOver(serverId)) {
        gone.abort();
      }
    }
  }

  /** Nobody has to answer this: it waits among the questions, and disappears after a while. */
  async watchReturn(server: ServerConfig, question: LinkQuestion, visit: Visit): Promise<void> {
    const expiry = new AbortController();
    const timer = this.#services.clock.after(returnLimitMs, () => expiry.abort());
    try {
      await this.awaitReturn(server, question, visit, expiry.signal, { isPutOff: true });
    } catch (error) {
      if (!expiry.signal.aborted) {
        throw error;
      }
    } finally {
      timer.dispose();
      this.end(visit);
    }
  }

  /** Ends with the server's notification, with "Done", or when the user cancels (ELIC-28). */
  async awaitReturn(
    server: ServerConfig,
    question: LinkQuestion,
    { done, gone }: Visit,
    signal: AbortSignal,
    how: Pick<Question, 'takesKeyboard' | 'isPutOff'> = { takesKeyboard: true },
  ): Promise<Decision> {
    const { questions, ui } = this.#services;
    const any = AbortSignal.any([done.signal, gone.signal, signal]);
    const { name, id: serverId } = server;
    let isShown = false;
    try {
      return await questions.run<Decision>(
        { server: name, serverId, about: 'elicitation', text: question.message, ...how },
        async (turn) => {
          isShown = true;
          const answer = await ui.awaitReturn(question, turn);
          isShown = answer !== 'later' || any.aborted;
          return answer === 'later' ? later : answer;
        },
        any,
      );
    } catch (error) {
      const { asker, link } = question;
      if (done.signal.aborted) {
        ui.tell({ kind: 'completed', asker, host: link.host });
        return 'accept';
      }
      if (gone.signal.aborted) {
        if (isShown) {
          ui.tell({ kind: 'gone', asker, host: link.host });
        }
        return 'cancel';
      }
      throw error;
    }
  }
}

/** Unique even if two servers use the same id. */
function visitKey(server: ServerConfig, elicitationId: string): string {
  return JSON.stringify([server.id, elicitationId]);
}
