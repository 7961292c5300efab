/**
 * The era of revision 2026-07-28: sends `server/discover`, and tells a server of this era
 * from others. connect.ts decides what follows.
 */
import { delay, raceSignal, settlesWithin } from '../../base/async.ts';
import { isHttpError, isMcpError, McpError } from '../errors.ts';
import { type Revision, isRevision, revisions, revisionsNewestFirst } from '../revisions.ts';
import type { Peer } from '../rpc/rpcPeer.ts';
import { type ProbeOutcome, judgeProbe } from './classify.ts';
import { ModernSession } from './modernSession.ts';
import { envelopeFor, withMeta } from './requestMeta.ts';
import { requestHeaders } from './httpHeaders.ts';
import type { Channel, ClientOptions, OpenEra } from '../session/session.ts';

/** Longer silence means "no" on a pipe, and an outage over HTTP. */
const probeMs = { pipe: 15_000, http: 20_000 } as const;
/** Delays before the second and the third try, if the server is unavailable. */
const retryDelaysMs = [250, 1_000] as const;
/** If the server asks for a longer wait, it counts as unavailable instead. */
const maxRetryAfterMs = 10_000;

const modernRevisions = revisionsNewestFirst.filter(
  (revision) => revisions[revision].era === 'modern',
);

export const openModern: OpenEra = async (peer, channel, hello, signal) => {
  const ours = isRevision(hello.protocol) ? [hello.protocol] : modernRevisions;
  let [revision] = ours;
  let corrections = 0;
  let retries = 0;
  let hasAnswered = false;
  const onLate = (outcome: ProbeOutcome): void => {
    if (judgeProbe(outcome, channel, ours).go === 'modern') {
      peer.diagnose('info', 'The server answered "server/discover" after all');
      hasAnswered = true;
      hello.onLateAnswer?.();
    }
  };
  peer.dropRequests();
  for (;;) {
    if (revision === undefined) {
      throw new McpError('unsupported', 'There is no revision to speak in this era');
    }
    const outcome = await ask(peer, channel, hello, revision, signal, onLate);
    const verdict = judgeProbe(outcome, channel, ours);
    switch (verdict.go) {
      case 'modern':
        return { kind: 'open', session: new ModernSession(peer, channel, hello, verdict) };
      case 'again':
        // Once, even if it is the refused revision: a second refusal is final.
        if (corrections++ > 0) {
          throw verdict.because;
        }
        ({ revision } = verdict);
        break;
      case 'retry': {
        const pauseMs = retryDelaysMs[retries++];
        if (pauseMs === undefined) {
          return { kind: 'otherEra', because: verdict.because };
        }
        await delay(Math.max(pauseMs, wishOf(verdict.because, hello)), signal);
        break;
      }
      case 'otherEra':
        return {
          kind: 'otherEra',
          because: verdict.because,
          ...(outcome.kind === 'silent' && { hasAnswered: () => hasAnswered }),
        };
      case 'fail':
        throw verdict.error;
    }
  }
};

/**
 * How long the server asks us to wait.
 * @throws the error, if too little of the time for opening is left after it: the caller may try again later
 */
function wishOf(error: McpError, { openMs }: ClientOptions): number {
  const wishedMs = isHttpError(error) ? (error.retryAfterMs ?? 0) : 0;
  if (wishedMs > Math.min(maxRetryAfterMs, openMs / 4)) {
    throw error;
  }
  return wishedMs;
}

async function ask(
  peer: Peer,
  { wire }: Channel,
  hello: ClientOptions,
  revision: Revision,
  signal: AbortSignal,
  onLate: (outcome: ProbeOutcome) => void,
): Promise<ProbeOutcome> {
  // Half of a short opening limit is left for the other era.
  const limitMs = hello.probeMs ?? Math.min(probeMs[wire], hello.openMs / 2);
  const params = withMeta({}, envelopeFor(hello, revision));
  const answer = peer.request('server/discover', params, {
    isProbe: true,
    // A late answer still counts, and a cancellation would confuse legacy servers.
    idleMs: wire === 'pipe' ? Infinity : limitMs,
    totalMs: Infinity, // the opening as a whole has a limit, which pauses while the user signs in
    isCancellable: wire !== 'pipe',
    ...(wire === 'http' && { headers: requestHeaders('server/discover', params) }),
  });
  const outcome = answer.then(
    (value): ProbeOutcome => ({ kind: 'result', value }),
    (error: unknown): ProbeOutcome => {
      if (!isMcpError(error)) {
        throw error;
      }
      return { kind: 'error', error };
    },
  );
  if (wire === 'http' || (await raceSignal(settlesWithin(outcome, limitMs), signal))) {
    return raceSignal(outcome, signal);
  }
  void outcome.then(onLate);
  return { kind: 'silent' };
}
