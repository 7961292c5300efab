/**
 * The era of revision 2026-07-28: sends `server/discover`, and tells a server of this era
 * from others. connect.ts decides what follows.
 */
import { delay, raceSignal, settlesWithin } from '../../base/async.ts';
import { isHttpError, isMcpError, McpError } from '../errors.ts';
import { type Revision, isRevision, revisions, revisionsNewestFirst } from '../revisions.ts';
import type { Peer } from '../rpc/rpcPeer.ts';
import { type ProbeOutcome, type Verdict, judgeProbe } from './classify.ts';
import { openModernSession } from './modernSession.ts';
import { envelopeFor, withMeta } from './requestMeta.ts';
import { requestHeaders } from './httpHeaders.ts';
import type { Channel, ClientOptions, LateAnswer, OpenEra, Opening } from '../session/session.ts';

/** Longer silence means "no" on a pipe, and an outage over HTTP. */
const probeMs = { pipe: 15_000, http: 20_000 } as const;
/** Delays before the second and the third try, if the server is unavailable. */
const retryDelaysMs = [250, 1_000] as const;
/** If the server asks for a longer wait, it counts as unavailable instead. */
const maxRetryAfterMs = 10_000;

const modernRevisions = revisionsNewestFirst.filter(
  (revision) => revisions[revision].era === 'modern',
);

export const openModern: OpenEra = (peer, channel, hello, signal) =>
  new Probe(peer, channel, hello, signal).run();

class Probe {
  readonly #peer: Peer;
  readonly #channel: Channel;
  readonly #hello: ClientOptions;
  readonly #signal: AbortSignal;
  readonly #ours: readonly Revision[];
  #corrections = 0;
  #retries = 0;

  constructor(peer: Peer, channel: Channel, hello: ClientOptions, signal: AbortSignal) {
    this.#peer = peer;
    this.#channel = channel;
    this.#hello = hello;
    this.#signal = signal;
    this.#ours = isRevision(hello.protocol) ? [hello.protocol] : modernRevisions;
  }

  async run(): Promise<Opening> {
    this.#peer.dropRequests();
    let [revision] = this.#ours;
    for (;;) {
      if (revision === undefined) {
        throw new McpError('unsupported', 'There is no revision to speak in this era');
      }
      const late: LateAnswer = {};
      const outcome = await this.#ask(revision, late);
      const verdict = judgeProbe(outcome, this.#channel, this.#ours);
      switch (verdict.go) {
        case 'modern':
          return { kind: 'open', session: this.#open(verdict) };
        case 'again':
          // Once, even if it is the refused revision: a second refusal is final.
          if (this.#corrections++ > 0) {
            throw verdict.because;
          }
          ({ revision } = verdict);
          break;
        case 'retry': {
          const pauseMs = retryDelaysMs[this.#retries++];
          if (pauseMs === undefined) {
            return { kind: 'otherEra', because: verdict.because };
          }
          await delay(Math.max(pauseMs, this.#wishOf(verdict.because)), this.#signal);
          break;
        }
        case 'otherEra':
          return {
            kind: 'otherEra',
            because: verdict.because,
            ...(outcome.kind === 'silent' && { late }),
          };
        case 'fail':
          throw verdict.error;
      }
    }
  }

  /**
   * How long the server asks us to wait.
   * @throws the error, if too little of the time for opening is left after it: the caller may try again later
   */
  #wishOf(error: McpError): number {
    const wishedMs = isHttpError(error) ? (error.retryAfterMs ?? 0) : 0;
    if (wishedMs > Math.min(maxRetryAfterMs, this.#hello.openMs / 4)) {
      throw error;
    }
    return wishedMs;
  }

  #open({ revision, result }: Extract<Verdict, { go: 'modern' }>) {
    return openModernSession(this.#peer, this.#channel, this.#hello, { revision, result });
  }

  async #ask(revision: Revision, late: LateAnswer): Promise<ProbeOutcome> {
    const { wire } = this.#channel;
    // Half of a short opening limit is left for the other era.
    const limitMs = this.#hello.probeMs ?? Math.min(probeMs[wire], this.#hello.openMs / 2);
    const params = withMeta({}, envelopeFor(this.#hello, revision));
    const answer = this.#peer.request('server/discover', params, {
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
    if (wire === 'http' || (await raceSignal(settlesWithin(outcome, limitMs), this.#signal))) {
      return raceSignal(outcome, this.#signal);
    }
    void outcome.then((settled) => this.#takeLate(settled, late));
    return { kind: 'silent' };
  }

  #takeLate(outcome: ProbeOutcome, late: LateAnswer): void {
    const verdict = judgeProbe(outcome, this.#channel, this.#ours);
    if (verdict.go === 'modern') {
      this.#peer.diagnose('info', 'The server answered "server/discover" after all');
      late.open = () => this.#open(verdict);
      this.#hello.onLateAnswer?.();
    }
  }
}
