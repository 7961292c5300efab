/**
 * The loop behind the chat participant: the model answers, its calls are carried out, and their results go back, until
 * it makes no more calls. Knows no editor; approvals decide who may call what.
 */
import { isMcpError } from '../../mcp/errors.ts';
import {
  type Model,
  type ModelMessage,
  type ModelPart,
  type ModelTool,
  textPart,
} from '../models/model.ts';
import { settleTools } from '../catalog/catalog.ts';
import type { ResourceAddress } from '../resources/resourceAddress.ts';
import type { Skills } from '../skills/skills.ts';
import type { CallerServices } from '../tools/callTool.ts';
import { AgentCalls } from './agentCalls.ts';
import type { AgentEvent } from './agentEvents.ts';
import type { CallServices } from './callForModel.ts';
import type { AgentServer } from './agentServer.ts';
import { chosenTools, type EditorTools } from './editorTools.ts';
import { OfferedTools } from './findTools.ts';
import {
  type AppText,
  charsPerToken,
  contentOf,
  contextMessage,
  fitMessages,
  type Turn,
  turnsTooMany,
  withoutImages,
} from './modelContext.ts';
import { buildRegistry, type ToolRegistry } from './modelTools.ts';
import { resultLimits } from './modelParts.ts';
import { type Summary, summarize, summaryMessage } from './summary.ts';
import type { ToolSelection } from './toolSelection.ts';

export const agentLimits = {
  /** Requests to the model for one question. */
  maxRounds: 25,
  /** The share of the model's input that one result may take. */
  maxResultShare: 0.25,
} as const;

export interface AgentTask extends CallerServices {
  readonly model: Model;
  /** Called before each request, so that new servers and tools are included (VSC-27). */
  readonly servers: () => readonly AgentServer[];
  readonly selection: Pick<ToolSelection, 'isOn'>;
  readonly skills: Skills;
  readonly editorTools: EditorTools;
  /** Absent: the editor draws no apps. */
  readonly draw?: NonNullable<CallServices['draw']>;
  /** Tools that one request may offer. */
  readonly maxTools: number;
  /** What live apps say, for this question alone: the history does not keep it. */
  readonly apps: readonly AppText[];
  /** Earlier turns, oldest first. */
  readonly history: readonly Turn[];
  /** Stands for the oldest of them. */
  readonly summary?: Summary | undefined;
  /** Resources to which tools have linked in them. */
  readonly links: readonly ResourceAddress[];
  /** The current question, at least one message; the last one is the user's. */
  readonly messages: readonly ModelMessage[];
  readonly emit: (event: AgentEvent) => void;
  readonly signal: AbortSignal;
}

export interface AgentEnd {
  /** `roundLimit`: the model was not finished. */
  readonly kind: 'answered' | 'roundLimit';
  /** What followed the question: answers, calls and results. */
  readonly transcript: readonly ModelMessage[];
  /** Servers of which a tool has run, in order of first use. */
  readonly used: readonly AgentServer[];
  /** For the next question; the same object as before unless the model had to write it anew. */
  readonly summary: Summary | undefined;
  /** For the next question. */
  readonly links: readonly ResourceAddress[];
}

/**
 * @throws what the model fails with; the signal's reason when it aborts, after every running call was cancelled on its
 * server
 */
export async function runAgent(task: AgentTask): Promise<AgentEnd> {
  return new AgentRun(task).run();
}

class AgentRun {
  readonly #task: AgentTask;
  readonly #shelf: OfferedTools;
  readonly #calls: AgentCalls;
  readonly #transcript: ModelMessage[] = [];
  #knownTools: ReadonlySet<string> | undefined;
  #summary: Summary | undefined;
  #canSummarize = true;
  #takesImages = true;
  #wasCut = false;

  constructor(task: AgentTask) {
    this.#task = task;
    this.#summary = task.summary;
    this.#shelf = new OfferedTools(task.maxTools, contentOf(task.messages).texts.join('\n'));
    const { maxInputTokens } = task.model;
    const share = Math.floor(maxInputTokens * charsPerToken * agentLimits.maxResultShare);
    this.#calls = new AgentCalls({
      ...task,
      shelf: this.#shelf,
      history: [...task.history.flat(), ...task.messages],
      limits: { ...resultLimits, maxChars: Math.min(resultLimits.maxChars, share) },
    });
  }

  async run(): Promise<AgentEnd> {
    for (let round = 0; round < agentLimits.maxRounds; round += 1) {
      const registry = this.#registry();
      const tools = this.#shelf.choose(registry, this.#calls.ownTools);
      if (round === 0) {
        this.#tellLimit(registry, tools);
      }
      const answer = await this.#ask(tools);
      const calls = answer.filter((part) => part.kind === 'toolCall');
      if (answer.length > 0) {
        this.#transcript.push({ role: 'assistant', parts: answer });
      }
      if (calls.length === 0) {
        return this.#end('answered');
      }
      const results = await this.#calls.run(calls, registry, this.#task.signal);
      this.#transcript.push({ role: 'user', parts: results });
      await settleTools(this.#task.servers(), this.#task.signal);
    }
    return this.#end('roundLimit');
  }

  #end(kind: AgentEnd['kind']): AgentEnd {
    const { used, links } = this.#calls;
    return { kind, transcript: this.#transcript, used, summary: this.#summary, links };
  }

  #registry(): ToolRegistry {
    const { editorTools, servers, selection } = this.#task;
    const ofEditor = chosenTools(editorTools, servers(), selection);
    const registry = buildRegistry(servers(), selection, ofEditor);
    const before = this.#knownTools;
    this.#knownTools = new Set([...(before ?? []), ...registry.offered.keys()]);
    const added = [...registry.offered.entries()].filter(([name]) => before?.has(name) === false);
    if (added.length > 0) {
      this.#shelf.welcome(added.map(([name]) => name));
      this.#task.emit({ kind: 'toolsAdded', tools: added.map(([, tool]) => tool) });
    }
    return registry;
  }

  /** Once per question: tools that are added later have an event of their own. */
  #tellLimit({ offered }: ToolRegistry, tools: readonly ModelTool[]): void {
    const given = new Set(tools.map(({ name }) => name));
    const leftOut = [...offered.values()].filter(({ forModel }) => !given.has(forModel.name));
    if (leftOut.length > 0) {
      const limit = this.#task.maxTools;
      this.#task.emit({ kind: 'toolsOverLimit', count: offered.size, limit, leftOut });
    }
  }

  async #ask(tools: readonly ModelTool[]): Promise<readonly ModelPart[]> {
    await this.#summarize(tools);
    const { maxInputTokens } = this.#task.model;
    const { messages, isCut } = fitMessages(this.#conversation(), tools, maxInputTokens);
    if (isCut && !this.#wasCut) {
      this.#wasCut = true;
      this.#task.emit({ kind: 'historyCut' });
    }
    const answer: ModelPart[] = [];
    try {
      await this.#receive(this.#takesImages ? messages : withoutImages(messages), tools, answer);
    } catch (error) {
      const mayBeImages =
        this.#takesImages &&
        answer.length === 0 &&
        isMcpError(error) &&
        error.code === 'unsupported' &&
        contentOf(messages).images > 0;
      if (!mayBeImages) {
        throw error;
      }
      // The editor does not say which models accept images: this one has refused.
      this.#takesImages = false;
      await this.#receive(withoutImages(messages), tools, answer);
      this.#task.emit({ kind: 'imagesLeftOut' });
    }
    return answer;
  }

  #conversation() {
    const { servers, apps, history, messages } = this.#task;
    const context = contextMessage(servers(), apps);
    return {
      head: this.#summary === undefined ? [context] : [context, summaryMessage(this.#summary)],
      history: history.slice(this.#summary?.turns ?? 0),
      current: [...messages, ...this.#transcript],
    };
  }

  /** Does nothing as long as all turns fit. A model that cannot do it is asked once. */
  async #summarize(tools: readonly ModelTool[]): Promise<void> {
    const { model, emit, signal } = this.#task;
    const conversation = this.#conversation();
    const count = turnsTooMany(conversation, tools, model.maxInputTokens);
    if (count === 0 || !this.#canSummarize) {
      return;
    }
    emit({ kind: 'summarizing' });
    const old = conversation.history.slice(0, count);
    const text = await summarize(model, old, this.#summary, signal);
    this.#canSummarize = text !== undefined;
    if (text !== undefined) {
      this.#summary = { text, turns: (this.#summary?.turns ?? 0) + count };
      emit({ kind: 'summarized', text });
    }
  }

  async #receive(
    messages: readonly ModelMessage[],
    tools: readonly ModelTool[],
    answer: ModelPart[],
  ): Promise<void> {
    const request = {
      messages,
      tools,
      justification: 'To answer your question to @mcp with the tools of your MCP servers',
    } as const;
    for await (const part of this.#task.model.send(request, this.#task.signal)) {
      this.#task.signal.throwIfAborted();
      if (part.kind === 'text') {
        this.#task.emit({ kind: 'text', text: part.text });
        const last = answer.at(-1);
        if (last?.kind === 'text') {
          answer[answer.length - 1] = textPart(last.text + part.text);
          continue;
        }
      }
      answer.push(part);
    }
    this.#task.signal.throwIfAborted();
  }
}
