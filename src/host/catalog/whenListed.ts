/**
 * Waits for running fetches before a person picks from all servers' items: without this, a person who starts a server
 * and picks at once would see nothing. Fetches nothing.
 */
import { settlesWithin } from '../../base/async.ts';

/** Milliseconds: a slower list is left out, since a click needs an answer. */
const patienceMs = 2_000;

interface Listing {
  readonly catalog: { whenLoaded(): Promise<void> };
}

export async function whenListed(servers: Iterable<Listing>, ms = patienceMs): Promise<void> {
  const loaded = [...servers].map(({ catalog }) => catalog.whenLoaded());
  await settlesWithin(Promise.all(loaded), ms);
}
