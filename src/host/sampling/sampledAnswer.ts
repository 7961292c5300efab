/** A model's answer, and the message made of it for a server of each revision. Pure. */
import { type Revision, revisions } from '../../mcp/revisions.ts';
import type { CreateMessageResult, SamplingContent } from '../../mcp/types/clientFeatures.ts';
import type { Model } from '../models/model.ts';

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
