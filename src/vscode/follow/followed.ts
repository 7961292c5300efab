/** What the user's setting `mcpHost.follow` leads to. What reads the files is loaded when it names a program. */
import { type Disposable, MutableDisposable } from '../../base/disposable.ts';
import { parseFollow } from '../../host/config/followSetting.ts';
import type { FollowedScopes } from '../../host/import/followedScopes.ts';
import { readFollow } from '../workspace.ts';

/** Files that are followed as long as it is not disposed. */
export interface Following extends Disposable {
  readonly current: FollowedScopes;
}

/** @param onChange called when `current` is another */
export type Follow = (programs: readonly string[], onChange: () => void) => Following;

export class Followed implements Disposable {
  readonly #follow: Follow;
  readonly #onChange: () => void;
  readonly #following = new MutableDisposable<Following>();
  #programs = '';

  constructor(follow: Follow, onChange: () => void) {
    this.#follow = follow;
    this.#onChange = onChange;
  }

  /** Follows what the setting says now, and says what is known of it so far. */
  read(): FollowedScopes {
    const { programs, problems } = parseFollow(readFollow());
    if (programs.join() !== this.#programs) {
      this.#programs = programs.join();
      this.#following.value =
        programs.length === 0 ? undefined : this.#follow(programs, this.#onChange);
    }
    const current = this.#following.value?.current;
    return {
      scopes: current?.scopes ?? [],
      problems: [...problems, ...(current?.problems ?? [])],
    };
  }

  dispose(): void {
    this.#following.dispose();
  }
}
