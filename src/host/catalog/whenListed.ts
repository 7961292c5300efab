/**
 * Waits for lists that are being fetched, before a person picks from what all servers offer: who starts
 * a server and picks at once is not to be told that there is nothing. Fetches nothing.
 */
import { settlesWithin } from '../../base/async.ts';

/** Milliseconds: a list that takes longer is left out, since a click wants an answer. */
const patienceMs = 2_000;

interface Listing {
  readonly catalog: { whenLoaded(): Promise<void> };
}

export async function whenListed(servers: Iterable<Listing>, ms = patienceMs): Promise<void> {
  const loaded = [...servers].map(({ catalog }) => catalog.whenLoaded());
  await settlesWithin(Promise.all(loaded), ms);
}
