/** Gets the messages of a prompt from its server. */
import { isRpcError, McpError, RpcError } from '../../mcp/errors.ts';
import type { Prompt } from '../../mcp/types/lists.ts';
import type { GetPromptResult } from '../../mcp/types/methods.ts';
import type { UseSession } from '../resources/resources.ts';
import { isAsked, type RequestOrigin } from '../requestOrigin.ts';
import { missingArguments, type PromptArguments } from './promptArguments.ts';

/** The part of a connection that is needed here. */
export interface PromptServer {
  readonly config: { readonly name: string };
  readonly withSession: UseSession;
}

/**
 * Empty optional arguments are left out.
 * @param origin for the list of running requests, and for whether the user may be asked to sign in
 * @throws McpError `invalidInput` that names missing required arguments; `rpc` with the server's words (PROM-08); what
 * a call throws
 */
export async function resolvePrompt(
  server: PromptServer,
  prompt: Prompt,
  args: PromptArguments,
  signal: AbortSignal,
  origin?: RequestOrigin,
): Promise<GetPromptResult> {
  const missing = missingArguments(prompt, args);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    throw new McpError('invalidInput', `The prompt "${prompt.name}" needs a value for: ${names}`);
  }
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== ''));
  try {
    return await server.withSession(
      (session, both) =>
        session.call(
          'prompts/get',
          {
            name: prompt.name,
            ...(Object.keys(given).length === 0 ? {} : { arguments: given }),
          },
          { signal: both, origin },
        ),
      signal,
      isAsked(origin),
    );
  } catch (error) {
    if (isRpcError(error)) {
      const text = `The server "${server.config.name}" did not return the prompt "${prompt.name}": ${error.message}`;
      throw new RpcError(error.rpcCode, text, error.data);
    }
    throw error;
  }
}
