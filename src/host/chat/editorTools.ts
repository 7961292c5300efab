/**
 * Tools of the editor, of other extensions and of the editor's own MCP servers in `@mcp`. The user chooses them in Select
 * Tools; the editor asks before it runs one, as in its own chat. It runs tools of ours, too, where it draws their apps.
 */
import { toError } from '../../base/async.ts';
import type { JsonSchema, Tool } from '../../mcp/types/lists.ts';
import { type ModelPart, type ModelTool, textPart } from '../models/model.ts';
import type { ToolInput } from '../toolApproval/approvals.ts';
import { hasApp } from '../apps/toolUi.ts';
import type { ServingBridge } from '../editorChat/editorChat.ts';
import type { AgentServer } from './agentServer.ts';
import type { Answer, CallServices } from './callForModel.ts';
import { type ResultLimits, shortened } from './modelParts.ts';
import { modelSchema } from './modelSchema.ts';
import { editorGroup, type ToolSelection } from './toolSelection.ts';

export interface EditorTool {
  /** Unique in the editor. */
  readonly name: string;
  readonly description: string;
  /** Absent if it takes no input. */
  readonly inputSchema?: JsonSchema | undefined;
  /** Whether it is a tool of an MCP server that the editor runs. */
  readonly isOfServer: boolean;
}

export interface EditorTools {
  readonly all: () => readonly EditorTool[];
  /** Rejects with what the tool fails with, also when the user does not allow it. */
  readonly call: (
    tool: string,
    input: ToolInput,
    signal: AbortSignal,
  ) => Promise<readonly ModelPart[]>;
}

/** Without the tools of these servers: the editor may run a server of ours, too, and no tool is offered twice. */
export function withoutOurs(
  tools: readonly EditorTool[],
  servers: Iterable<Pick<AgentServer, 'catalog'>>,
): readonly EditorTool[] {
  const ours = Map.groupBy(
    [...servers].flatMap(({ catalog }) => catalog.items('tools')),
    ({ description = '' }) => description,
  );
  return tools.filter((tool) => ours.get(saidOf(tool))?.some((one) => isSame(tool, one)) !== true);
}

interface Drawing {
  readonly editorTools: EditorTools;
  /** Undefined until there was a server to offer. */
  readonly bridge: () => Pick<ServingBridge, 'endpoint' | 'drawnCalls'> | undefined;
  /** Whether the user and the editor let apps be drawn. */
  readonly showsApps: () => boolean;
}

/**
 * The editor draws the app of a tool in the answer if it makes the call itself, which it does over the bridge. Where it
 * would ask once more about the call, the answer has a button for the app instead.
 */
export function drawnInAnswer({
  editorTools,
  bridge: bridgeNow,
  showsApps,
}: Drawing): NonNullable<CallServices['draw']> {
  return ({ call: { server, tool }, input }, make, signal) => {
    const bridge = bridgeNow();
    const endpoint = bridge?.endpoint(server.id);
    const canBeDrawn = hasApp(tool) && server.config.apps && showsApps() && runsUnasked(tool);
    if (bridge === undefined || endpoint?.isInUse !== true || !canBeDrawn) {
      return undefined;
    }
    const name = nameInEditor(editorTools.all(), endpoint.introducedAs, tool);
    return name === undefined
      ? undefined
      : bridge.drawnCalls.run({ server: server.id, tool: tool.name, input }, make, () =>
          editorTools.call(name, input, signal),
        );
  };
}

/** Undefined if the editor does not have the tool under the name that the bridge told, or has another like it. */
function nameInEditor(
  tools: readonly EditorTool[],
  introducedAs: string,
  tool: Tool,
): string | undefined {
  const [found, ...others] = tools.filter((one) => isSame(one, tool));
  return others.length === 0 && found?.name.startsWith(`mcp_${introducedAs}_`) === true
    ? found.name
    : undefined;
}

/** Whether the editor neither asks before a call nor before it passes the result on; seen from 1.110 to 1.139. */
function runsUnasked({ annotations }: Tool): boolean {
  return annotations?.readOnlyHint === true && annotations.openWorldHint !== true;
}

/** What the editor says of a tool without a description. */
const noDescription = '<empty>';

function saidOf({ description }: EditorTool): string {
  return description === noDescription ? '' : description;
}

function isSame(tool: EditorTool, { name, description = '' }: Tool): boolean {
  return tool.isOfServer && description === saidOf(tool) && tool.name.includes(inEditorName(name));
}

/** The editor puts the server first, replaces what is not a word, and cuts the name. */
function inEditorName(tool: string): string {
  return tool.replaceAll(/[^\w.-]/gu, '_').slice(0, 40);
}

/** The chosen tools, as a model gets them. */
export function chosenTools(
  { all }: Pick<EditorTools, 'all'>,
  servers: Iterable<Pick<AgentServer, 'catalog'>>,
  selection: Pick<ToolSelection, 'isOn'>,
): readonly ModelTool[] {
  const chosen = all().filter(({ name }) => selection.isOn({ serverId: editorGroup, tool: name }));
  return withoutOurs(chosen, servers).flatMap(({ name, description, inputSchema }) => {
    const outcome = modelSchema(inputSchema ?? { type: 'object' });
    return outcome.kind === 'usable' ? [{ name, description, inputSchema: outcome.schema }] : [];
  });
}

/** @throws the signal's reason when it aborts */
export async function callEditorTool(
  {
    editorTools,
    limits,
  }: {
    readonly editorTools: EditorTools;
    readonly limits: ResultLimits;
  },
  { tool, input }: { readonly tool: string; readonly input: ToolInput },
  signal: AbortSignal,
): Promise<Answer> {
  const end = (parts: readonly ModelPart[], isError: boolean): Answer => {
    const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
    const images = parts.filter(
      (part) => part.kind === 'data' && part.bytes.length <= limits.maxImageBytes,
    );
    const text = textPart(texts.join('\n'));
    return {
      parts: [shortened(text, limits.maxChars), ...images.slice(0, limits.maxImages)],
      isError,
    };
  };
  try {
    return end(await editorTools.call(tool, input, signal), false);
  } catch (error) {
    signal.throwIfAborted();
    return end([textPart(`The call failed: ${toError(error).message}`)], true);
  }
}
