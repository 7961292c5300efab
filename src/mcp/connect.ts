/**
 * From the ways to reach a server to an open Session: tries each in order, within one limit of time,
 * and leaves nothing open that did not lead to a session.
 */
import { after, linkedController, raceSignal, toError } from '../base/async.ts';
import { DisposableStore } from '../base/disposable.ts';
import { classify } from './era/classify.ts';
import { legacyEra } from './era/legacy.ts';
import type { Channel, Hello, Opening, Session } from './era/session.ts';
import { McpError, abortedError, isMcpError } from './errors.ts';
import type { Era } from './revisions.ts';
import { createPeer } from './rpc/rpcPeer.ts';
import type { Diagnostic, Transport } from './transport/transport.ts';

/** One way to reach a server. */
export interface Binding extends Channel {
  /** What can be spoken over it, in the order to try. */
  readonly eras: readonly Era[];
  /** A channel that has not been started. `signal` ends the opening, not what was opened. */
  connect(signal: AbortSignal): Transport;
}

/**
 * Opens a conversation over the first binding that works.
 *
 * `onDiagnostic` gets what is observed until then (stderr lines, notes of the transport), also when
 * it fails; from then on `Session.onDidDiagnose` does.
 * @throws McpError: `timeout` after `hello.openMs`, naming the step that did not end; `cancelled`;
 *   `unreachable`; `unsupported` when no revision is spoken by both; `closed` when the server went
 *   away; else what `initialize` was rejected with. Everything is closed by then.
 */
export async function connect(
  bindings: readonly Binding[],
  hello: Hello,
  signal: AbortSignal,
  onDiagnostic: (diagnostic: Diagnostic) => void = () => undefined,
): Promise<Session> {
  let failure = new McpError('invalidConfig', 'There is no way to reach the server');
  const attempt = new Attempt(hello, signal, onDiagnostic);
  try {
    for (const binding of bindings) {
      const opening = await attempt.open(binding);
      if (opening.kind === 'open') {
        return opening.session;
      }
      failure = opening.kind === 'failed' ? opening.error : opening.because;
      if (classify(failure) === 'stop') {
        break;
      }
    }
  } finally {
    attempt.dispose();
  }
  throw failure;
}

/** The limits and listeners that all bindings of one `connect` share. */
class Attempt {
  readonly #hello: Hello;
  readonly #onDiagnostic: (diagnostic: Diagnostic) => void;
  readonly #store = new DisposableStore();
  readonly #signal: AbortSignal;
  /** What the server has yet to do, for the error when it does not. */
  #phase = '';

  constructor(hello: Hello, signal: AbortSignal, onDiagnostic: (diagnostic: Diagnostic) => void) {
    this.#hello = hello;
    this.#onDiagnostic = onDiagnostic;
    const { controller } = this.#store.add(linkedController(signal));
    this.#signal = controller.signal;
    this.#store.add(
      after(hello.openMs, () => {
        const seconds = hello.openMs / 1000;
        const message = `The connection was not ready within ${seconds} s: ${this.#phase}`;
        controller.abort(new McpError('timeout', message));
      }),
    );
  }

  /** Closed again unless it opens. */
  async open(binding: Binding): Promise<Opening> {
    if (this.#signal.aborted) {
      return { kind: 'failed', error: abortedError(this.#signal, 'Connecting') };
    }
    const transport = binding.connect(this.#signal);
    const peer = createPeer(transport);
    const listening = peer.onDidDiagnose(this.#onDiagnostic);
    let opening: Opening;
    try {
      this.#phase = `${binding.label} could not be started`;
      await raceSignal(transport.start(this.#signal), this.#signal);
      this.#phase = 'the server did not answer "initialize"';
      opening = await legacyEra.open(peer, binding, this.#hello, this.#signal);
    } catch (error) {
      opening = { kind: 'failed', error: this.#toMcpError(error) };
    }
    if (opening.kind !== 'open') {
      await peer.close().catch((error: unknown) => {
        const text = `The connection could not be closed: ${toError(error).message}`;
        this.#onDiagnostic({ level: 'warn', source: 'transport', text });
      });
    }
    listening.dispose();
    return opening;
  }

  dispose(): void {
    this.#store.dispose();
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
