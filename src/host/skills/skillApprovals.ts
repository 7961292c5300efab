/**
 * Whether a skill may be loaded: every load is asked about, unless the user has allowed this skill for longer. A
 * remembered answer is bound to the server, the skill's URI and the digests of all its files: once an entry shows another
 * set, the answer is gone (SKL-58).
 */
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import type { Skill } from '../../mcp/types/skills.ts';
import { type Audit, audited } from '../audit/audit.ts';
import {
  type ApprovalScope,
  type RememberedScope,
  rememberedScopes,
  type ServerConfig,
  type ServerId,
} from '../config/serverConfig.ts';
import { later, type QuestionQueue, type Turn } from '../questions/questionQueue.ts';
import { type AnswerMemories, RememberedAnswers } from '../toolApproval/rememberedAnswers.ts';
import { launchHash } from '../toolApproval/trustedServers.ts';

export interface SkillRequest {
  readonly server: ServerConfig;
  readonly skill: Skill;
  readonly caller: 'model' | 'user';
  /** SKILL.md, checked: what is loaded after a yes. @throws what reading it fails with */
  readonly read: (signal: AbortSignal) => Promise<string>;
}

/** How the files differ from those that the user allowed before; paths as in their URIs. */
export interface SkillChanges {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface SkillQuestion extends SkillRequest {
  /** Absent when the user has not allowed the skill before. */
  readonly changes?: SkillChanges;
  /** How long a yes may be remembered, besides `once`. Empty for a skill whose content cannot be checked. */
  readonly scopes: readonly RememberedScope[];
}

export type SkillAnswer =
  | { readonly kind: 'deny' | 'later' }
  | { readonly kind: 'allow'; readonly scope: ApprovalScope };

export interface SkillPrompt {
  /** Closing the question is a no. */
  confirmSkill(question: SkillQuestion, turn: Turn): Promise<SkillAnswer>;
}

/** A remembered answer. */
export interface SkillApproval {
  readonly serverId: ServerId;
  /** For display, as they were when the user answered. */
  readonly serverName: string;
  readonly name: string;
  readonly uri: string;
  readonly scope: RememberedScope;
  /** Of what the server's entry starts or connects to. */
  readonly launch: string;
  /** Digest by URI. */
  readonly files: Readonly<Record<string, string>>;
  /** It counts no more; it is kept to say what has changed since. */
  readonly isOver?: true;
}

export interface SkillApprovalServices extends AnswerMemories {
  readonly prompt: SkillPrompt;
  readonly questions: QuestionQueue;
  readonly audit: Audit;
  readonly log: Log;
}

const memoryKey = 'mcpHost.skillApprovals';

export class SkillApprovals {
  readonly #services: SkillApprovalServices;
  readonly #answers: RememberedAnswers<SkillApproval>;

  constructor(services: SkillApprovalServices) {
    this.#services = services;
    this.#answers = new RememberedAnswers(memoryKey, services, keyOf, toApproval);
  }

  /** Asks if necessary. @throws the signal's reason when it aborts */
  async isAllowed(request: SkillRequest, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const { server, skill, caller } = request;
    const { audit, log } = this.#services;
    const subject = { event: 'skillLoad', caller, skill: skill.uri } as const;
    return audited(audit, server, subject, async (note) => {
      const remembered = await this.#remembered(request);
      const isAllowed = remembered.isCurrent || (await this.#ask(request, remembered, signal));
      note({
        outcome: isAllowed ? 'allowed' : 'denied',
        ...(remembered.isCurrent ? { by: 'rule', because: 'remembered' } : { by: 'hand' }),
      });
      log.info(
        `Load of the skill ${server.name}/${skill.uri} by the ${caller}: ${isAllowed ? 'allowed' : 'denied'}`,
      );
      return isAllowed;
    });
  }

  /** The remembered answers, for this workspace and for all. */
  list(): readonly SkillApproval[] {
    return this.#answers.list().filter(({ isOver }) => isOver !== true);
  }

  async revoke(approval: SkillApproval): Promise<void> {
    await this.#answers.remove(approval);
    this.#record('revoked', approval, 'hand');
  }

  /** Whether a yes counts for these files. One for other files counts no more, also for its own (SKL-58). */
  async #remembered({ server, skill }: SkillRequest): Promise<Remembered> {
    const before = this.#answers
      .list()
      .filter(({ serverId, uri }) => serverId === server.id && uri === skill.uri);
    const valid = before.filter(({ isOver }) => isOver !== true);
    const current = valid.find((approval) => isBoundTo(approval, server, skill));
    if (current !== undefined && rememberedScopes(server).includes(current.scope)) {
      return { isCurrent: true };
    }
    for (const approval of valid) {
      await this.#answers.add({ ...approval, isOver: true });
      this.#record('revoked', approval, 'rule');
    }
    const [last] = [...valid, ...before];
    return { isCurrent: false, ...(last && { changes: changesOf(last.files, filesOf(skill)) }) };
  }

  #ask(request: SkillRequest, { changes }: Remembered, signal: AbortSignal): Promise<boolean> {
    const { server, skill } = request;
    const { questions, prompt } = this.#services;
    const scopes = skill.resources === 'dynamic' ? [] : rememberedScopes(server);
    return questions.run<boolean>(
      { server: server.name, serverId: server.id, about: 'skill', text: skill.name },
      async (turn) => {
        const question = { ...request, ...(changes && { changes }), scopes };
        const answer = await prompt.confirmSkill(question, turn);
        turn.signal.throwIfAborted();
        if (answer.kind === 'later') {
          return later;
        }
        if (answer.kind === 'allow' && scopes.some((scope) => scope === answer.scope)) {
          await this.#remember(request, answer.scope);
        }
        return answer.kind === 'allow';
      },
      signal,
    );
  }

  async #remember({ server, skill }: SkillRequest, scope: ApprovalScope): Promise<void> {
    if (scope === 'once') {
      return;
    }
    const approval: SkillApproval = {
      serverId: server.id,
      serverName: server.name,
      name: skill.name,
      uri: skill.uri,
      scope,
      launch: launchHash(server),
      files: filesOf(skill),
    };
    this.#record('remembered', approval, 'hand');
    await this.#answers.add(approval);
  }

  #record(
    event: 'remembered' | 'revoked',
    { serverName, uri, scope }: SkillApproval,
    by: 'hand' | 'rule',
  ): void {
    this.#services.audit.record({
      event,
      server: serverName,
      skill: uri,
      outcome: 'done',
      caller: 'user',
      by,
      because: scope,
      durationMs: 0,
    });
  }
}

interface Remembered {
  readonly isCurrent: boolean;
  readonly changes?: SkillChanges;
}

function filesOf({ resources }: Skill): Readonly<Record<string, string>> {
  return resources === 'dynamic'
    ? {}
    : Object.fromEntries(resources.map(({ uri, digest }) => [uri, digest]));
}

function isBoundTo(approval: SkillApproval, server: ServerConfig, skill: Skill): boolean {
  const { changed, added, removed } = changesOf(approval.files, filesOf(skill));
  return (
    skill.resources !== 'dynamic' &&
    approval.launch === launchHash(server) &&
    changed.length + added.length + removed.length === 0
  );
}

function changesOf(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): SkillChanges {
  return {
    changed: Object.keys(now).filter(
      (uri) => Object.hasOwn(before, uri) && before[uri] !== now[uri],
    ),
    added: Object.keys(now).filter((uri) => !Object.hasOwn(before, uri)),
    removed: Object.keys(before).filter((uri) => !Object.hasOwn(now, uri)),
  };
}

function keyOf({ serverId, uri }: Pick<SkillApproval, 'serverId' | 'uri'>): string {
  return JSON.stringify([serverId, uri]);
}

function toApproval(stored: JsonObject, scope: RememberedScope): SkillApproval | undefined {
  const { serverId, serverName, name, uri, launch, files, isOver } = stored;
  return isString(serverId) &&
    isString(serverName) &&
    isString(name) &&
    isString(uri) &&
    isString(launch) &&
    isFiles(files)
    ? { serverId, serverName, name, uri, scope, launch, files, ...(isOver === true && { isOver }) }
    : undefined;
}

function isFiles(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every(isString);
}
