/**
 * Opens a Session over one of several bindings: tries each binding in order, and on each the eras it can
 * carry, all within one time limit. Closes everything that did not lead to a session. This file decides
 * what to try next; era/classify.ts decides what an answer means.
 */
import { t } from '../../base/l10n.ts';
import { linkedController, raceSignal, toError } from '../../base/async.ts';
import { type Disposable, DisposableOwner } from '../../base/disposable.ts';
import {
  classify,
  isReply,
  isUnavailable,
  showsModernEra,
  showsWorkingServer,
} from '../era/classify.ts';
import { openLegacy } from '../era/legacySession.ts';
import { openModern } from '../era/modern.ts';
import type { Channel, ClientOptions, OpenEra, Opening, Session } from '../session/session.ts';
import { McpError, abortedError, isMcpError } from '../errors.ts';
import { type Era, isRevision, revisions } from '../revisions.ts';
import { Peer } from '../rpc/rpcPeer.ts';
import { RestingLimit, restWhileWaiting } from './userWait.ts';
import type { Diagnostic, Transport } from '../transport/transport.ts';

/** One way to reach a server. */
export interface Binding extends Channel {
  /** The eras that this binding can carry, in the order to try. */
  readonly eras: readonly Era[];
  /** Returns a channel that is not started yet. `signal` ends the opening, not a channel that is open. */
  connect(signal: AbortSignal): Transport | Promise<Transport>;
}

/**
 * Opens a conversation over the first binding that works.
 *
 * `onDiagnostic` gets every diagnostic (stderr lines, notes of the transport) until the session is open,
 * also when opening fails. After that, `Session.onDidDiagnose` does.
 * @throws McpError: `timeout` after `hello.openMs`, naming the step that did not end; `cancelled`;
 *   `unreachable`; `unsupported` when client and server share no revision; `closed` when the server went
 *   away; otherwise the error that opening failed with. Everything is closed by then.
 */
export async function connect(
  bindings: readonly Binding[],
  hello: ClientOptions,
  signal: AbortSignal,
  onDiagnostic: (diagnostic: Diagnostic) => void = () => undefined,
): Promise<Session> {
  const attempt = new Attempt(hello, signal, onDiagnostic);
  try {
    return await attempt.run(bindings);
  } finally {
    attempt.dispose();
  }
}

const openers: Readonly<Record<Era, OpenEra>> = { legacy: openLegacy, modern: openModern };
const firstRequests: Readonly<Record<Era, string>> = {
  legacy: 'initialize',
  modern: 'server/discover',
};

/** A binding, and the eras of it that may be spoken. */
interface Step {
  readonly binding: Binding;
  readonly eras: readonly Era[];
}

type Closed = Exclude<Opening, { kind: 'open' }>;

/** A started channel and the peer that speaks over it. */
interface Line {
  readonly peer: Peer;
  readonly listening: Disposable;
}

/** The limits and listeners that all bindings of one `connect` share. */
class Attempt extends DisposableOwner {
  readonly #hello: ClientOptions;
  readonly #onDiagnostic: (diagnostic: Diagnostic) => void;
  readonly #signal: AbortSignal;
  /** What the server has not done yet, for the error message. */
  #phase = '';

  constructor(
    hello: ClientOptions,
    signal: AbortSignal,
    onDiagnostic: (diagnostic: Diagnostic) => void,
  ) {
    super();
    this.#hello = hello;
    this.#onDiagnostic = onDiagnostic;
    const { controller } = this.store.add(linkedController(signal));
    this.#signal = controller.signal;
    this.store.add(
      new RestingLimit(hello.openMs, hello.userWait, () => {
        const seconds = hello.openMs / 1000;
        const hint = hello.openHint === undefined ? '' : `, ${hello.openHint}`;
        const message = t(
          'The connection was not ready within {0} s{1}: {2}',
          seconds,
          hint,
          this.#phase,
        );
        controller.abort(new McpError('timeout', message));
      }),
    );
  }

  async run(bindings: readonly Binding[]): Promise<Session> {
    const steps = plan(bindings, erasOf(this.#hello));
    const older = plan(bindings, ['legacy']);
    const isOpenQuestion =
      steps.some(isModern) && steps.some(({ eras }) => eras.includes('legacy'));
    if (isOpenQuestion && this.#hello.lastEra === 'legacy') {
      // The server spoke the legacy era last time: do not send it the modern request that it did not understand.
      const opening = await this.#tryAll(older);
      if (opening.kind === 'open') {
        return opening.session;
      }
      if (!showsWorkingServer(errorOf(opening))) {
        throw errorOf(opening);
      }
      this.#note(
        `The server is asked again which revisions it speaks: ${errorOf(opening).message}`,
      );
    }
    const opening = await this.#tryAll(steps);
    if (opening.kind === 'open') {
      return opening.session;
    }
    throw opening.kind === 'failed' || isOpenQuestion
      ? errorOf(opening)
      : notOfModernEra(opening.because);
  }

  async #tryAll(steps: readonly Step[]): Promise<Opening> {
    const failures: Closed[] = [];
    let hasReturned = false;
    for (const step of steps) {
      let opening = await this.#open(step);
      const modern = steps.find(isModern);
      if (!hasReturned && modern !== undefined && modern !== step && isOfModernEra(opening)) {
        hasReturned = true;
        opening = await this.#open(modern);
      }
      if (opening.kind === 'open') {
        return opening;
      }
      failures.push(opening);
      if (opening.kind === 'failed' && classify(opening.error) === 'stop') {
        break;
      }
      this.#note(`${step.binding.label}: ${errorOf(opening).message}`, 'debug');
    }
    return mostTelling(failures);
  }

  async #open({ binding, eras }: Step): Promise<Opening> {
    try {
      const [era, other] = eras;
      return other === undefined || era === undefined
        ? await this.#openAnew(binding, era ?? 'legacy')
        : await this.#openEither(binding);
    } catch (error) {
      return { kind: 'failed', error: this.#toMcpError(error) };
    }
  }

  /**
   * Tries both eras on one channel, the modern one first. If the server closes the channel after the modern
   * request, the legacy era gets a new channel, once.
   */
  async #openEither(binding: Binding): Promise<Opening> {
    const line = await this.#start(binding);
    const probed = await this.#speak(line, binding, 'modern');
    if (probed.kind !== 'otherEra') {
      return probed.kind === 'open' ? probed : this.#ended(line, probed);
    }
    const { because, hasAnswered } = probed;
    this.#note(`An older revision is tried: ${because.message}`, 'debug');
    line.peer.beginSession();
    const isSilent = because.code === 'timeout';
    const opening = await this.#speak(line, binding, 'legacy', { isSilent });
    if (opening.kind === 'open') {
      return opening; // also if it speaks both eras: on this channel it is bound to the legacy one (VER-09)
    }
    const isOfModern = hasAnswered?.() === true;
    if (isOfModern && errorOf(opening).code !== 'closed') {
      // It was slow to start, and is up by now. Started again, it would be as slow.
      line.peer.beginSession();
      const again = await this.#speak(line, binding, 'modern', { isLast: true });
      return again.kind === 'open' ? again : this.#ended(line, again);
    }
    await this.#drop(line);
    if (!showsWorkingServer(errorOf(opening))) {
      return opening;
    }
    // A server that treated the first request as a fault may work without it.
    const next = isOfModern || isOfModernEra(opening) ? 'modern' : 'legacy';
    return this.#openOnceMore(binding, next);
  }

  #openOnceMore(binding: Binding, era: Era): Promise<Opening> {
    const text = `The server is started once more, for "${firstRequests[era]}"`;
    this.#onDiagnostic({ level: 'info', source: 'transport', text, isNewStart: true });
    return this.#openAnew(binding, era);
  }

  async #openAnew(binding: Binding, era: Era): Promise<Opening> {
    const line = await this.#start(binding);
    const opening = await this.#speak(line, binding, era, { isLast: true });
    return opening.kind === 'open' ? opening : this.#ended(line, opening);
  }

  async #start(binding: Binding): Promise<Line> {
    if (this.#signal.aborted) {
      throw abortedError(this.#signal, 'Connecting');
    }
    this.#phase = t('{0} could not be started', binding.label);
    const transport = await binding.connect(this.#signal);
    const peer = new Peer(transport, this.#hello.tap, this.#hello.memory);
    restWhileWaiting(peer, this.#hello.userWait);
    const line = { peer, listening: peer.onDidDiagnose(this.#onDiagnostic) };
    try {
      await raceSignal(transport.start(this.#signal), this.#signal);
    } catch (error) {
      await this.#drop(line);
      throw error;
    }
    return line;
  }

  /**
   * @param isSilent the server did not answer the other era's first request on this channel
   * @param isLast no other era is tried after this one: silence on a pipe leads to nothing else
   */
  async #speak(
    { peer, listening }: Line,
    binding: Binding,
    era: Era,
    { isSilent = false, isLast = false } = {},
  ): Promise<Opening> {
    const isPatient = isLast && binding.wire === 'pipe';
    const hello = isPatient ? { ...this.#hello, probeMs: Infinity } : this.#hello;
    this.#phase = isSilent
      ? t('the server answered neither "{0}" nor "{1}"', firstRequests.modern, firstRequests.legacy)
      : t('the server did not answer "{0}"', firstRequests[era]);
    let opening: Opening;
    try {
      opening = await openers[era](peer, binding, hello, this.#signal);
    } catch (error) {
      return { kind: 'failed', error: this.#toMcpError(error) };
    }
    if (opening.kind === 'open') {
      listening.dispose();
    } else if (opening.kind === 'otherEra' && isReply(opening.because)) {
      this.#hello.onRefusal?.();
    }
    return opening;
  }

  async #ended(line: Line, opening: Closed): Promise<Opening> {
    await this.#drop(line);
    return opening;
  }

  async #drop({ peer, listening }: Line): Promise<void> {
    await peer
      .close()
      .catch((error: unknown) =>
        this.#note(`The connection could not be closed: ${toError(error).message}`, 'warn'),
      );
    listening.dispose();
  }

  #note(text: string, level: Diagnostic['level'] = 'info'): void {
    this.#onDiagnostic({ level, source: 'transport', text });
  }

  #toMcpError(error: unknown): McpError {
    if (this.#signal.aborted) {
      return abortedError(this.#signal, 'Connecting');
    }
    return isMcpError(error)
      ? error
      : new McpError('unreachable', toError(error).message, { cause: error });
  }
}

function erasOf({ protocol = 'auto' }: ClientOptions): readonly Era[] {
  if (protocol === 'auto') {
    return ['modern', 'legacy'];
  }
  return [isRevision(protocol) ? revisions[protocol].era : protocol];
}

function plan(bindings: readonly Binding[], allowed: readonly Era[]): readonly Step[] {
  return bindings
    .map((binding) => ({ binding, eras: binding.eras.filter((era) => allowed.includes(era)) }))
    .filter(({ eras }) => eras.length > 0);
}

function isModern({ eras }: Step): boolean {
  return eras.includes('modern');
}

function failed(message: string): Closed {
  return { kind: 'failed', error: new McpError('invalidConfig', message) };
}

/** Picks the failure that best says what is wrong. */
function mostTelling(failures: readonly Closed[]): Closed {
  const last = failures.at(-1) ?? failed(t('There is no way to reach the server'));
  // A server in trouble: its first error is the cause.
  const trouble = failures.find(
    (opening) => opening.kind === 'otherEra' && isUnavailable(opening.because),
  );
  // If the last binding is absent too, or is something else, an earlier refusal says more.
  const { code } = errorOf(last);
  const isOnlyAbsent = classify(errorOf(last)) === 'nextBinding' || code === 'protocol';
  const refusal = isOnlyAbsent ? failures.find(({ kind }) => kind === 'failed') : undefined;
  return trouble ?? refusal ?? last;
}

function errorOf(opening: Closed): McpError {
  return opening.kind === 'failed' ? opening.error : opening.because;
}

function isOfModernEra(opening: Opening): boolean {
  return opening.kind === 'failed' && showsModernEra(opening.error);
}

function notOfModernEra(because: McpError): McpError {
  return new McpError(
    'unsupported',
    t(
      'The server does not speak the revision that its entry asks for in "protocol": {0}',
      because.message,
    ),
    { cause: because },
  );
}
