/**
 * The definition of each served server for the editor, with unique labels. When a definition changes, the editor ends
 * its session with the server, including its calls, so definitions change only when necessary: the bridge keeps a
 * version while a client is connected.
 */
import type { ServerId } from '../config/serverConfig.ts';

/** How a client reaches one server. Valid until the bridge closes; port, path and token change with each run. */
export interface BridgeEndpoint {
  readonly server: ServerId;
  /** The server's configured name. */
  readonly label: string;
  /** `http://127.0.0.1:<port>/<path that cannot be guessed>` */
  readonly url: string;
  /** `Authorization: Bearer <token>`. A secret: only for the editor, never logged, never kept. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Changes when the server's entry, its description or one of its lists changes. It stays while a client is connected:
   * VS Code would end the connection, and hears of changes by notification.
   */
  readonly version: string;
  /** The server's lists are known, so a client that connects does not start it. */
  readonly isKnown: boolean;
  /** A client is connected to it. */
  readonly isInUse: boolean;
}

export type Definition = Omit<BridgeEndpoint, 'isInUse' | 'isKnown'>;

export class Definitions {
  #told: readonly Definition[] = [];

  get told(): readonly Definition[] {
    return this.#told;
  }

  /** @returns whether the editor must be notified */
  update(served: readonly BridgeEndpoint[]): boolean {
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
function uniqueLabels(served: readonly BridgeEndpoint[]): readonly string[] {
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
