/**
 * The definition of each served server for the editor, with unique labels. When a definition changes, the editor ends
 * its session with the server, including its calls, so definitions change only when necessary: the bridge keeps a
 * version while a client is connected.
 */
import type { ServerId } from '../config/serverConfig.ts';

/** How a client reaches one server (bridge/bridge.ts). */
export interface ServedServer {
  readonly server: ServerId;
  readonly label: string;
  readonly url: string;
  /** Secret: only for the editor. */
  readonly headers: Readonly<Record<string, string>>;
  readonly version: string;
  /** Its lists are known, so that a client that connects starts nothing. */
  readonly isKnown: boolean;
  /** A client is connected. */
  readonly isInUse: boolean;
}

export type Definition = Omit<ServedServer, 'isInUse' | 'isKnown'>;

export class Definitions {
  #told: readonly Definition[] = [];

  get told(): readonly Definition[] {
    return this.#told;
  }

  /** @returns whether the editor must be notified */
  update(served: readonly ServedServer[]): boolean {
    const before = JSON.stringify(this.#told);
    const labels = uniqueLabels(served);
    this.#told = served.map(({ server, label, url, headers, version }, index) => ({
      server,
      label: labels[index] ?? label,
      url,
      headers,
      version,
    }));
    return before !== JSON.stringify(this.#told);
  }
}

/** The editor derives a definition's id from its label, and two folders may have servers of the same name. */
function uniqueLabels(served: readonly ServedServer[]): readonly string[] {
  const taken = new Set<string>();
  return served.map(({ label }) => {
    let unique = label;
    for (let number = 2; taken.has(unique.toLowerCase()); number += 1) {
      unique = `${label} ${number}`;
    }
    taken.add(unique.toLowerCase());
    return unique;
  });
}
