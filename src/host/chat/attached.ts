/**
 * Which parts of prompts and attached resources reach a model: not those that a server means only for people, and the
 * most important first where there is not enough room. Reports what was left out. Pure.
 */
import type { Annotations } from '../../mcp/types/content.ts';
import type { PromptMessage } from '../../mcp/types/methods.ts';
import type { ResourceContent } from '../resources/resourceContents.ts';
import type { ModelMessage, ModelPart } from '../models/model.ts';
import {
  isFor,
  priorityOf,
  fitPieces,
  type Piece,
  pieceOf,
  readPart,
  type ResultLimits,
  resultLimits,
} from './toolResult.ts';

/** `audience`: it is left out as a whole. `room`: it was cut, or replaced by a note. */
export interface LeftOut {
  /** Index of the message or the resource. */
  readonly index: number;
  readonly why: 'audience' | 'room';
}

/** Roles and order stay (PROM-05). */
export function promptForModel(
  messages: readonly PromptMessage[],
  limits: ResultLimits = resultLimits,
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
  /** From the server's list; contents have no annotations of their own. */
  readonly annotations?: Annotations | undefined;
  readonly contents: readonly ResourceContent[];
}

/** The parts of one message, each resource with its address. */
export function resourcesForModel(
  resources: readonly AttachedResource[],
  limits: ResultLimits = resultLimits,
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
