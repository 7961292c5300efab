/**
 * Whether a server may be started: the policy. A workspace that is not trusted starts none; a server
 * of the workspace starts after the user has read and allowed exactly what would run; a server of
 * the user's own settings starts without a question.
 */
import { Sequencer } from '../../base/async.ts';
import { isString, isStringArray } from '../../base/json.ts';
import { McpError } from '../../mcp/errors.ts';
import { QuestionQueue } from '../asks/questionQueue.ts';
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';
import type { ConsentPrompt, Memory, Workspace } from '../ports.ts';
import type { LaunchDescription } from './launchDescription.ts';

const memoryKey = 'mcpHost.startConsents';

export class StartConsent {
  readonly #workspace: Pick<Workspace, 'isTrusted'>;
  readonly #prompt: ConsentPrompt;
  readonly #memory: Memory;
  readonly #questions: QuestionQueue;
  readonly #writes = new Sequencer();

  /** @param questions shared with others who ask, so that no two questions are open at a time */
  constructor(
    workspace: Pick<Workspace, 'isTrusted'>,
    prompt: ConsentPrompt,
    memory: Memory,
    questions = new QuestionQueue(),
  ) {
    this.#workspace = workspace;
    this.#prompt = prompt;
    this.#memory = memory;
    this.#questions = questions;
  }

  /** Whether a server of this scope is ever asked about. Others need no description. */
  needsConsent(server: ServerConfig): boolean {
    return server.scope.kind !== 'user';
  }

  /**
   * Resolves when the server may be started as described, after asking if need be, one dialog at a time.
   * @param description may be left out for a server that needs no consent
   * @throws McpError `denied`; the signal's reason when it aborts
   */
  async require(
    server: ServerConfig,
    description: LaunchDescription | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    this.requireTrust(server);
    if (!this.needsConsent(server)) {
      return;
    }
    if (description === undefined) {
      throw denied(server);
    }
    if (!this.isGranted(server, description)) {
      // The turn lasts as long as the dialog is open, also when this start has been given up.
      await this.#questions.run(
        { server: server.name, about: 'start' },
        async () => this.#ask(server, description, signal),
        signal,
      );
    }
  }

  /** @throws McpError `denied` in a workspace that is not trusted */
  requireTrust(server: ServerConfig): void {
    if (!this.#workspace.isTrusted) {
      throw new McpError(
        'denied',
        `${server.name} is not started in Restricted Mode: trust this workspace first`,
      );
    }
  }

  /** Whether {@link require} would pass without a question. */
  isGranted(server: ServerConfig, description: LaunchDescription | undefined): boolean {
    if (!this.#workspace.isTrusted) {
      return false;
    }
    return (
      !this.needsConsent(server) ||
      (description !== undefined && this.#read().get(server.id) === description.hash)
    );
  }

  /** Whether there is a consent, but for something else than what is described. */
  isChanged(server: ServerConfig, description: LaunchDescription): boolean {
    const hash = this.#read().get(server.id);
    return hash !== undefined && hash !== description.hash;
  }

  /** The servers that have a consent, whether or not it still fits. */
  list(): readonly ServerId[] {
    return [...this.#read().keys()];
  }

  /** Forgets one consent, or all of this workspace. */
  async forget(id?: ServerId): Promise<void> {
    await this.#write((consents) => (id === undefined ? consents.clear() : consents.delete(id)));
  }

  async #ask(
    server: ServerConfig,
    description: LaunchDescription,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    // While this start waited for its turn, another start of the server may have been allowed.
    if (this.isGranted(server, description)) {
      return;
    }
    const isChanged = this.isChanged(server, description);
    const isAllowed = await this.#prompt.confirmStart({ ...description, isChanged }, signal);
    signal.throwIfAborted();
    if (!isAllowed) {
      throw denied(server);
    }
    this.requireTrust(server);
    await this.#write((consents) => consents.set(server.id, description.hash));
  }

  #read(): Map<ServerId, string> {
    const stored = this.#memory.get(memoryKey);
    const pairs: readonly unknown[] = Array.isArray(stored) ? stored : [];
    return new Map(pairs.filter(isPair));
  }

  async #write(change: (consents: Map<ServerId, string>) => void): Promise<void> {
    await this.#writes.run(async () => {
      const consents = this.#read();
      change(consents);
      await this.#memory.set(memoryKey, [...consents]);
    });
  }
}

function isPair(value: unknown): value is readonly [ServerId, string] {
  return isStringArray(value) && value.length === 2 && value.every(isString);
}

function denied(server: ServerConfig): McpError {
  return new McpError('denied', `${server.name} was not started: you did not allow it`);
}
