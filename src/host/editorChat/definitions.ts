/**
 * What the editor is told of each served server, under labels that tell them apart. A definition that
 * changes makes the editor end its conversation with the server, calls included, so nothing here is new
 * unless something is: the bridge keeps a version for as long as a client is connected.
 */
import type { ServerId } from '../config/serverConfig.ts';

/** How a client reaches one server (bridge/bridge.ts). */
export interface ServedServer {
  readonly server: ServerId;
  readonly label: string;
  readonly url: string;
  /** Secret: goes to the editor and nowhere else. */
  readonly headers: Readonly<Record<string, string>>;
  readonly version: string;
  /** What it offers is known, so that a client that comes starts nothing. */
  readonly isKnown: boolean;
  /** A client talks to it. */
  readonly isInUse: boolean;
}

export type Definition = Omit<ServedServer, 'isInUse' | 'isKnown'>;

export class Definitions {
  #told: readonly Definition[] = [];

  get told(): readonly Definition[] {
    return this.#told;
  }

  /** @returns whether the editor has to be told anew */
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

/** The editor's id of a definition is made of its label: two folders may each have a server of one name. */
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
