/**
 * Which parts of a tool's result, of prompts and of resources reach the model, and which the user alone: by audience,
 * within limits, without duplicates, the most important first where there is not enough room. Pure; does not decide how
 * it looks in chat.
 */
import { beginningOf } from '../../base/text.ts';
import type { Annotations, ContentBlock, ResourceLink } from '../../mcp/types/content.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { CallToolResult, PromptMessage } from '../../mcp/types/methods.ts';
import { hasApp } from '../apps/toolUi.ts';
import { type ResourceContent, readAnnotations } from '../resources/resourceContents.ts';
import { type ContentPart, type ModelMessage, type ModelPart, textPart } from '../models/model.ts';
import type { ToolOutcome } from '../tools/callTool.ts';
import { repeatsStructure } from '../tools/resultView.ts';

export interface ResultLimits {
  /** Characters of all texts of one result. */
  readonly maxChars: number;
  /** Bytes of one image; larger ones are for the user only. */
  readonly maxImageBytes: number;
  readonly maxImages: number;
}

/** Of one result, of one prompt, and of all resources attached to one message. */
export const resultLimits: ResultLimits = {
  maxChars: 100_000,
  maxImageBytes: 4 * 1024 * 1024,
  maxImages: 10,
};

export interface FedResult {
  readonly parts: readonly ModelPart[];
  /** Characters that did not fit; the model is told, too. */
  readonly cutChars: number;
}

/** A part with its priority. */
export interface Piece {
  readonly part: ModelPart;
  readonly priority: number;
}

/** @param notes sentences of the host about the call, for example that the user changed the input */
export function toModelParts(
  tool: Tool,
  { result, outputProblems }: Extract<ToolOutcome, { kind: 'result' }>,
  limits: ResultLimits,
  notes: readonly string[] = [],
): FedResult {
  const head = [
    ...notes,
    ...(result.isError === true ? ['The tool reports an error:'] : []),
    ...outputProblems.map((problem) => `The server's structured output is wrong: ${problem}.`),
  ];
  const body = [
    ...result.content.filter(({ annotations }) => isFor('assistant', annotations)).map(pieceOf),
    ...(isForView(tool, result) ? [] : structured(result, outputProblems)),
  ];
  if (body.length === 0) {
    head.push(
      result.content.length === 0
        ? 'The tool returned no content.'
        : 'The result was shown to the user and is not meant for you.',
    );
  }
  const first = head.map((text) => ({ part: textPart(text), priority: 1 }));
  const { groups, cutChars } = fitGroups([[...first, ...body]], limits);
  return { parts: groups.flat(), cutChars };
}

/** The contents of a resource that the model asked for. */
export function resourceParts(
  contents: readonly ResourceContent[],
  limits: ResultLimits,
): readonly ModelPart[] {
  const pieces = contents.map((content) => ({ part: readPart(content), priority: usualPriority }));
  return fitGroups([pieces], limits).groups.flat();
}

/** One of the contents of a resource, in the form that a model can take. */
export function readPart(content: ResourceContent): ModelPart {
  return content.kind === 'text'
    ? textPart(content.text)
    : dataPart(content.bytes, content.mimeType ?? '', content.uri);
}

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

export type KeptBlock = Extract<ContentBlock, { type: 'image' | 'resource_link' | 'text' }>;

/**
 * Blocks for people (TOOL-09) that a model's answer does not replace: images, links, and texts that the model does not
 * get.
 */
export function keptBlocks({ content }: CallToolResult): readonly KeptBlock[] {
  return content.filter(
    (block): block is KeptBlock =>
      isFor('user', block.annotations) &&
      (block.type === 'image' ||
        block.type === 'resource_link' ||
        (block.type === 'text' && !isFor('assistant', block.annotations))),
  );
}

/** Every URI in a result: the model may read these resources, and no others. */
export function linkedUris({ content }: CallToolResult): readonly string[] {
  const shown = content.filter(({ annotations }) => isFor('assistant', annotations));
  return shown.flatMap((block) =>
    block.type === 'resource_link'
      ? [block.uri]
      : block.type === 'resource'
        ? [block.resource.uri]
        : [],
  );
}

/** A block of a tool or a prompt with its priority. */
export function pieceOf(block: ContentBlock): Piece {
  return { part: contentPart(block), priority: priorityOf(block.annotations) };
}

/** A block of a tool or a prompt, in the form that a model can take. */
export function contentPart(block: ContentBlock): ContentPart {
  switch (block.type) {
    case 'text':
      return textPart(block.text);
    case 'image':
      return dataPart(Buffer.from(block.data, 'base64'), block.mimeType, 'an image');
    case 'audio':
      return shownOnly('A sound', block.mimeType, Buffer.byteLength(block.data, 'base64'));
    case 'resource_link':
      return textPart(linkText(block));
    case 'resource': {
      const { resource } = block;
      return 'text' in resource
        ? textPart(`Resource ${resource.uri}:\n${resource.text}`)
        : dataPart(
            Buffer.from(resource.blob, 'base64'),
            resource.mimeType ?? '',
            `the resource ${resource.uri}`,
          );
    }
    default:
      return textPart(JSON.stringify(block));
  }
}

function linkText({ uri, name, title, description, mimeType, size }: ResourceLink): string {
  const facts = [
    title ?? name,
    description,
    mimeType,
    size === undefined ? undefined : `${size} bytes`,
  ].filter((fact) => fact !== undefined);
  return `Resource link ${uri} (${facts.join(', ')})`;
}

/** Only image types that models accept. */
function dataPart(bytes: Uint8Array, mimeType: string, what: string): ContentPart {
  return /^image\/(?:png|jpe?g|gif|webp)$/iu.test(mimeType)
    ? { kind: 'data', mimeType, bytes }
    : shownOnly(what, mimeType, bytes.byteLength);
}

function shownOnly(what: string, mimeType: string, size: number): TextPart {
  const type = mimeType === '' ? 'of an unknown type' : `of type ${mimeType}`;
  return textPart(`[${what} ${type}, ${size} bytes, which only the user can open]`);
}

/**
 * Whether the structured content is data for the tool's app, which the content tells to the model (APP-60).
 * https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#data-passing
 */
function isForView(tool: Tool, { content }: CallToolResult): boolean {
  return hasApp(tool) && content.length > 0;
}

/** Servers repeat structured content as text for clients that support only text: the model gets it once (TOOL-12). */
function structured(result: CallToolResult, outputProblems: readonly string[]): readonly Piece[] {
  const { structuredContent } = result;
  if (structuredContent === undefined || outputProblems.length > 0) {
    return [];
  }
  const isRepeated = result.content.some(
    (block) =>
      block.type === 'text' &&
      isFor('assistant', block.annotations) &&
      repeatsStructure(block.text, result),
  );
  return isRepeated
    ? []
    : [{ part: textPart(JSON.stringify(structuredContent)), priority: usualPriority }];
}

/** `audience`: it is left out as a whole. `room`: it was cut, or replaced by a note. */
export interface LeftOut {
  /** Index of the group. */
  readonly index: number;
  readonly why: 'audience' | 'room';
}

interface Fitted {
  /** For each group what fits, in the given order. */
  readonly groups: readonly (readonly ModelPart[])[];
  readonly leftOut: readonly LeftOut[];
  readonly cutChars: number;
}

/**
 * The most important pieces get the room first. One that does not fit is replaced by a part that says so; once the room
 * is used up, one note stands for all others.
 * @param groups such as messages; undefined for one that is not meant for the model
 */
export function fitGroups(
  groups: readonly (readonly Piece[] | undefined)[],
  limits: ResultLimits,
): Fitted {
  let room = limits.maxChars;
  let images = limits.maxImages;
  let cutChars = 0;
  const fitText = (part: TextPart): ModelPart | undefined => {
    const fitting = room === 0 ? undefined : shortened(part, room);
    cutChars += Math.max(0, part.text.length - room);
    room = Math.max(0, room - (fitting?.text.length ?? 0));
    return fitting;
  };
  const fit = (part: ModelPart): ModelPart | undefined => {
    if (part.kind === 'text') {
      return fitText(part);
    }
    if (part.kind !== 'data') {
      return part;
    }
    const size = part.bytes.byteLength;
    if (images === 0 || size > limits.maxImageBytes) {
      return fitText(shownOnly('An image', part.mimeType, size));
    }
    images -= 1;
    return part;
  };
  const byPriority = groups.flatMap((group) => group ?? []).toSorted(byImportance);
  const fitting = new Map(byPriority.map((piece) => [piece, fit(piece.part)]));
  const dropped = byPriority.filter((piece) => fitting.get(piece) === undefined);
  const [first] = dropped;
  if (first !== undefined) {
    fitting.set(first, textPart(`[parts left out for want of room: ${dropped.length}]`));
  }
  return {
    groups: groups.map((group) => (group ?? []).flatMap((piece) => fitting.get(piece) ?? [])),
    leftOut: groups.flatMap((group, index): readonly LeftOut[] => {
      if (group === undefined) {
        return [{ index, why: 'audience' }];
      }
      const isWhole = group.every((piece) => fitting.get(piece) === piece.part);
      return isWhole ? [] : [{ index, why: 'room' }];
    }),
    cutChars,
  };
}

function byImportance(a: Piece, b: Piece): number {
  return b.priority - a.priority;
}

type TextPart = Extract<ModelPart, { kind: 'text' }>;

/** The same part if it fits, else the beginning of its text, and how much is missing. */
export function shortened(part: TextPart, maxChars: number): TextPart {
  if (part.text.length <= maxChars) {
    return part;
  }
  const kept = beginningOf(part.text, maxChars);
  const left = part.text.length - kept.length;
  return textPart(`${kept}\n[${left} more characters were left out]`);
}

/** No audience, or an invalid one, means everybody. */
export function isFor(who: 'user' | 'assistant', annotations: Annotations | undefined): boolean {
  const { audience } = readAnnotations(annotations);
  return audience.length === 0 || audience.includes(who);
}

/** Content without priority is neither important nor unimportant. */
const usualPriority = 0.5;

/** 1 the most important, 0 the least (schema of revision 2025-11-25, Annotations.priority). */
export function priorityOf(annotations: Annotations | undefined): number {
  return readAnnotations(annotations).priority ?? usualPriority;
}
