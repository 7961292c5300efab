/** What the start of a server needs from the user: an open question of ours, or a sign-in. */
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Question, QuestionQueue } from '../questions/questionQueue.ts';
import type { ServerId } from '../config/serverConfig.ts';
import type { SignIns } from '../signIn/signIns.ts';
import type { WaitsFor } from './connectionState.ts';

export class UserWaits implements Disposable {
  readonly #questions: Pick<QuestionQueue, 'open' | 'onDidChange'>;
  readonly #signIns: Pick<SignIns, 'isWaiting' | 'onDidChange'>;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;

  constructor(
    questions: Pick<QuestionQueue, 'open' | 'onDidChange'>,
    signIns: Pick<SignIns, 'isWaiting' | 'onDidChange'>,
  ) {
    this.#questions = questions;
    this.#signIns = signIns;
    this.#store.add(questions.onDidChange(() => this.#changed.fire()));
    this.#store.add(signIns.onDidChange(() => this.#changed.fire()));
  }

  of(id: ServerId): WaitsFor | undefined {
    if (this.#signIns.isWaiting(id)) {
      return 'signIn';
    }
    return this.#questions.open
      .filter(({ serverId, holdsUp }) => serverId === id && holdsUp === true)
      .map(({ about }) => waits[about])
      .find((wait) => wait !== undefined);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

const waits: Readonly<Partial<Record<Question['about'], WaitsFor>>> = {
  start: 'consent',
  input: 'input',
  signIn: 'signIn',
};
