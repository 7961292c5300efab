/**
 * Asks the extensions that contribute servers for their definitions, again after each change, and drops an extension
 * with its registration or when it is removed.
 */
import type { ExtensionClaim } from '../../host/config/serverConfig.ts';
import * as vscode from 'vscode';
import type { McpServerDefinitionProvider } from '../../../api/mcpHost.d.ts';
import { raceSignal } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { ContributedServers } from '../../host/launch/contributedServers.ts';
import { isMcpError, McpError } from '../../mcp/errors.ts';
import { withToken } from '../text/cancellation.ts';
import { errorStack } from '../text/errorText.ts';

/** An extension that takes longer gives no definitions, or no value. */
const answerMs = 60_000;

export class Contributors implements Disposable {
  readonly #contributed: ContributedServers;
  readonly #log: Log;
  readonly #registrations = new Set<Registration>();
  readonly #watch: Disposable;

  constructor(contributed: ContributedServers, log: Log) {
    this.#contributed = contributed;
    this.#log = log;
    this.#watch = vscode.extensions.onDidChange(() => this.#dropGone());
  }

  add(extension: ExtensionClaim, provider: McpServerDefinitionProvider): vscode.Disposable {
    if (typeof provider?.provideServerDefinitions !== 'function') {
      const text = 'A provider of server definitions has a function provideServerDefinitions';
      throw new McpError('invalidInput', text);
    }
    const registration = new Registration(extension, provider, this.#contributed, this.#log);
    this.#registrations.add(registration);
    return new vscode.Disposable(() => this.#remove(registration));
  }

  dispose(): void {
    this.#watch.dispose();
    for (const registration of this.#registrations) {
      this.#remove(registration);
    }
  }

  #remove(registration: Registration): void {
    this.#registrations.delete(registration);
    registration.dispose();
  }

  /** Drops removed extensions: nobody is left to dispose their registrations. */
  #dropGone(): void {
    for (const registration of this.#registrations) {
      if (vscode.extensions.getExtension(registration.extension.id) === undefined) {
        this.#remove(registration);
      }
    }
  }
}

class Registration implements Disposable {
  readonly extension: ExtensionClaim;
  readonly #provider: McpServerDefinitionProvider;
  readonly #contributed: ContributedServers;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  readonly #ended = new AbortController();
  /** The number of the newest question: a late answer to an older one is ignored. */
  #asked = 0;

  constructor(
    extension: ExtensionClaim,
    provider: McpServerDefinitionProvider,
    contributed: ContributedServers,
    log: Log,
  ) {
    this.extension = extension;
    this.#provider = provider;
    this.#contributed = contributed;
    this.#log = log;
    const changed = provider.onDidChangeServerDefinitions;
    if (changed !== undefined) {
      this.#store.add(changed(() => void this.#ask()));
    }
    void this.#ask();
  }

  dispose(): void {
    this.#ended.abort(new McpError('cancelled', 'The extension no longer contributes its servers'));
    this.#store.dispose();
    this.#contributed.delete(this);
  }

  async #ask(): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    const { signal } = this.#ended;
    try {
      const given = await answer(
        async (token) => this.#provider.provideServerDefinitions(token),
        signal,
      );
      const definitions: unknown = JSON.parse(JSON.stringify(given ?? []));
      if (!Array.isArray(definitions)) {
        throw new McpError('invalidInput', 'provideServerDefinitions must return an array');
      }
      if (asked === this.#asked && !signal.aborted) {
        this.#contributed.set(this, {
          extension: this.extension,
          definitions,
          valueOf: (server, input, both) => this.#valueOf(server, input, both),
        });
      }
    } catch (error) {
      if (!signal.aborted) {
        const what = isMcpError(error) ? error.message : errorStack(error);
        this.#log.warn(`The extension ${this.extension.id} did not give its servers: ${what}`);
      }
    }
  }

  async #valueOf(server: string, id: string, signal: AbortSignal): Promise<string | undefined> {
    const both = AbortSignal.any([signal, this.#ended.signal]);
    const value = await answer(
      async (token) => this.#provider.provideInput?.(server, id, token),
      both,
    );
    return value ?? undefined;
  }
}

/** @throws McpError `timeout`; the signal's reason; what `ask` throws */
async function answer<T>(
  ask: (token: vscode.CancellationToken) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  return withToken(limited, (token) => raceSignal(ask(token), limited));
}
