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

/** Why a visit ends: the server says that it is done, or can say nothing any more, or nothing came for too long. */
type VisitEnd = 'done' | 'gone' | 'expired';

/** A URL elicitation from its request until its end is known. */
export interface Visit {
  readonly key: string;
  readonly serverId: ServerId;
  readonly signal: AbortSignal;
  /** What ended it. */
  how?: VisitEnd;
  readonly end: (how: VisitEnd) => void;
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
    const controller = new AbortController();
    const visit: Visit = {
      key: visitKey(server, elicitationId),
      serverId: server.id,
      signal: controller.signal,
      end: (how) => {
        visit.how ??= how;
        controller.abort();
      },
    };
    this.#visits.set(visit.key, visit);
    return visit;
  }

  forget(visit: Visit): void {
    if (this.#visits.get(visit.key) === visit) {
      this.#visits.delete(visit.key);
    }
  }

  /** The server reports that the elicitation is done. */
  completed(server: ServerConfig, elicitationId: string): void {
    this.#visits.get(visitKey(server, elicitationId))?.end('done');
  }

  /** Ends the visits of servers that are gone. */
  endAll(isOver: (serverId: ServerId) => boolean): void {
    for (const visit of this.#visits.values()) {
      if (isOver(visit.serverId)) {
        visit.end('gone');
      }
    }
  }

  /** Nobody has to answer this: it waits among the questions, and disappears after a while. */
  async watchReturn(server: ServerConfig, question: LinkQuestion, visit: Visit): Promise<void> {
    const timer = this.#services.clock.after(returnLimitMs, () => visit.end('expired'));
    try {
      await this.awaitReturn(server, question, visit, visit.signal, { isPutOff: true });
    } finally {
      timer.dispose();
      this.forget(visit);
    }
  }

  /** Ends with the server's notification, with "Done", or when the user cancels (ELIC-28). */
  async awaitReturn(
    { name, id: serverId }: ServerConfig,
    question: LinkQuestion,
    visit: Visit,
    signal: AbortSignal,
    how: Pick<Question, 'takesKeyboard' | 'isPutOff'> = { takesKeyboard: true },
  ): Promise<Decision> {
    const { questions, ui } = this.#services;
    const { asker, link, message: text } = question;
    let isShown = false;
    try {
      return await questions.run<Decision>(
        { server: name, serverId, about: 'elicitation', text, ...how },
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
      if (visit.how === 'done') {
        ui.tell({ kind: 'completed', asker, host: link.host });
        return 'accept';
      }
      if (visit.how === 'gone' && isShown) {
        ui.tell({ kind: 'gone', asker, host: link.host });
      }
      return 'cancel';
    }
  }
}

/** Unique even if two servers use the same id. */
function visitKey(server: ServerConfig, elicitationId: string): string {
  return JSON.stringify([server.id, elicitationId]);
}
