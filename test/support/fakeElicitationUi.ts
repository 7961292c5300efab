/** An ElicitationUi that a test answers: what is asked waits in `shown` until `answer` is called. */
import assert from 'node:assert/strict';
import type {
  Answer,
  ElicitationUi,
  FormQuestion,
  LinkQuestion,
  Notice,
} from '../../src/host/elicitation/elicitationUi.ts';
import type { Turn } from '../../src/host/questions/questionQueue.ts';
import { waitUntil } from './waitUntil.ts';

export type Shown =
  | { readonly kind: 'form'; readonly question: FormQuestion }
  | { readonly kind: 'link' | 'return'; readonly question: LinkQuestion };

export class FakeElicitationUi implements ElicitationUi {
  readonly notices: Notice[] = [];
  readonly opened: string[] = [];
  /** Everything that came to the screen, oldest first. */
  readonly history: Shown[] = [];
  canOpen = true;
  /** As for a modal, what is shown stays when its signal aborts. */
  isModal = false;
  #shown: { readonly shown: Shown; readonly answer: (answer: Answer) => void } | undefined;

  get shown(): Shown | undefined {
    return this.#shown?.shown;
  }

  fillForm(question: FormQuestion, turn: Turn): Promise<Answer> {
    return this.#show({ kind: 'form', question }, turn);
  }

  confirmLink(question: LinkQuestion, turn: Turn): Promise<Answer> {
    return this.#show({ kind: 'link', question }, turn);
  }

  awaitReturn(question: LinkQuestion, turn: Turn): Promise<Answer> {
    return this.#show({ kind: 'return', question }, turn);
  }

  async openLink(href: string): Promise<boolean> {
    this.opened.push(href);
    return this.canOpen;
  }

  tell(notice: Notice): void {
    this.notices.push(notice);
  }

  /** Waits for something of this kind to be asked. */
  async next<K extends Shown['kind']>(kind: K): Promise<Shown & { readonly kind: K }> {
    await waitUntil(`a question of kind ${kind}`, () => this.shown?.kind === kind);
    const { shown } = this;
    assert.ok(shown !== undefined && isOfKind(shown, kind));
    return shown;
  }

  /** Waits for something of this kind to be asked, and answers it. */
  async reply(kind: Shown['kind'], answer: Answer): Promise<void> {
    await this.next(kind);
    this.answer(answer);
  }

  answer(answer: Answer): void {
    assert.ok(this.#shown, 'nothing is asked');
    this.#shown.answer(answer);
  }

  #show(shown: Shown, { signal }: Turn): Promise<Answer> {
    assert.equal(this.#shown, undefined, 'two questions at once');
    this.history.push(shown);
    return new Promise((resolve) => {
      const answer = (given: Answer): void => {
        this.#shown = undefined;
        resolve(given);
      };
      this.#shown = { shown, answer };
      if (!this.isModal) {
        signal.addEventListener('abort', () => answer('cancel'), { once: true });
      }
    });
  }
}

function isOfKind<K extends Shown['kind']>(
  shown: Shown,
  kind: K,
): shown is Shown & { readonly kind: K } {
  return shown.kind === kind;
}
