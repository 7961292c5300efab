/**
 * What the user's setting `mcpHost.follow` leads to. What reads and watches the files (followedFiles.ts) is loaded when
 * it names a program; followedScopes.ts makes scopes of them, which configSource.ts parses beside the settings.
 */
import { type Disposable, MutableDisposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { parseFollow } from '../../host/config/followSetting.ts';
import type { FollowedScopes } from '../../host/import/followedScopes.ts';
import { readFollow } from './workspace.ts';

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
  readonly #log: Log;
  readonly #toldNotes = new Set<string>();
  #programs = '';

  /** @param log gets once what is left out of servers */
  constructor(follow: Follow, log: Log, onChange: () => void) {
    this.#follow = follow;
    this.#log = log;
    this.#onChange = onChange;
  }

  /** Follows what the setting says now, and says what is known of it so far. */
  read(): Pick<FollowedScopes, 'scopes' | 'problems'> {
    const { programs, problems } = parseFollow(readFollow());
    if (programs.join() !== this.#programs) {
      this.#programs = programs.join();
      this.#following.value =
        programs.length === 0 ? undefined : this.#follow(programs, this.#onChange);
    }
    const current = this.#following.value?.current;
    for (const note of current?.notes.filter((text) => !this.#toldNotes.has(text)) ?? []) {
      this.#toldNotes.add(note);
      this.#log.info(note);
    }
    return {
      scopes: current?.scopes ?? [],
      problems: [...problems, ...(current?.problems ?? [])],
    };
  }

  dispose(): void {
    this.#following.dispose();
  }
}
