/**
 * Whether a tool may be called: the policy. Every call is asked about, unless the user has allowed this tool of this
 * server for longer, or trusts the server and the tool claims to be read-only. A remembered answer is bound to the
 * tool's definition at that time.
 */
import { type Audit, type AuditEntry, audited, inputFacts } from '../audit/audit.ts';
import { displayLabel } from '../catalog/labels.ts';
import { later, type QuestionQueue, type Turn } from '../questions/questionQueue.ts';
import {
  type RememberedScope,
  rememberedScopes,
  type ApprovalScope,
  type ExtensionClaim,
  type ServerConfig,
} from '../config/serverConfig.ts';
import type { Log } from '../../base/log.ts';
import { type Approval, keyOf, type Subject, toApproval } from './rememberedApproval.ts';
import { type AnswerMemories, RememberedAnswers } from './rememberedAnswers.ts';
import {
  claimsOf,
  definitionText,
  changesIn,
  definitionOf,
  type DefinitionPart,
  type ToolClaims,
} from './toolDefinition.ts';
import { type DeniedByRule, type Ruled, ruledBy, type ToolRule } from './toolRules.ts';
import type { TrustedServers } from './trustedServers.ts';
import type { Tool } from '../../mcp/types/lists.ts';

export type ToolInput = Readonly<Record<string, unknown>>;

export interface ToolRequest {
  readonly server: ServerConfig;
  readonly tool: Tool;
  readonly input: ToolInput;
  /**
   * Who makes the call. A call by hand is always shown before it is sent. A yes to an MCP app, a view of the server,
   * counts for its tool until the window closes.
   */
  readonly caller: 'model' | 'user' | 'extension' | 'app';
  /**
   * The skills of servers that act in the conversation, as people know them: while there is one, no earlier answer counts
   * (SKL-53).
   */
  readonly skills?: readonly string[];
  /** The extension that claims to call; with the caller `extension`. */
  readonly extension?: ExtensionClaim;
}

export interface ToolQuestion extends ToolRequest {
  readonly claims: ToolClaims;
  /** The user marked the server as trusted. */
  readonly isTrusted: boolean;
  /** What has changed since the user allowed this tool for longer; empty when that never happened. */
  readonly changes: readonly DefinitionPart[];
  /** The definition at that time, made by {@link definitionText}; absent when unknown. */
  readonly before?: string;
  /** How long a yes may be remembered, besides `once`. */
  readonly scopes: readonly RememberedScope[];
}

export type ToolAnswer =
  | { readonly kind: 'deny' }
  /** The user reopens the question later, with the input as it was left. */
  | { readonly kind: 'later'; readonly input: ToolInput }
  | {
      readonly kind: 'allow';
      /** The input as last shown. */
      readonly input: ToolInput;
      readonly scope: ApprovalScope;
    };

/** About several calls: all run once as shown, each is asked about on its own, none runs, or later. */
export type JointAnswer = 'run' | 'each' | 'deny' | 'later';

/** Closing a question is a no. */
export interface ApprovalPrompt {
  confirmTool(question: ToolQuestion, turn: Turn): Promise<ToolAnswer>;
  /** @param questions at least two */
  confirmTools(questions: readonly ToolQuestion[], turn: Turn): Promise<JointAnswer>;
}

const memoryKey = 'mcpHost.toolApprovals';

export type ApprovalOutcome =
  | {
      readonly kind: 'allowed';
      /** The input that the user saw last, and may have edited. */
      readonly input: ToolInput;
      readonly because: 'asked' | 'remembered' | 'trusted' | 'ruled';
    }
  | (Omit<DeniedByRule, 'isRuled'> & Partial<DeniedByRule>);

const byHand = { kind: 'denied', why: 'The user did not allow this call' } as const;

export interface ApprovalServices extends AnswerMemories {
  readonly prompt: ApprovalPrompt;
  readonly questions: QuestionQueue;
  readonly trusted: TrustedServers;
  readonly rules: () => readonly ToolRule[];
  readonly log: Log;
  readonly audit: Audit;
}

export class ToolApprovals {
  readonly #services: ApprovalServices;
  readonly #answers: RememberedAnswers<Approval>;

  constructor(services: ApprovalServices) {
    this.#services = services;
    this.#answers = new RememberedAnswers(memoryKey, services, keyOf, toApproval);
  }

  /**
   * Asks if necessary, one question at a time. An answer that comes after the signal has aborted allows nothing and is
   * not remembered.
   * @throws the signal's reason when it aborts
   */
  async request(request: ToolRequest, signal: AbortSignal): Promise<ApprovalOutcome> {
    signal.throwIfAborted();
    return this.#decide(request, () => this.#ask(request, signal));
  }

  /**
   * Like {@link request}, for calls that are made side by side: one question for all that need one. What needs none is
   * decided at once.
   * @throws the signal's reason when it has aborted
   */
  requestAll(
    requests: readonly ToolRequest[],
    signal: AbortSignal,
  ): readonly Promise<ApprovalOutcome>[] {
    signal.throwIfAborted();
    const open = requests.filter((request) => this.#withoutQuestion(request) === undefined);
    if (open.length < 2) {
      return requests.map((request) => this.request(request, signal));
    }
    const joint = this.#askJointly(open, signal);
    return requests.map((request) =>
      this.#decide(
        request,
        async () => (await joint).get(request) ?? (await this.#ask(request, signal)),
      ),
    );
  }

  async #decide(
    request: ToolRequest,
    ask: () => Promise<ApprovalOutcome>,
  ): Promise<ApprovalOutcome> {
    const { server, tool, caller, input, extension } = request;
    const subject = {
      event: 'approval',
      caller,
      ...(extension !== undefined && { extension: extension.id }),
      tool: tool.name,
      ...inputFacts(input),
    } as const;
    const outcome = await audited(this.#services.audit, server, subject, async (note) => {
      const decided = this.#withoutQuestion(request) ?? (await ask());
      note(noteOf(decided));
      return decided;
    });
    const how = outcome.kind === 'allowed' ? `allowed (${outcome.because})` : 'denied';
    const who = `${caller}${extension === undefined ? '' : ` ${extension.id}`}`;
    this.#services.log.info(`Call of ${server.name}/${tool.name} by the ${who}: ${how}`);
    return outcome;
  }

  needsQuestion(request: ToolRequest): boolean {
    return this.#withoutQuestion(request) === undefined;
  }

  /** Whether a rule denies the call, or wants it asked about. */
  isRestricted(call: Pick<ToolRequest, 'server' | 'tool'>): boolean {
    return (this.#ruled(call) ?? 'allow') !== 'allow';
  }

  /** The remembered answers, for this workspace and for all. */
  list(): readonly Approval[] {
    return this.#answers.list();
  }

  async revoke(approval: Approval): Promise<void> {
    await this.#answers.remove(approval);
    this.#record('revoked', approval);
  }

  #record(event: 'remembered' | 'revoked', approval: Approval): void {
    const { serverName: server, tool, scope, extension } = approval;
    const whose = extension === undefined ? {} : { extension };
    const entry = { server, tool, outcome: 'done', ...whose } as const;
    const how = { caller: 'user', by: 'hand', because: scope, durationMs: 0 } as const;
    this.#services.audit.record({ event, ...entry, ...how });
  }

  #withoutQuestion(request: ToolRequest): ApprovalOutcome | undefined {
    const { server, tool, input, caller } = request;
    const ruled = this.#ruled(request);
    if (typeof ruled === 'object') {
      return ruled;
    }
    if (ruled === 'ask' || caller === 'user' || (request.skills ?? []).length > 0) {
      return undefined;
    }
    if (ruled === 'allow' && caller === 'model') {
      return { kind: 'allowed', input, because: 'ruled' };
    }
    if (this.#find(request)?.changes.length === 0) {
      return { kind: 'allowed', input, because: 'remembered' };
    }
    // Trust in a server does not cover extensions that use it.
    const isTrusted = caller === 'model' && this.#services.trusted.isTrusted(server);
    return isTrusted && claimsOf(tool).effect === 'readOnly'
      ? { kind: 'allowed', input, because: 'trusted' }
      : undefined;
  }

  #ruled({ server, tool }: Pick<ToolRequest, 'server' | 'tool'>): Ruled | undefined {
    return ruledBy(this.#services.rules(), server, tool.name);
  }

  async #ask(request: ToolRequest, signal: AbortSignal): Promise<ApprovalOutcome> {
    const { server, tool } = request;
    const { questions, prompt } = this.#services;
    let { input } = request;
    return questions.run<ApprovalOutcome>(
      { server: server.name, serverId: server.id, about: 'toolCall', text: displayLabel(tool) },
      async (turn) => {
        // The user may have allowed the tool for longer while this request waited.
        const outcome = this.#withoutQuestion({ ...request, input });
        if (outcome !== undefined) {
          return outcome;
        }
        const question = this.#questionOf({ ...request, input });
        const answer = await prompt.confirmTool(question, turn);
        turn.signal.throwIfAborted();
        if (answer.kind === 'deny') {
          return byHand;
        }
        if (answer.kind === 'later') {
          ({ input } = answer);
          return later;
        }
        if (request.caller === 'user') {
          questions.expect(server.id);
        }
        const isForSession = request.caller === 'app' && question.scopes.includes('session');
        const scope = isForSession ? 'session' : answer.scope;
        if (scope !== 'once') {
          await this.#remember(request, scope);
        }
        return { kind: 'allowed', input: answer.input, because: 'asked' };
      },
      signal,
    );
  }

  /** @returns what was decided for all; a call that is missing is asked about on its own */
  #askJointly(
    requests: readonly ToolRequest[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<ToolRequest, ApprovalOutcome>> {
    const { questions, prompt } = this.#services;
    const names = new Set(requests.map(({ server }) => server.name));
    return questions.run<ReadonlyMap<ToolRequest, ApprovalOutcome>>(
      {
        server: [...names].join(', '),
        serverId: requests[0]?.server.id ?? '',
        about: 'toolCall',
        text: requests.map(({ tool }) => displayLabel(tool)).join(', '),
      },
      async (turn) => {
        // As for one: the user may have allowed some for longer while this waited.
        const open = requests.filter((request) => this.#withoutQuestion(request) === undefined);
        if (open.length < 2) {
          return new Map();
        }
        const listed = open.map((request) => this.#questionOf(request));
        const answer = await prompt.confirmTools(listed, turn);
        switch (answer) {
          case 'run':
            return new Map(
              open.map((one) => [one, { kind: 'allowed', input: one.input, because: 'asked' }]),
            );
          case 'deny':
            return new Map(open.map((one) => [one, byHand]));
          case 'each':
            return new Map();
          case 'later':
            return later;
        }
      },
      signal,
    );
  }

  #questionOf(request: ToolRequest): ToolQuestion {
    const { server, tool, caller, skills = [] } = request;
    const isAlwaysAsked = caller === 'user' || skills.length > 0 || this.#ruled(request) === 'ask';
    const { changes = [], text: before } = this.#find(request) ?? {};
    return {
      ...request,
      claims: claimsOf(tool),
      isTrusted: this.#services.trusted.isTrusted(server),
      changes,
      ...(before !== undefined && { before }),
      // A remembered answer would have no effect.
      scopes: isAlwaysAsked ? [] : rememberedScopes(server),
    };
  }

  async #remember(request: ToolRequest, scope: RememberedScope): Promise<void> {
    const { server, tool } = request;
    if (!rememberedScopes(server).includes(scope)) {
      return;
    }
    const text = definitionText(tool);
    const approval: Approval = {
      ...subjectOf(request),
      serverName: server.name,
      toolLabel: displayLabel(tool),
      scope,
      definition: definitionOf(server, tool),
      ...(text !== undefined && { text }),
    };
    this.#record('remembered', approval);
    await this.#answers.add(approval);
  }

  /** The answer for the tool's current definition, else one for an earlier definition; and what has changed since. */
  #find(
    request: ToolRequest,
  ): (Approval & { readonly changes: readonly DefinitionPart[] }) | undefined {
    const { server, tool } = request;
    const key = keyOf(subjectOf(request));
    const scopes = rememberedScopes(server);
    const now = definitionOf(server, tool);
    const found = this.#answers
      .list()
      .filter((approval) => keyOf(approval) === key && scopes.includes(approval.scope))
      .map((approval) => ({ ...approval, changes: changesIn(approval.definition, now) }));
    return found.find(({ changes }) => changes.length === 0) ?? found[0];
  }
}

function noteOf(outcome: ApprovalOutcome): Pick<AuditEntry, 'outcome' | 'by' | 'because'> {
  if (outcome.kind === 'denied') {
    return outcome.isRuled === true
      ? { outcome: 'denied', by: 'rule', because: 'ruled' }
      : { outcome: 'denied', by: 'hand' };
  }
  return outcome.because === 'asked'
    ? { outcome: 'allowed', by: 'hand' }
    : { outcome: 'allowed', by: 'rule', because: outcome.because };
}

function subjectOf({ server, tool, extension, caller }: ToolRequest): Subject {
  return {
    serverId: server.id,
    tool: tool.name,
    ...(extension !== undefined && { extension: extension.id }),
    ...(caller === 'app' && { app: true }),
  };
}
