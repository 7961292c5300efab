/**
 * Asks the extensions that contribute servers for their definitions, again after each change, and drops an extension
 * with its registration or when it is removed.
 */
import type { ExtensionClaim } from '../../host/config/serverConfig.ts';
import * as vscode from 'vscode';
import type { McpServerDefinitionProvider } from '../../../api/mcpHost.d.ts';
import { raceSignal } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
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
  readonly #registrations = new Map<Disposable, ExtensionClaim>();
  readonly #watch: Disposable;

  constructor(contributed: ContributedServers, log: Log) {
    this.#contributed = contributed;
    this.#log = log;
    // Nobody is left to dispose the registrations of removed extensions.
    this.#watch = vscode.extensions.onDidChange(() => {
      for (const [registration, { id }] of this.#registrations) {
        if (vscode.extensions.getExtension(id) === undefined) {
          registration.dispose();
        }
      }
    });
  }

  add(extension: ExtensionClaim, provider: McpServerDefinitionProvider): vscode.Disposable {
    if (typeof provider?.provideServerDefinitions !== 'function') {
      const text = 'A provider of server definitions has a function provideServerDefinitions';
      throw new McpError('invalidInput', text);
    }
    const ended = new AbortController();
    let asking = new AbortController();
    const ask = (): void => {
      asking.abort(new McpError('cancelled', 'The extension was asked again'));
      asking = new AbortController();
      void this.#ask(extension, provider, ended.signal, asking.signal);
    };
    const subscription = provider.onDidChangeServerDefinitions?.(ask);
    const registration = new vscode.Disposable(() => {
      this.#registrations.delete(registration);
      ended.abort(new McpError('cancelled', 'The extension no longer contributes its servers'));
      subscription?.dispose();
      this.#contributed.delete(ended.signal);
    });
    this.#registrations.set(registration, extension);
    ask();
    return registration;
  }

  dispose(): void {
    this.#watch.dispose();
    this.#registrations.forEach((_extension, registration) => registration.dispose());
  }

  /** @param asking ends with the next question: a late answer to this one is ignored */
  async #ask(
    extension: ExtensionClaim,
    provider: McpServerDefinitionProvider,
    ended: AbortSignal,
    asking: AbortSignal,
  ): Promise<void> {
    const signal = AbortSignal.any([ended, asking]);
    try {
      const given = await answer(async (token) => provider.provideServerDefinitions(token), signal);
      const definitions: unknown = JSON.parse(JSON.stringify(given ?? []));
      if (!Array.isArray(definitions)) {
        throw new McpError('invalidInput', 'provideServerDefinitions must return an array');
      }
      signal.throwIfAborted();
      this.#contributed.set(ended, {
        extension,
        definitions,
        valueOf: async (server, input, wanted) => {
          const both = AbortSignal.any([wanted, ended]);
          const value = await answer(
            async (token) => provider.provideInput?.(server, input, token),
            both,
          );
          return value ?? undefined;
        },
      });
    } catch (error) {
      if (!signal.aborted) {
        const what = isMcpError(error) ? error.message : errorStack(error);
        this.#log.warn(`The extension ${extension.id} did not give its servers: ${what}`);
      }
    }
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
