/**
 * The user's choices for a server's sampling: allowed without a question, which model, answers unseen. Stored for this
 * workspace and bound to the server's entry: they end when it starts or connects to something else. A "no" is never
 * stored: each request is asked about.
 */
import { Sequencer } from '../../base/async.ts';
import { isObject, isString } from '../../base/json.ts';
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';
import { launchHash, type TrustedServers } from '../toolApproval/trustedServers.ts';
import type { Memory } from '../storage.ts';

const memoryKey = 'mcpHost.sampling';

interface Choices {
  readonly launchHash: string;
  readonly isAllowed: boolean;
  readonly isAnswerUnseen: boolean;
  /** With its vendor. */
  readonly modelId?: string | undefined;
}

export class SamplingSettings {
  readonly #memory: Memory;
  readonly #trusted: Pick<TrustedServers, 'isTrusted'>;
  /** Those of this window. */
  readonly #session = new Map<ServerId, Choices>();
  readonly #writes = new Sequencer();

  constructor(memory: Memory, trusted: Pick<TrustedServers, 'isTrusted'>) {
    this.#memory = memory;
    this.#trusted = trusted;
  }

  /** Undefined: ask. */
  allowance(server: ServerConfig): 'session' | 'always' | undefined {
    if (this.#kept(server).isAllowed) {
      return 'always';
    }
    return this.#ofSession(server).isAllowed ? 'session' : undefined;
  }

  modelId(server: ServerConfig): string | undefined {
    return this.#ofSession(server).modelId ?? this.#kept(server).modelId;
  }

  /** Only for a server that the user trusts, and only while that lasts. */
  isAnswerUnseen(server: ServerConfig): boolean {
    return this.#kept(server).isAnswerUnseen && this.#trusted.isTrusted(server);
  }

  /** @param modelId when the user chose a model as well */
  async allow(
    server: ServerConfig,
    scope: 'session' | 'always',
    modelId: string | undefined,
  ): Promise<void> {
    if (scope === 'session') {
      const none = current(undefined, server);
      this.#session.set(server.id, { ...none, isAllowed: true, modelId });
    } else {
      const change = { isAllowed: true, ...(modelId !== undefined && { modelId }) };
      await this.#change(server, change);
    }
  }

  /** Ask about each request again. */
  async askAgain(server: ServerConfig): Promise<void> {
    this.#session.delete(server.id);
    await this.#change(server, { isAllowed: false });
  }

  /** Undefined: by the server's preferences. */
  async setModel(server: ServerConfig, modelId: string | undefined): Promise<void> {
    const session = this.#ofSession(server);
    this.#session.set(server.id, { ...session, modelId: undefined });
    await this.#change(server, { modelId });
  }

  async setAnswerUnseen(server: ServerConfig, isAnswerUnseen: boolean): Promise<void> {
    await this.#change(server, { isAnswerUnseen });
  }

  #ofSession(server: ServerConfig): Choices {
    return current(this.#session.get(server.id), server);
  }

  #kept(server: ServerConfig): Choices {
    return current(toChoices(this.#read()[server.id]), server);
  }

  async #change(server: ServerConfig, change: Partial<Choices>): Promise<void> {
    await this.#writes.run(async () => {
      const { [server.id]: _before, ...others } = this.#read();
      const kept = { ...this.#kept(server), ...change };
      const isWorthIt = kept.isAllowed || kept.isAnswerUnseen || kept.modelId !== undefined;
      await this.#memory.set(memoryKey, isWorthIt ? { ...others, [server.id]: kept } : others);
    });
  }

  #read(): Readonly<Record<string, unknown>> {
    const stored = this.#memory.get(memoryKey);
    return isObject(stored) ? stored : {};
  }
}

/** None where the server starts something else than when they were made. */
function current(choices: Choices | undefined, server: ServerConfig): Choices {
  const hash = launchHash(server);
  return choices?.launchHash === hash
    ? choices
    : { launchHash: hash, isAllowed: false, isAnswerUnseen: false };
}

function toChoices(value: unknown): Choices | undefined {
  if (!isObject(value) || !isString(value['launchHash'])) {
    return undefined;
  }
  const { modelId } = value;
  return {
    launchHash: value['launchHash'],
    isAllowed: value['isAllowed'] === true,
    isAnswerUnseen: value['isAnswerUnseen'] === true,
    ...(isString(modelId) && { modelId }),
  };
}
