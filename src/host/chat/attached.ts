/**
 * Which parts of prompts and attached resources reach a model: not those that a server means only for people, and the
 * most important first where there is not enough room. Reports what was left out. Pure.
 */
import type { Annotations } from '../../mcp/types/content.ts';
import type { PromptMessage } from '../../mcp/types/methods.ts';
import type { ResourceContent } from '../resources/resourceContents.ts';
import { type ModelMessage, type ModelPart, textPart } from '../models/model.ts';
import {
  fitGroups,
  isFor,
  type LeftOut,
  pieceOf,
  priorityOf,
  readPart,
  type ResultLimits,
  resultLimits,
} from './toolResult.ts';

/** Roles, order and kinds of content stay (PROM-05). */
export function promptForModel(
  messages: readonly PromptMessage[],
  limits: ResultLimits = resultLimits,
): { readonly messages: readonly ModelMessage[]; readonly leftOut: readonly LeftOut[] } {
  const { groups, leftOut } = fitGroups(
    messages.map(({ content }) =>
      isFor('assistant', content.annotations) ? [pieceOf(content)] : undefined,
    ),
    limits,
  );
  return {
    messages: messages.flatMap(({ role }, index) => {
      const parts = groups[index] ?? [];
      return parts.length === 0 ? [] : [{ role, parts }];
    }),
    leftOut,
  };
}

/**
 * The last message is the user's, because a model answers a user. Empty if nothing of the prompt is for a model and
 * nothing was added.
 */
export function fromPrompt(messages: readonly PromptMessage[], rest = ''): readonly ModelMessage[] {
  const turned = promptForModel(messages).messages;
  if (turned.length === 0 && rest === '') {
    return [];
  }
  const isAsked = turned.at(-1)?.role === 'user';
  const more = rest === '' && !isAsked ? 'Go on.' : rest;
  return more === '' ? turned : [...turned, { role: 'user', parts: [textPart(more)] }];
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
  const { groups, leftOut } = fitGroups(
    resources.map(({ annotations, contents }) => {
      const priority = priorityOf(annotations);
      return isFor('assistant', annotations)
        ? contents.map((content) => ({ part: readPart(content), priority }))
        : undefined;
    }),
    limits,
  );
  const parts = resources.flatMap(({ server, uri, annotations }, index) => {
    const head = textPart(`Resource of an MCP server ${JSON.stringify({ server, uri })}:`);
    return isFor('assistant', annotations) ? [head, ...(groups[index] ?? [])] : [];
  });
  return { parts, leftOut };
}
