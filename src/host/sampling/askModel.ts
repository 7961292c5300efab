/**
 * Asks the model and limits its answer to the request: to the allowed tokens, and to the text before a stop sequence,
 * whether or not the provider respects these. Tool calls of the model are returned; nothing here runs them (SAMP-16).
 */
import { linkedController, toError } from '../../base/async.ts';
import { stableStringify } from '../../base/json.ts';
import type { SamplingContent, CreateMessageResult } from '../../mcp/types/clientFeatures.ts';
import type { Model, ModelPart, ModelRequest } from '../models/model.ts';
import type { PreparedRequest } from './modelRequest.ts';
import { type Revision, revisions } from '../../mcp/revisions.ts';

interface ModelTask {
  readonly model: Model;
  readonly prepared: PreparedRequest;
  readonly maxTokens: number;
  readonly stopSequences: readonly string[];
  readonly count: TokenCount;
  /** Receives sentences for the server's log. */
  readonly note: (sentence: string) => void;
}

export interface ModelOutcome {
  readonly answer: SampledAnswer;
  readonly tokens: number;
}

/** @throws what the model's `send` throws */
export async function askModel(task: ModelTask, signal: AbortSignal): Promise<ModelOutcome> {
  const link = linkedController(signal);
  const { controller } = link;
  const collected = new Collected(task);
  try {
    for await (const part of task.model.send(task.prepared.forModel, controller.signal)) {
      if (await collected.take(part)) {
        // The rest would be paid for and thrown away.
        controller.abort();
        break;
      }
    }
    signal.throwIfAborted();
    return await collected.end();
  } finally {
    link.dispose();
  }
}

class Collected {
  readonly #task: ModelTask;
  readonly #stopSequences: readonly string[];
  readonly #longestStop: number;
  #blocks: SamplingContent[] = [];
  #stop: 'stopSequence' | 'maxTokens' | undefined;
  /** Characters of all texts: how many were counted, and how many may follow before the next count. */
  #countedLength = 0;
  #room: number;

  constructor(task: ModelTask) {
    this.#task = task;
    this.#stopSequences = task.stopSequences.filter((sequence) => sequence !== '');
    this.#longestStop = this.#stopSequences.reduce((most, { length }) => Math.max(most, length), 0);
    // A token has at least one character, with rare exceptions: the last count is exact.
    this.#room = task.maxTokens;
  }

  /** True when the limit is reached. */
  async take(part: ModelPart): Promise<boolean> {
    switch (part.kind) {
      case 'text':
        this.#addText(part.text);
        await this.#limit(this.#stop !== undefined);
        break;
      case 'toolCall':
        this.#blocks.push({
          type: 'tool_use',
          id: part.callId,
          name: this.#task.prepared.toolNames.get(part.tool) ?? part.tool,
          input: part.input,
        });
        break;
      case 'data':
        this.#addData(part);
        break;
      case 'toolResult':
        break;
    }
    return this.#stop !== undefined;
  }

  async end(): Promise<ModelOutcome> {
    const { count, prepared, note } = this.#task;
    await this.#limit(true);
    const hasCall = this.#blocks.some(({ type }) => type === 'tool_use');
    if (!hasCall && prepared.forModel.toolMode === 'required' && this.#stop === undefined) {
      note('The model called no tool, although one is required');
    }
    const inputs = this.#blocks.flatMap((block) =>
      block.type === 'tool_use' ? [block.name, stableStringify(block.input)] : [],
    );
    return {
      answer: {
        content: this.#blocks,
        stopReason: this.#stop ?? (hasCall ? 'toolUse' : 'endTurn'),
      },
      tokens: await count([this.#text(), ...inputs].join('')),
    };
  }

  #addText(added: string): void {
    const last = this.#blocks.at(-1);
    const before = last?.type === 'text' ? last.text : '';
    const text = before + added;
    const from = Math.max(0, before.length - this.#longestStop + 1);
    const found = this.#stopSequences
      .map((sequence) => text.indexOf(sequence, from))
      .filter((index) => index >= 0);
    if (found.length > 0) {
      this.#stop = 'stopSequence';
    }
    const kept = text.slice(
      0,
      found.reduce((first, index) => Math.min(first, index), text.length),
    );
    const block: SamplingContent = { type: 'text', text: kept };
    this.#blocks =
      last?.type === 'text' ? [...this.#blocks.slice(0, -1), block] : [...this.#blocks, block];
  }

  #addData({ mimeType, bytes }: ModelPart & { readonly kind: 'data' }): void {
    if (mimeType.startsWith('image/')) {
      const data = Buffer.from(bytes).toString('base64');
      this.#blocks.push({ type: 'image', data, mimeType });
    } else {
      this.#task.note(`A part of the answer of type ${mimeType} was left out`);
    }
  }

  async #limit(isExact: boolean): Promise<void> {
    const { count, maxTokens } = this.#task;
    const text = this.#text();
    if (!isExact && text.length - this.#countedLength < this.#room) {
      return;
    }
    const tokens = await count(text);
    this.#countedLength = text.length;
    this.#room = maxTokens - tokens;
    if (tokens > maxTokens) {
      this.#stop = 'maxTokens';
      this.#cut(await longestWithin(text, maxTokens, count));
    }
  }

  #text(): string {
    return this.#blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
  }

  /** Keeps the first `length` characters of all texts, and drops what came after them. */
  #cut(length: number): void {
    const kept: SamplingContent[] = [];
    let left = length;
    for (const block of this.#blocks) {
      if (block.type === 'text' && block.text.length > left) {
        kept.push({ type: 'text', text: block.text.slice(0, left) });
        break;
      }
      kept.push(block);
      left -= block.type === 'text' ? block.text.length : 0;
    }
    this.#blocks = kept;
  }
}

/** The number of characters that make at most `maxTokens`. */
async function longestWithin(text: string, maxTokens: number, count: TokenCount): Promise<number> {
  let low = 0;
  let high = text.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((await count(text.slice(0, middle))) <= maxTokens) {
      low = middle;
    } else {
      high = middle;
    }
  }
  // Does not cut a surrogate pair.
  return /[\uD800-\uDBFF]$/u.test(text.slice(0, low)) ? low - 1 : low;
}

export interface SampledAnswer {
  /** Texts, tool uses and images, in the model's order. */
  readonly content: readonly SamplingContent[];
  readonly stopReason: 'endTurn' | 'stopSequence' | 'maxTokens' | 'toolUse';
}

/** One block where the revision has no lists, or where one is enough (TRAP-42). */
export function toMessage(
  { content, stopReason }: SampledAnswer,
  model: Model,
  revision: Revision,
): CreateMessageResult {
  const blocks = revisions[revision].samplesTools ? content : [oneBlock(content)];
  const [first = emptyText, ...others] = blocks;
  return {
    role: 'assistant',
    content: others.length === 0 ? first : blocks,
    model: model.id,
    stopReason,
  };
}

const emptyText: SamplingContent = { type: 'text', text: '' };

/** All text, or else the first image. */
function oneBlock(content: readonly SamplingContent[]): SamplingContent {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  const image = content.find(({ type }) => type === 'image');
  return text === '' && image !== undefined ? image : { type: 'text', text };
}

/** The usual estimate for English texts. */
const charactersPerToken = 4;
/** The price of one ordinary picture at vendors; the editor cannot count it. */
const tokensPerPicture = 1_000;

type TokenCount = (text: string) => Promise<number>;

export function tokenCount(
  model: Model,
  signal: AbortSignal,
  note: (sentence: string) => void,
): TokenCount {
  let isCountable = true;
  return async (text) => {
    if (text === '') {
      return 0;
    }
    if (isCountable) {
      try {
        return await model.countTokens(text, signal);
      } catch (error) {
        signal.throwIfAborted();
        isCountable = false;
        const reason = toError(error).message;
        note(`Tokens are estimated by length, since ${model.name} cannot count them: ${reason}`);
      }
    }
    return Math.ceil(text.length / charactersPerToken);
  };
}

export async function countRequest(request: ModelRequest, count: TokenCount): Promise<number> {
  const parts = request.messages.flatMap((message) => message.parts.flatMap(flat));
  const texts = parts.flatMap((part) => {
    switch (part.kind) {
      case 'text':
        return [part.text];
      case 'toolCall':
        return [part.tool, JSON.stringify(part.input)];
      case 'data':
      case 'toolResult':
        return [];
    }
  });
  const tools = request.tools.map((tool) => JSON.stringify(tool));
  const pictures = parts.filter(({ kind }) => kind === 'data').length;
  return (await count([...texts, ...tools].join('\n'))) + pictures * tokensPerPicture;
}

function flat(part: ModelPart): readonly ModelPart[] {
  return part.kind === 'toolResult' ? part.parts.flatMap(flat) : [part];
}
