/**
 * Asks the model and limits its answer to the request: to the allowed tokens, and to the text before a stop sequence,
 * whether or not the provider respects these. Tool calls of the model are returned; nothing here runs them (SAMP-16).
 */
import { toError } from '../../base/async.ts';
import { stableStringify } from '../../base/json.ts';
import { beginningOf } from '../../base/text.ts';
import type { SamplingContent, CreateMessageResult } from '../../mcp/types/clientFeatures.ts';
import { contentOf } from '../chat/modelContext.ts';
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
  /** Receives the characters of each part. */
  readonly onPart: (chars: number) => void;
}

export interface ModelOutcome {
  readonly answer: SampledAnswer;
  readonly tokens: number;
}

/** @throws what the model's `send` throws */
export async function askModel(task: ModelTask, signal: AbortSignal): Promise<ModelOutcome> {
  const collected = new Collected(task);
  for await (const part of task.model.send(task.prepared.forModel, signal)) {
    if (await collected.take(part)) {
      break; // the rest would be paid for and thrown away
    }
  }
  signal.throwIfAborted();
  return collected.end();
}

class Collected {
  readonly #task: ModelTask;
  #blocks: SamplingContent[] = [];
  #stop: SampledAnswer['stop'];
  /** Characters of the answer up to which it cannot have too many tokens. */
  #safeLength: number;

  constructor(task: ModelTask) {
    this.#task = task;
    // A token has at least one character, with rare exceptions: the last count is exact.
    this.#safeLength = task.maxTokens;
  }

  /** True when the limit is reached. */
  async take(part: ModelPart): Promise<boolean> {
    this.#task.onPart(charsOf(part));
    switch (part.kind) {
      case 'text':
        this.#addText(part.text);
        break;
      case 'toolCall': {
        const name = this.#task.prepared.toolNames.get(part.tool) ?? part.tool;
        this.#blocks.push({ type: 'tool_use', id: part.callId, name, input: part.input });
        break;
      }
      case 'data':
        this.#addData(part);
        break;
      case 'toolResult':
        break;
    }
    if (this.#stop !== undefined || this.#written().length >= this.#safeLength) {
      await this.#limit();
    }
    return this.#stop !== undefined;
  }

  async end(): Promise<ModelOutcome> {
    const { count, prepared, note } = this.#task;
    await this.#limit();
    const calls = this.#blocks.filter((block) => block.type === 'tool_use');
    if (calls.length === 0 && prepared.forModel.toolMode === 'required' && !this.#stop) {
      note('The model called no tool, although one is required');
    }
    return {
      answer: { content: this.#blocks, stop: this.#stop },
      tokens: await count(this.#written()),
    };
  }

  #addText(added: string): void {
    const last = this.#blocks.at(-1);
    const text = last?.type === 'text' ? last.text + added : added;
    const ends = this.#task.stopSequences
      .map((sequence) => (sequence === '' ? -1 : text.indexOf(sequence)))
      .filter((index) => index >= 0);
    if (ends.length > 0) {
      this.#stop = 'stopSequence';
    }
    if (last?.type === 'text') {
      this.#blocks.pop();
    }
    const kept = text.slice(0, Math.min(text.length, ...ends));
    this.#blocks.push({ type: 'text', text: kept });
  }

  #addData({ mimeType, bytes }: ModelPart & { readonly kind: 'data' }): void {
    if (mimeType.startsWith('image/')) {
      const data = Buffer.from(bytes).toString('base64');
      this.#blocks.push({ type: 'image', data, mimeType });
    } else {
      this.#task.note(`A part of the answer of type ${mimeType} was left out`);
    }
  }

  async #limit(): Promise<void> {
    const { count, maxTokens } = this.#task;
    const text = this.#written();
    const tokens = await count(text);
    this.#safeLength = text.length + maxTokens - tokens;
    if (tokens > maxTokens) {
      this.#stop = 'maxTokens';
      this.#cut(await longestWithin(text, maxTokens, count));
    }
  }

  #written(): string {
    return this.#blocks.map(writtenIn).join('');
  }

  /** Keeps the first `length` characters, and drops what came after them. A call is whole or not there. */
  #cut(length: number): void {
    const kept: SamplingContent[] = [];
    let left = length;
    for (const block of this.#blocks) {
      const { length: size } = writtenIn(block);
      if (size > left) {
        if (block.type === 'text') {
          kept.push({ type: 'text', text: beginningOf(block.text, left) });
        }
        break;
      }
      kept.push(block);
      left -= size;
    }
    this.#blocks = kept;
  }
}

/** What the model wrote of a block. */
function writtenIn(block: SamplingContent): string {
  if (block.type === 'tool_use') {
    return block.name + stableStringify(block.input);
  }
  return block.type === 'text' ? block.text : '';
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
  return low;
}

export interface SampledAnswer {
  /** Texts, tool uses and images, in the model's order. */
  readonly content: readonly SamplingContent[];
  /** Why the rest is missing; undefined where nothing is. */
  readonly stop: 'stopSequence' | 'maxTokens' | undefined;
}

export function stopReasonOf({ content, stop }: SampledAnswer) {
  return stop ?? (content.some(({ type }) => type === 'tool_use') ? 'toolUse' : 'endTurn');
}

/** One block where the revision has no lists, or where one is enough (TRAP-42). */
export function toMessage(
  { content, stop }: SampledAnswer,
  model: Model,
  revision: Revision,
): CreateMessageResult {
  const blocks = revisions[revision].samplesTools ? content : [oneBlock(content)];
  const [first = emptyText, ...others] = blocks;
  return {
    role: 'assistant',
    content: others.length === 0 ? first : blocks,
    model: model.id,
    stopReason: stopReasonOf({ content: blocks, stop }),
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
    return tokensByLength(text.length);
  };
}

export function tokensByLength(chars: number): number {
  return Math.ceil(chars / charactersPerToken);
}

function charsOf(part: ModelPart): number {
  switch (part.kind) {
    case 'text':
      return part.text.length;
    case 'toolCall':
      return stableStringify(part.input).length;
    case 'data':
    case 'toolResult':
      return 0;
  }
}

export async function countRequest(
  { messages, tools }: ModelRequest,
  count: TokenCount,
): Promise<number> {
  const { texts, images } = contentOf(messages);
  const all = [...texts, ...tools.map((tool) => JSON.stringify(tool))];
  return (await count(all.join('\n'))) + images * tokensPerPicture;
}
