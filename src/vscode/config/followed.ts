/**
 * The scopes that the user's setting `mcpHost.follow` adds. The code that reads and watches the files
 * (followedFiles.ts) is loaded when the setting names a program; followedScopes.ts makes scopes of the files, and
 * configSource.ts parses them beside the settings.
 */
import { type Disposable, MutableDisposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { parseFollow } from '../../host/config/followSetting.ts';
import type { FollowedScopes } from '../../host/import/followedScopes.ts';
import { readFollow } from './workspace.ts';

/** Follows files until it is disposed. */
export interface Following extends Disposable {
  readonly current: FollowedScopes;
}

/** @param onChange called when `current` changes */
export type Follow = (programs: readonly string[], onChange: () => void) => Following;

export class Followed implements Disposable {
  readonly #follow: Follow;
  readonly #onChange: () => void;
  readonly #following = new MutableDisposable<Following>();
  readonly #log: Log;
  readonly #toldNotes = new Set<string>();
  #programs = '';

  /** @param log gets each note on omitted parts of servers once */
  constructor(follow: Follow, log: Log, onChange: () => void) {
    this.#follow = follow;
    this.#log = log;
    this.#onChange = onChange;
  }

  /** Follows the programs that the setting names now, and returns what is known so far. */
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
