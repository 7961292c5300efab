/** Counts tokens with the model's own count, or estimates them by length when it has none. */
import { toError } from '../../base/async.ts';
import type { Model, ModelPart, ModelRequest } from '../models/model.ts';

/** The usual estimate for English texts. */
const charactersPerToken = 4;
/** The price of one ordinary picture at vendors; the editor cannot count it. */
const tokensPerPicture = 1_000;

export type TokenCount = (text: string) => Promise<number>;

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
