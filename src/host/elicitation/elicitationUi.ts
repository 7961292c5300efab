/** What elicitation needs from an editor: to ask, and to tell what became of a question. */
import type { Asker } from '../questions/asker.ts';
import type { FormDraft } from '../forms/formDraft.ts';
import type { Link } from './describeLink.ts';
import type { Turn } from '../questions/questionQueue.ts';

export interface FormQuestion {
  readonly asker: Asker;
  /** The server's own words. */
  readonly message: string;
  /** Holds the answers and where the user is; is kept while the question is put off. */
  readonly draft: FormDraft;
}

export interface LinkQuestion {
  readonly asker: Asker;
  readonly message: string;
  readonly link: Link & { readonly kind: 'usable' };
}

/** `cancel` when the user closed it without an answer; `later` puts the question off. */
export type Answer = 'accept' | 'decline' | 'cancel' | 'later';
export type Decision = Exclude<Answer, 'later'>;

export type Notice =
  /** The question went from the screen, or its answer counted for nothing: the server gave up on it. */
  | { readonly kind: 'withdrawn'; readonly asker: Asker }
  | { readonly kind: 'tooMany'; readonly perMinute: number; readonly asker: Asker }
  | { readonly kind: 'tooManyOpen'; readonly open: number; readonly asker: Asker }
  | { readonly kind: 'completed'; readonly asker: Asker; readonly host: string }
  /** The server's connection ended while the user was on the page. */
  | { readonly kind: 'gone'; readonly asker: Asker; readonly host: string }
  | { readonly kind: 'notOpened'; readonly asker: Asker; readonly host: string };

export interface ElicitationUi {
  /**
   * Lets the user fill in the form; `accept` only when the draft is complete. Is off the screen as soon
   * as the turn's signal aborts, and resolves then, with whatever.
   */
  fillForm(question: FormQuestion, turn: Turn): Promise<Answer>;
  /** Asks before a link is opened. A modal may outlast the signal; its answer counts for nothing then. */
  confirmLink(question: LinkQuestion, turn: Turn): Promise<Answer>;
  /** Opens the link outside of the editor. False when that failed. */
  openLink(href: string): Promise<boolean>;
  /** Waits for the user to be done in the browser: `accept` for "Done". Goes when the turn's signal aborts. */
  awaitReturn(question: LinkQuestion, turn: Turn): Promise<Answer>;
  tell(notice: Notice): void;
}
