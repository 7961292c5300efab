/**
 * Whether another extension may read resources and use prompts of a server: the policy. Tools have their own approvals
 * (toolApproval/approvals.ts), one each; here one yes counts for all resources and prompts of a server, for this
 * extension only, and while the server's entry is unchanged.
 */
import { isString, type JsonObject } from '../../base/json.ts';
import { later, type QuestionQueue, type Turn } from '../questions/questionQueue.ts';
import {
  type ApprovalScope,
  type ExtensionClaim,
  type RememberedScope,
  rememberedScopes,
  type ServerConfig,
  type ServerId,
} from '../config/serverConfig.ts';
import { launchHash } from '../toolApproval/trustedServers.ts';
import { type AnswerMemories, RememberedAnswers } from '../toolApproval/rememberedAnswers.ts';

const memoryKey = 'mcpHost.extensionAccess';

export interface AccessRequest {
  readonly server: ServerConfig;
  readonly extension: ExtensionClaim;
  /** The first resource or prompt that it requests. */
  readonly wants:
    | { readonly kind: 'resource'; readonly uri: string }
    | { readonly kind: 'prompt'; readonly name: string };
}

export interface AccessQuestion extends AccessRequest {
  /** How long a yes may be remembered, besides `once`. */
  readonly scopes: readonly RememberedScope[];
}

export interface AccessPrompt {
  /** Undefined is a no, as is closing the question; `later` postpones it. */
  confirmAccess(
    question: AccessQuestion,
    turn: Turn,
  ): Promise<ApprovalScope | typeof later | undefined>;
}

/** A remembered yes. */
export interface Access {
  readonly extension: string;
  readonly serverId: ServerId;
  /** For display, as it was when the user answered. */
  readonly serverName: string;
  /** Hash of the server's entry: after a change the user is asked again. */
  readonly entry: string;
  readonly scope: RememberedScope;
}

/** How it was decided. */
export type AccessDecision = 'asked' | 'remembered' | 'denied';

export interface AccessServices extends AnswerMemories {
  readonly prompt: AccessPrompt;
  readonly questions: QuestionQueue;
}

export class ExtensionAccess {
  readonly #services: AccessServices;
  readonly #answers: RememberedAnswers<Access>;

  constructor(services: AccessServices) {
    this.#services = services;
    this.#answers = new RememberedAnswers(memoryKey, services, keyOf, toAccess);
  }

  /** Asks if necessary. @throws the signal's reason when it aborts */
  async request(request: AccessRequest, signal: AbortSignal): Promise<AccessDecision> {
    signal.throwIfAborted();
    if (this.#isGranted(request)) {
      return 'remembered';
    }
    const { server, extension } = request;
    return this.#services.questions.run<AccessDecision>(
      { server: server.name, serverId: server.id, about: 'access', text: extension.name },
      async (turn) => {
        // The user may have allowed the extension for longer while this request waited.
        if (this.#isGranted(request)) {
          return 'remembered';
        }
        const scopes = rememberedScopes(server);
        const answer = await this.#services.prompt.confirmAccess({ ...request, scopes }, turn);
        turn.signal.throwIfAborted();
        if (answer === later) {
          return later;
        }
        if (answer === undefined) {
          return 'denied';
        }
        if (answer !== 'once' && scopes.includes(answer)) {
          await this.#answers.add({
            extension: extension.id,
            serverId: server.id,
            serverName: server.name,
            entry: launchHash(server),
            scope: answer,
          });
        }
        return 'asked';
      },
      signal,
    );
  }

  /** The remembered answers, for this window, this workspace and for all. */
  list(): readonly Access[] {
    return this.#answers.list();
  }

  revoke(access: Access): Promise<void> {
    return this.#answers.remove(access);
  }

  #isGranted({ server, extension }: AccessRequest): boolean {
    const entry = launchHash(server);
    return this.list().some(
      (access) =>
        access.extension === extension.id &&
        access.serverId === server.id &&
        access.entry === entry &&
        rememberedScopes(server).includes(access.scope),
    );
  }
}

function keyOf({ extension, serverId }: Access): string {
  return JSON.stringify([extension, serverId]);
}

function toAccess(stored: JsonObject, scope: RememberedScope): Access | undefined {
  const { extension, serverId, serverName, entry } = stored;
  return isString(extension) && isString(serverId) && isString(serverName) && isString(entry)
    ? { extension, serverId, serverName, entry, scope }
    : undefined;
}
