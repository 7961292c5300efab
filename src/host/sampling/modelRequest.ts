/**
 * Converts a server's request to one for the editor's models, which support neither system prompts nor most parameters.
 * `notes` says what was changed.
 *
 * The system prompt becomes the first message, in the user's role. `maxTokens`, `temperature` and `stopSequences`
 * become options of the provider, who may ignore them; askModel.ts enforces the first and the last on the answer, too.
 * `includeContext` adds nothing.
 */
import { invalidParams } from '../../mcp/errors.ts';
import { blocksOf } from '../../mcp/samplingParams.ts';
import type {
  CreateMessageRequest,
  SamplingContent,
  ToolResultContent,
} from '../../mcp/types/clientFeatures.ts';
import type { ContentBlock } from '../../mcp/types/content.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { modelSchema } from '../chat/modelSchema.ts';
import { contentPart } from '../chat/modelParts.ts';
import { acceptedName, hashedName } from '../chat/modelTools.ts';
import {
  type ContentPart,
  type ModelMessage,
  type ModelPart,
  type ModelRequest,
  type ModelTool,
  textPart,
} from '../models/model.ts';

export interface PreparedRequest {
  readonly forModel: ModelRequest;
  /** The server's names of tools, by the names that the model uses. */
  readonly toolNames: ReadonlyMap<string, string>;
  /** Deviations from the server's request, in sentences for its log. */
  readonly notes: readonly string[];
}

/** @throws RpcError -32602 for content that no model of the editor accepts */
export function toModelRequest(request: CreateMessageRequest, server: string): PreparedRequest {
  const notes = parameterNotes(request);
  const { tools, isUrged, ...mode } = pickTools(request, notes);
  const names = new Map<string, string>();
  const messages = request.messages.map((message): ModelMessage => ({
    role: message.role,
    parts: blocksOf(message).map((block) => toPart(block, names)),
  }));
  const system = [
    request.systemPrompt ?? '',
    isUrged === true ? 'Answer by calling one of the tools.' : '',
  ].filter((text) => text !== '');
  const { maxTokens, temperature, stopSequences } = request;
  return {
    forModel: {
      messages: [
        ...(system.length === 0 ? [] : [{ role: 'user' as const, parts: system.map(textPart) }]),
        ...messages,
      ],
      tools: tools.map(({ name, description, title, schema }) => ({
        name: nameForModel(name, names),
        description: description ?? title ?? name,
        inputSchema: schema,
      })),
      ...mode,
      justification: `The MCP server "${server}" asks for an answer of the model.`,
      options: {
        max_tokens: maxTokens,
        ...(temperature !== undefined && { temperature }),
        ...(stopSequences !== undefined && stopSequences.length > 0 && { stop: stopSequences }),
      },
    },
    toolNames: new Map([...names].map(([own, forModel]) => [forModel, own])),
    notes,
  };
}

function parameterNotes({ includeContext = 'none', metadata }: CreateMessageRequest): string[] {
  return [
    ...(includeContext === 'none'
      ? []
      : [`includeContext "${includeContext}" is ignored: nothing is added to the messages`]),
    ...(metadata === undefined
      ? []
      : ['The metadata is not passed on: the editor has no place for it']),
  ];
}

interface PickedTools {
  readonly tools: readonly (Tool & { readonly schema: ModelTool['inputSchema'] })[];
  readonly toolMode?: 'required';
  /** A sentence tells the model to call a tool. */
  readonly isUrged?: true;
}

function pickTools({ tools = [], toolChoice }: CreateMessageRequest, notes: string[]): PickedTools {
  const mode = toolChoice?.mode ?? 'auto';
  if (mode === 'none' || tools.length === 0) {
    return { tools: [] };
  }
  const usable = tools.flatMap((tool) => {
    const outcome = modelSchema(tool.inputSchema);
    if (outcome.kind === 'unusable') {
      notes.push(`The tool "${tool.name}" is left out: ${outcome.reason}`);
      return [];
    }
    return [{ ...tool, schema: outcome.schema }];
  });
  if (mode === 'auto') {
    return { tools: usable };
  }
  if (usable.length === 0) {
    throw invalidParams(
      'no tool of "tools" can be given to a model, and "toolChoice" requires one',
    );
  }
  if (usable.length === 1) {
    return { tools: usable, toolMode: 'required' };
  }
  // In the editor's mode "required", providers refuse the whole request if it has several tools.
  notes.push('toolChoice "required" with several tools is passed on as a sentence to the model');
  return { tools: usable, isUrged: true };
}

/** A name that every provider accepts, the same in each round. */
function nameForModel(name: string, names: Map<string, string>): string {
  const forModel = acceptedName.test(name) ? name : hashedName(name, name);
  names.set(name, forModel);
  return forModel;
}

function toPart(block: SamplingContent, names: Map<string, string>): ModelPart {
  switch (block.type) {
    case 'tool_use': {
      const tool = nameForModel(block.name, names);
      return { kind: 'toolCall', callId: block.id, tool, input: block.input };
    }
    case 'tool_result':
      return { kind: 'toolResult', callId: block.toolUseId, parts: resultParts(block) };
    case 'text':
    case 'image':
    case 'audio':
      return takenPart(block);
  }
}

/** @throws as {@link toModelRequest} */
export function resultParts({
  content,
  isError,
  structuredContent,
}: ToolResultContent): readonly ContentPart[] {
  const parts = content.map(takenPart);
  return [
    ...(isError === true ? [textPart('The tool reports an error:')] : []),
    ...parts,
    ...(parts.length === 0 && structuredContent !== undefined
      ? [textPart(JSON.stringify(structuredContent))]
      : []),
  ];
}

function takenPart(block: ContentBlock): ContentPart {
  if (block.type === 'audio') {
    throw invalidParams('the editor has no model that takes audio');
  }
  return block.type === 'image'
    ? { kind: 'data', mimeType: block.mimeType, bytes: Buffer.from(block.data, 'base64') }
    : contentPart(block);
}
