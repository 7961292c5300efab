/** The editor's tools as the host's `EditorTools`: those of the editor, of other extensions, and of its own MCP servers. */
import * as vscode from 'vscode';
import { isObject, isString } from '../../base/json.ts';
import type { EditorTool, EditorTools } from '../../host/chat/editorTools.ts';
import { type ModelPart, textPart } from '../../host/models/model.ts';
import { optionalApi } from '../editor/optionalApi.ts';
import { toolNames } from '../ids.ts';
import { toPart } from './editorModel.ts';
import { withToken } from '../text/cancellation.ts';

/** The editor marks the tools of the MCP servers that it runs. */
const serverTag = 'mcp';
/** `@mcp` has all of these by itself. */
const ours: ReadonlySet<string> = new Set(Object.values(toolNames));

/** Without the tools of this extension. */
export function allEditorTools(): readonly EditorTool[] {
  return (optionalApi.lm?.tools ?? [])
    .filter(({ name }) => !ours.has(name))
    .map(({ name, description, inputSchema, tags }) => ({
      name,
      description,
      ...(isObject(inputSchema) && { inputSchema }),
      isOfServer: tags.includes(serverTag),
    }));
}

/** For one message to `@mcp`: the editor shows calls, and asks for them, in its answer. */
export function editorTools({
  toolInvocationToken,
}: Pick<vscode.ChatRequest, 'toolInvocationToken'>): EditorTools {
  return {
    all: allEditorTools,
    call: async (tool, input, signal) => {
      const { content } = await withToken(signal, (token) =>
        vscode.lm.invokeTool(tool, { toolInvocationToken, input }, token),
      );
      return content.flatMap((part) => partOf(part) ?? []);
    },
  };
}

function partOf(part: unknown): ModelPart | undefined {
  return part instanceof vscode.LanguageModelPromptTsxPart
    ? textPart(textsIn(part.value).join(''))
    : toPart(part);
}

/** A tree of elements, whose leaves have a member `text`. */
function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap(textsIn);
  }
  if (!isObject(value)) {
    return [];
  }
  return isString(value['text']) ? [value['text']] : Object.values(value).flatMap(textsIn);
}
