/** What elicitation needs from an editor: questions, and notices about their outcome. */
import type { Asker } from '../questions/asker.ts';
import type { FormDraft } from '../forms/formDraft.ts';
import type { Link } from './describeLink.ts';
import type { Turn } from '../questions/questionQueue.ts';
import type { LimitNotice } from '../questions/requestLimit.ts';

export interface FormQuestion {
  readonly asker: Asker;
  /** The server's own words. */
  readonly message: string;
  /** Holds the answers and the user's position; is kept while the question is postponed. */
  readonly draft: FormDraft;
}

export interface LinkQuestion {
  readonly asker: Asker;
  readonly message: string;
  readonly link: Link & { readonly kind: 'usable' };
}

/** `cancel` when the user closed it without an answer; `later` postpones the question. */
export type Answer = 'accept' | 'decline' | 'cancel' | 'later';
export type Decision = Exclude<Answer, 'later'>;

export type Notice =
  /** The question was removed from the screen, or its answer ignored: the server had cancelled it. */
  | { readonly kind: 'withdrawn'; readonly asker: Asker }
  | (LimitNotice & { readonly asker: Asker })
  | { readonly kind: 'completed'; readonly asker: Asker; readonly host: string }
  /** The server's connection ended while the user was on the page. */
  | { readonly kind: 'gone'; readonly asker: Asker; readonly host: string }
  | { readonly kind: 'notOpened'; readonly asker: Asker; readonly host: string };

export interface ElicitationUi {
  /**
   * Lets the user fill in the form; `accept` only when the draft is complete. Disappears as soon as the turn's signal
   * aborts, and then resolves with any answer.
   */
  fillForm(question: FormQuestion, turn: Turn): Promise<Answer>;
  /** Asks before a link is opened. A modal may outlast the signal; its answer is then ignored. */
  confirmLink(question: LinkQuestion, turn: Turn): Promise<Answer>;
  /** Opens the link outside of the editor. False when that failed. */
  openLink(href: string): Promise<boolean>;
  /** Waits until the user is done in the browser: `accept` for "Done". Disappears when the turn's signal aborts. */
  awaitReturn(question: LinkQuestion, turn: Turn): Promise<Answer>;
  tell(notice: Notice): void;
}
