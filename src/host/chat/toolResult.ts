/**
 * A tool's result for the model and for the user: by audience, within limits, without duplicates. Pure; does not decide
 * how it looks in chat.
 */
import { beginningOf } from '../../base/text.ts';
import type { ContentBlock, ResourceLink, Annotations } from '../../mcp/types/content.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { CallToolResult, GetPromptResult } from '../../mcp/types/methods.ts';
import { hasApp } from '../apps/toolUi.ts';
import { type ResourceContent, readAnnotations } from '../resources/resourceContents.ts';
import type { ModelPart } from '../models/model.ts';
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
  /** 1 the most important, 0 the least (schema of revision 2025-11-25, Annotations.priority). */
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
  ].map((text): Piece => ({ part: { kind: 'text', text }, priority: 1 }));
  const body = [
    ...result.content
      .filter((block) => isFor('assistant', block.annotations))
      .map((block) => pieceOf(block)),
    ...(isForView(tool, result) ? [] : structured(result, outputProblems)),
  ];
  if (body.length === 0) {
    const text =
      result.content.length === 0
        ? 'The tool returned no content.'
        : 'The result was shown to the user and is not meant for you.';
    body.push({ part: { kind: 'text', text }, priority: 1 });
  }
  return fit([...head, ...body], limits);
}

/** The contents of a resource that the model asked for. */
export function resourceParts(
  contents: readonly ResourceContent[],
  limits: ResultLimits,
): FedResult {
  return fit(
    contents.map((content) => ({ priority: usualPriority, part: readPart(content) })),
    limits,
  );
}

/** One of the contents of a resource, in the form that a model can take. */
export function readPart(content: ResourceContent): ModelPart {
  return content.kind === 'text'
    ? { kind: 'text', text: content.text }
    : dataPart(content.bytes, content.mimeType ?? '', content.uri);
}

/** The messages of a prompt that the model asked for, each with its role: a result has no roles of its own. */
export function promptParts(
  { description, messages }: GetPromptResult,
  limits: ResultLimits,
): FedResult {
  const head = description === undefined ? [] : [`Description: ${description}`];
  const shown = messages.filter(({ content }) => isFor('assistant', content.annotations));
  return fit(
    [
      ...head.map((text): Piece => ({ part: { kind: 'text', text }, priority: usualPriority })),
      ...shown.flatMap(({ role, content }): readonly Piece[] => {
        const { part, priority } = pieceOf(content);
        const texts = part.kind === 'text' ? [`${role}: ${part.text}`] : [`${role}:`];
        return [
          ...texts.map((text): Piece => ({ part: { kind: 'text', text }, priority })),
          ...(part.kind === 'text' ? [] : [{ part, priority }]),
        ];
      }),
    ],
    limits,
  );
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
export function contentPart(block: ContentBlock): ModelPart {
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: block.text };
    case 'image':
      return dataPart(Buffer.from(block.data, 'base64'), block.mimeType, 'an image');
    case 'audio':
      return shownOnly('A sound', block.mimeType, Buffer.byteLength(block.data, 'base64'));
    case 'resource_link':
      return { kind: 'text', text: linkText(block) };
    case 'resource': {
      const { resource } = block;
      return 'text' in resource
        ? { kind: 'text', text: `Resource ${resource.uri}:\n${resource.text}` }
        : dataPart(
            Buffer.from(resource.blob, 'base64'),
            resource.mimeType ?? '',
            `the resource ${resource.uri}`,
          );
    }
    default:
      return { kind: 'text', text: JSON.stringify(block) };
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
function dataPart(bytes: Uint8Array, mimeType: string, what: string): ModelPart {
  return /^image\/(?:png|jpe?g|gif|webp)$/iu.test(mimeType)
    ? { kind: 'data', mimeType, bytes }
    : shownOnly(what, mimeType, bytes.byteLength);
}

function shownOnly(what: string, mimeType: string, size: number): ModelPart {
  const type = mimeType === '' ? 'of an unknown type' : `of type ${mimeType}`;
  return { kind: 'text', text: `[${what} ${type}, ${size} bytes, which only the user can open]` };
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
  const text = JSON.stringify(structuredContent);
  return isRepeated ? [] : [{ part: { kind: 'text', text }, priority: usualPriority }];
}

/** In the given order. */
function fit(pieces: readonly Piece[], limits: ResultLimits): FedResult {
  const { fitting, cutChars } = fitPieces(pieces, limits);
  return { parts: pieces.flatMap((piece) => fitting.get(piece) ?? []), cutChars };
}

/** The most important pieces get the room first. One that does not fit is replaced by a part that says so. */
export function fitPieces(
  pieces: readonly Piece[],
  limits: ResultLimits,
): { readonly fitting: ReadonlyMap<Piece, ModelPart>; readonly cutChars: number } {
  let room = limits.maxChars;
  let images = limits.maxImages;
  let cutChars = 0;
  const fitting = new Map<Piece, ModelPart>();
  for (const piece of pieces.toSorted((a, b) => b.priority - a.priority)) {
    const { part } = piece;
    if (part.kind === 'text') {
      cutChars += Math.max(0, part.text.length - room);
      fitting.set(piece, shortened(part, room));
      room = Math.max(0, room - part.text.length);
    } else if (part.kind === 'data') {
      const isFine = images > 0 && part.bytes.byteLength <= limits.maxImageBytes;
      images -= isFine ? 1 : 0;
      fitting.set(
        piece,
        isFine ? part : shownOnly('An image', part.mimeType, part.bytes.byteLength),
      );
    }
  }
  return { fitting, cutChars };
}

type TextPart = Extract<ModelPart, { kind: 'text' }>;

/** The same part if it fits, else the beginning of its text, and how much is missing. */
export function shortened(part: TextPart, maxChars: number): TextPart {
  if (part.text.length <= maxChars) {
    return part;
  }
  const kept = beginningOf(part.text, maxChars);
  const left = part.text.length - kept.length;
  return { kind: 'text', text: `${kept}\n[${left} more characters were left out]` };
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
