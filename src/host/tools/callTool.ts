/**
 * Calls a tool: input checked before, structured output checked after. Who wants the call, a person
 * or a model, makes no difference here; whoever needs an approval gets it before calling.
 */
import { isMcpError } from '../../mcp/errors.ts';
import type { CallOptions } from '../../mcp/era/session.ts';
import { revisions } from '../../mcp/revisions.ts';
import type { JsonSchema, Tool } from '../../mcp/types/lists.ts';
import type { CallToolResult } from '../../mcp/types/methods.ts';
import type { UseSession } from '../catalog/resources.ts';
import type { SchemaChecker } from '../ports.ts';

export interface ToolCall {
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly onProgress?: CallOptions['onProgress'];
}

export type ToolOutcome =
  /** Nothing was sent: the input does not fit the tool's schema. One sentence per violation. */
  | { readonly kind: 'invalidInput'; readonly problems: readonly string[] }
  | {
      readonly kind: 'result';
      /** May report an error of the tool itself (`isError`). */
      readonly result: CallToolResult;
      /** What is wrong with the structured output, which then must not be taken for right (TOOL-11, TOOL-12). */
      readonly outputProblems: readonly string[];
      /** Why input or output could not be checked: the tool's schema is unusable. */
      readonly unchecked: readonly string[];
    };

/** @throws McpError what the call itself fails with. */
export async function callTool(
  target: { readonly withSession: UseSession },
  checker: SchemaChecker,
  call: ToolCall,
): Promise<ToolOutcome> {
  const { tool, input } = call;
  const inputCheck = check(checker, tool.inputSchema, input, 'The input');
  if (inputCheck.problems.length > 0) {
    return { kind: 'invalidInput', problems: inputCheck.problems };
  }
  return target.withSession(async (session, signal): Promise<ToolOutcome> => {
    const options = { signal, ...(call.onProgress && { onProgress: call.onProgress }) };
    const result = await session.call('tools/call', { name: tool.name, arguments: input }, options);
    const { structuredOutput } = revisions[session.server.revision];
    const outputCheck = structuredOutput ? checkOutput(checker, tool, result) : unproblematic;
    return {
      kind: 'result',
      result,
      outputProblems: outputCheck.problems,
      unchecked: [...inputCheck.unchecked, ...outputCheck.unchecked],
    };
  }, call.signal);
}

interface Check {
  readonly problems: readonly string[];
  readonly unchecked: readonly string[];
}

const unproblematic: Check = { problems: [], unchecked: [] };

function checkOutput(checker: SchemaChecker, tool: Tool, result: CallToolResult): Check {
  // A tool that failed owes no structured output.
  if (tool.outputSchema === undefined || result.isError === true) {
    return unproblematic;
  }
  return result.structuredContent === undefined
    ? {
        problems: ['The tool declares an output schema and returned no structured content'],
        unchecked: [],
      }
    : check(checker, tool.outputSchema, result.structuredContent, 'The structured output');
}

/** A schema that cannot be used keeps no tool from being called: the server checks its input itself. */
function check(checker: SchemaChecker, schema: JsonSchema, value: unknown, what: string): Check {
  try {
    return { problems: checker.check(schema, value), unchecked: [] };
  } catch (error) {
    if (isMcpError(error) && error.code === 'unsupported') {
      return { problems: [], unchecked: [`${what} could not be checked: ${error.message}`] };
    }
    throw error;
  }
}
