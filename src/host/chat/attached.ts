/**
 * What of prompts and of attached resources reaches a model: not what a server means for people alone,
 * and the most important first, where there is no room for everything. It says what was left out. Pure.
 */
import type { Annotations } from '../../mcp/types/content.ts';
import type { PromptMessage } from '../../mcp/types/methods.ts';
import type { ResourceContent } from '../resources/resourceContents.ts';
import type { ModelMessage, ModelPart } from '../models/model.ts';
import { isFor, priorityOf } from './audience.ts';
import { fitPieces, type Piece, pieceOf, readPart, type ResultLimits } from './toolResult.ts';

/** Of one prompt, and of all resources that are attached to one message. */
export const attachedLimits: ResultLimits = {
  maxChars: 100_000,
  maxImageBytes: 4 * 1024 * 1024,
  maxImages: 10,
};

/** `audience`: all of it is left out. `room`: it was cut, or stands in words for what it was. */
export interface LeftOut {
  /** Of the message, or of the resource. */
  readonly index: number;
  readonly why: 'audience' | 'room';
}

/** Roles and order stay (PROM-05). */
export function promptForModel(
  messages: readonly PromptMessage[],
  limits: ResultLimits = attachedLimits,
): { readonly messages: readonly ModelMessage[]; readonly leftOut: readonly LeftOut[] } {
  const pieces = messages.map(({ content }) =>
    isFor('assistant', content.annotations) ? pieceOf(content) : undefined,
  );
  const { fitting } = fitPieces(
    pieces.filter((piece) => piece !== undefined),
    limits,
  );
  const parts = pieces.map((piece) => piece && fitting.get(piece));
  return {
    messages: messages.flatMap(({ role }, index) => {
      const part = parts[index];
      return part === undefined ? [] : [{ role, parts: [part] }];
    }),
    leftOut: pieces.flatMap((piece, index) => leftOutAt(index, piece && [piece], fitting)),
  };
}

export interface AttachedResource {
  /** Name of the server. */
  readonly server: string;
  readonly uri: string;
  /** What the server lists of it; contents have none of their own. */
  readonly annotations?: Annotations | undefined;
  readonly contents: readonly ResourceContent[];
}

/** The parts of one message, each resource under its address. */
export function resourcesForModel(
  resources: readonly AttachedResource[],
  limits: ResultLimits = attachedLimits,
): { readonly parts: readonly ModelPart[]; readonly leftOut: readonly LeftOut[] } {
  const pieces = resources.map(({ annotations, contents }) =>
    isFor('assistant', annotations)
      ? contents.map((content) => ({
          part: readPart(content),
          priority: priorityOf(annotations),
        }))
      : undefined,
  );
  const { fitting } = fitPieces(
    pieces.flatMap((of) => of ?? []),
    limits,
  );
  return {
    parts: resources.flatMap(({ server, uri }, index): readonly ModelPart[] => {
      const own = pieces[index];
      const text = `Resource of an MCP server ${JSON.stringify({ server, uri })}:`;
      return own === undefined
        ? []
        : [{ kind: 'text', text }, ...own.flatMap((piece) => fitting.get(piece) ?? [])];
    }),
    leftOut: pieces.flatMap((own, index) => leftOutAt(index, own, fitting)),
  };
}

function leftOutAt(
  index: number,
  pieces: readonly Piece[] | undefined,
  fitting: ReadonlyMap<Piece, ModelPart>,
): readonly LeftOut[] {
  if (pieces === undefined) {
    return [{ index, why: 'audience' }];
  }
  return pieces.some((piece) => fitting.get(piece) !== piece.part) ? [{ index, why: 'room' }] : [];
}
