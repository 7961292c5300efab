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

interface Kept {
  readonly launchHash: string;
  readonly isAllowed: boolean;
  readonly modelId?: string;
  readonly isAnswerUnseen: boolean;
}

interface Session {
  readonly launchHash: string;
  readonly modelId?: string;
}

export class SamplingSettings {
  readonly #memory: Memory;
  readonly #trusted: Pick<TrustedServers, 'isTrusted'>;
  readonly #session = new Map<ServerId, Session>();
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
    return this.#sessionOf(server) === undefined ? undefined : 'session';
  }

  modelId(server: ServerConfig): string | undefined {
    return this.#sessionOf(server)?.modelId ?? this.#kept(server).modelId;
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
      this.#session.set(server.id, {
        launchHash: launchHash(server),
        ...(modelId !== undefined && { modelId }),
      });
      return;
    }
    await this.#change(server, (kept) => ({
      ...kept,
      isAllowed: true,
      ...(modelId !== undefined && { modelId }),
    }));
  }

  /** Ask about each request again. */
  async askAgain(server: ServerConfig): Promise<void> {
    this.#session.delete(server.id);
    await this.#change(server, (kept) => ({ ...kept, isAllowed: false }));
  }

  /** Undefined: by the server's preferences. */
  async setModel(server: ServerConfig, modelId: string | undefined): Promise<void> {
    const session = this.#sessionOf(server);
    if (session !== undefined) {
      this.#session.set(server.id, { launchHash: session.launchHash });
    }
    await this.#change(server, (kept) => ({ ...kept, modelId }));
  }

  async setAnswerUnseen(server: ServerConfig, isAnswerUnseen: boolean): Promise<void> {
    await this.#change(server, (kept) => ({ ...kept, isAnswerUnseen }));
  }

  #sessionOf(server: ServerConfig): Session | undefined {
    const session = this.#session.get(server.id);
    return session?.launchHash === launchHash(server) ? session : undefined;
  }

  #kept(server: ServerConfig): Kept {
    const hash = launchHash(server);
    const kept = toKept(this.#read()[server.id]);
    return kept?.launchHash === hash
      ? kept
      : { launchHash: hash, isAllowed: false, isAnswerUnseen: false };
  }

  async #change(server: ServerConfig, change: (kept: Kept) => Kept): Promise<void> {
    await this.#writes.run(async () => {
      const { [server.id]: _before, ...others } = this.#read();
      const kept = change(this.#kept(server));
      const isWorthIt = kept.isAllowed || kept.isAnswerUnseen || kept.modelId !== undefined;
      await this.#memory.set(memoryKey, isWorthIt ? { ...others, [server.id]: kept } : others);
    });
  }

  #read(): Readonly<Record<string, unknown>> {
    const stored = this.#memory.get(memoryKey);
    return isObject(stored) ? stored : {};
  }
}

function toKept(value: unknown): Kept | undefined {
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
