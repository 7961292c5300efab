/**
 * Whether a server may be started: the policy. A workspace that is not trusted starts none; a server
 * of the workspace starts after the user has read and allowed exactly what would run; a server of
 * the user's own settings starts without a question.
 */
import { Sequencer } from '../../base/async.ts';
import { isObject, isString } from '../../base/json.ts';
import { McpError } from '../../mcp/errors.ts';
import { type Audit, audited, noAudit } from '../audit/audit.ts';
import { later, QuestionQueue, type Turn } from '../asks/questionQueue.ts';
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';
import type { ConsentPrompt, Memory, Workspace } from '../ports.ts';
import {
  factLabels,
  type LaunchChanges,
  type LaunchDescription,
  type LaunchFact,
} from './launchDescription.ts';

const memoryKey = 'mcpHost.startConsents';

/** What was allowed. */
interface Consent {
  readonly hash: string;
  /** What was shown, to say later what has changed. Facts hold no secrets. */
  readonly facts: readonly LaunchFact[];
}

export class StartConsent {
  readonly #workspace: Pick<Workspace, 'isTrusted'>;
  readonly #prompt: ConsentPrompt;
  readonly #memory: Memory;
  readonly #questions: QuestionQueue;
  readonly #audit: Audit;
  readonly #writes = new Sequencer();

  /** @param questions shared with others who ask, so that no two questions are open at a time */
  constructor(
    workspace: Pick<Workspace, 'isTrusted'>,
    prompt: ConsentPrompt,
    memory: Memory,
    questions = new QuestionQueue(),
    audit: Audit = noAudit,
  ) {
    this.#workspace = workspace;
    this.#prompt = prompt;
    this.#memory = memory;
    this.#questions = questions;
    this.#audit = audit;
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
    await audited(this.#audit, server, { event: 'start' }, async (note) => {
      note({ outcome: 'allowed', by: 'rule' });
      this.requireTrust(server);
      if (!this.needsConsent(server)) {
        note({ because: 'userSettings' });
        return;
      }
      if (description === undefined) {
        throw denied(server);
      }
      if (this.isGranted(server, description)) {
        note({ because: 'remembered' });
        return;
      }
      note({ by: 'hand' });
      // The turn lasts as long as the dialog is open, also when this start has been given up.
      await this.#questions.run(
        { server: server.name, about: 'start', holdsUp: server.id },
        async (turn) => this.#ask(server, description, turn),
        signal,
      );
    });
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
      (description !== undefined && this.#read().get(server.id)?.hash === description.hash)
    );
  }

  /** Undefined when there is no consent, or one for just what is described. */
  changes(server: ServerConfig, { hash, facts }: LaunchDescription): LaunchChanges | undefined {
    const before = this.#read().get(server.id);
    return before === undefined || before.hash === hash
      ? undefined
      : { added: without(facts, before.facts), removed: without(before.facts, facts) };
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
    turn: Turn,
  ): Promise<void | typeof later> {
    turn.signal.throwIfAborted();
    // While this start waited for its turn, another start of the server may have been allowed.
    if (this.isGranted(server, description)) {
      return;
    }
    const changes = this.changes(server, description);
    const answer = await this.#prompt.confirmStart(
      changes === undefined ? description : { ...description, changes },
      turn,
    );
    turn.signal.throwIfAborted();
    if (answer === later) {
      return later;
    }
    if (!answer) {
      throw denied(server);
    }
    this.requireTrust(server);
    const { hash, facts } = description;
    await this.#write((consents) => consents.set(server.id, { hash, facts }));
  }

  #read(): Map<ServerId, Consent> {
    const stored = this.#memory.get(memoryKey);
    const entries = (Array.isArray(stored) ? stored : []).flatMap((value: unknown) => {
      const entry = readConsent(value);
      return entry === undefined ? [] : [entry];
    });
    return new Map(entries);
  }

  async #write(change: (consents: Map<ServerId, Consent>) => void): Promise<void> {
    await this.#writes.run(async () => {
      const consents = this.#read();
      change(consents);
      await this.#memory.set(memoryKey, [...consents]);
    });
  }
}

function readConsent(value: unknown): readonly [ServerId, Consent] | undefined {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [];
  const [id, consent] = parts;
  if (!isString(id) || !isObject(consent)) {
    return undefined;
  }
  const { hash, facts } = consent;
  return isString(hash) && Array.isArray(facts)
    ? [id, { hash, facts: facts.filter(isFact) }]
    : undefined;
}

function isFact(value: unknown): value is LaunchFact {
  return (
    isObject(value) &&
    factLabels.some((label) => label === value['label']) &&
    isString(value['value'])
  );
}

/** The facts of `all` that are not among `others`, in their order; one that is there twice counts twice. */
function without(all: readonly LaunchFact[], others: readonly LaunchFact[]): readonly LaunchFact[] {
  const left = new Map<string, number>();
  for (const key of others.map(keyOf)) {
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  return all.filter((fact) => {
    const key = keyOf(fact);
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}

function keyOf({ label, value }: LaunchFact): string {
  return JSON.stringify([label, value]);
}

function denied(server: ServerConfig): McpError {
  return new McpError('denied', `${server.name} was not started: you did not allow it`);
}
