/**
 * Whether a server may be started: the policy. An untrusted workspace starts none. A server of the workspace starts
 * after the user has read and allowed exactly what would run. A user's own server starts without a question, unless
 * something of it comes out of the workspace.
 */
import { t } from '../../base/l10n.ts';
import type { Workspace } from '../config/workspace.ts';
import { Sequencer } from '../../base/async.ts';
import { isObject, isString } from '../../base/json.ts';
import { McpError } from '../../mcp/errors.ts';
import { type Audit, audited, noAudit } from '../audit/audit.ts';
import { later, QuestionQueue, type Turn } from '../questions/questionQueue.ts';
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';
import type { Memory } from '../storage.ts';
import {
  factLabels,
  type LaunchChanges,
  type LaunchDescription,
  type LaunchFact,
} from './launchDescription.ts';

/** The question before a start. Implemented by the editor. */
export interface ConsentPrompt {
  /** True when the user allowed the start. Closing the dialog is a no; `later` postpones the question. */
  confirmStart(description: LaunchDescription, turn: Turn): Promise<boolean | typeof later>;
}

const memoryKey = 'mcpHost.startConsents';

/** What was allowed. */
interface Consent {
  readonly hash: string;
  /** Hash of the description with files that could not be opened before the consent; absent without such files. */
  readonly openedHash?: string;
  /** What was shown, to find changes later. Facts hold no secrets. */
  readonly facts: readonly LaunchFact[];
}

export class StartConsent {
  readonly #workspace: Pick<Workspace, 'isTrusted'>;
  readonly #prompt: ConsentPrompt;
  readonly #memory: Memory;
  readonly #questions: QuestionQueue;
  readonly #audit: Audit;
  readonly #writes = new Sequencer();

  /** @param questions shared by all questions, so that only one is open at a time */
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

  /**
   * Whether a start of this server always needs a consent. A user's own server needs one only for what it takes out of
   * the workspace.
   */
  isAlwaysAsked(server: ServerConfig): boolean {
    return server.scope.kind !== 'user';
  }

  /**
   * Resolves when the server may be started as described, after asking if need be, one dialog at a time.
   * @param description absent for a user's own server that takes nothing out of the workspace
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
      if (description === undefined) {
        if (this.isAlwaysAsked(server)) {
          throw denied(server);
        }
        note({ because: 'userSettings' });
        return;
      }
      if (this.isGranted(server, description)) {
        note({ because: 'remembered' });
        return;
      }
      note({ by: 'hand' });
      await this.#question(server, signal, (turn) => this.#ask(server, description, turn));
    });
  }

  /**
   * The same for the content of files that could not be opened before. The first start asks about it only if it adds a
   * risk; later changes are always asked about.
   * @param opened the description with their content
   * @param closed the one that was allowed
   * @throws as {@link require}
   */
  async requireContent(
    server: ServerConfig,
    opened: LaunchDescription,
    closed: LaunchDescription,
    signal: AbortSignal,
  ): Promise<void> {
    const kept = this.#read().get(server.id);
    if (kept === undefined || this.isContentGranted(server, opened)) {
      return;
    }
    const isFirst = kept.openedHash === undefined;
    if (!isFirst || opened.risks.length > closed.risks.length) {
      const changes = isFirst ? undefined : { added: [], removed: [] };
      await audited(this.#audit, server, { event: 'start' }, async (note) => {
        note({ outcome: 'allowed', by: 'hand' });
        await this.#question(server, signal, async (turn) =>
          this.#confirm(server, { ...opened, ...(changes && { changes }) }, turn),
        );
      });
    }
    await this.#write((consents) => consents.set(server.id, { ...kept, openedHash: opened.hash }));
  }

  /** The turn lasts as long as the dialog is open, even if this start is cancelled. */
  #question(
    server: ServerConfig,
    signal: AbortSignal,
    ask: (turn: Turn) => Promise<void | typeof later>,
  ): Promise<void> {
    const { id, name } = server;
    const question = { server: name, serverId: id, about: 'start', holdsUp: true } as const;
    return this.#questions.run<void>(question, ask, signal);
  }

  /** @throws McpError `denied` in an untrusted workspace */
  requireTrust(server: ServerConfig): void {
    if (!this.#workspace.isTrusted) {
      throw new McpError(
        'denied',
        t('{0} is not started in Restricted Mode: trust this workspace first', server.name),
      );
    }
  }

  /** Whether {@link require} would pass without a question. */
  isGranted(server: ServerConfig, description: LaunchDescription): boolean {
    return this.#workspace.isTrusted && this.#read().get(server.id)?.hash === description.hash;
  }

  /** Whether {@link requireContent} would pass without a question. */
  isContentGranted(server: ServerConfig, opened: LaunchDescription): boolean {
    return this.#read().get(server.id)?.openedHash === opened.hash;
  }

  /** Undefined when there is no consent, or when it matches the description. */
  changes(server: ServerConfig, { hash, facts }: LaunchDescription): LaunchChanges | undefined {
    const before = this.#read().get(server.id);
    return before === undefined || before.hash === hash
      ? undefined
      : { added: without(facts, before.facts), removed: without(before.facts, facts) };
  }

  /** The servers that have a consent, whether or not it still matches. */
  list(): readonly ServerId[] {
    return [...this.#read().keys()];
  }

  /** Deletes one consent, or all of this workspace. */
  async forget(id?: ServerId): Promise<void> {
    await this.#write((consents) => (id === undefined ? consents.clear() : consents.delete(id)));
  }

  async #ask(
    server: ServerConfig,
    description: LaunchDescription,
    turn: Turn,
  ): Promise<void | typeof later> {
    // Another start of the server may have been allowed while this one waited for its turn.
    if (this.isGranted(server, description)) {
      return;
    }
    const changes = this.changes(server, description);
    const answer = await this.#confirm(
      server,
      changes === undefined ? description : { ...description, changes },
      turn,
    );
    if (answer === later) {
      return later;
    }
    const { hash, facts } = description;
    await this.#write((consents) => consents.set(server.id, { hash, facts }));
  }

  async #confirm(
    server: ServerConfig,
    description: LaunchDescription,
    turn: Turn,
  ): Promise<void | typeof later> {
    const answer = await this.#prompt.confirmStart(description, turn);
    turn.signal.throwIfAborted();
    if (answer === later) {
      return later;
    }
    if (!answer) {
      throw denied(server);
    }
    this.requireTrust(server);
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
  const { hash, openedHash, facts } = consent;
  return isString(hash) && Array.isArray(facts)
    ? [id, { hash, ...(isString(openedHash) && { openedHash }), facts: facts.filter(isFact) }]
    : undefined;
}

function isFact(value: unknown): value is LaunchFact {
  return (
    isObject(value) &&
    factLabels.some((label) => label === value['label']) &&
    isString(value['value'])
  );
}

/** The facts of `all` that are not among `others`, in order; a fact that occurs twice counts twice. */
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
  return new McpError('denied', t('{0} was not started: you did not allow it', server.name));
}
