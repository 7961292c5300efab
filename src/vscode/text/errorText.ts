/** An error as a sentence for people. Details stay in the log. */
import * as vscode from 'vscode';
import { toError } from '../../base/async.ts';
import { isHttpError, isMcpError } from '../../mcp/errors.ts';
import { oneLine } from './labelText.ts';

export function errorText(error: unknown): string {
  if (!isMcpError(error)) {
    const message = toError(error).message;
    return vscode.l10n.t('Unexpected error: {0}', oneLine(message, 500));
  }
  return oneLine(error.message, 500);
}

/** Names the server before words that may be the server's own. */
export function serverErrorText(server: string, error: unknown): string {
  return vscode.l10n.t('MCP server "{0}": {1}', oneLine(server, 60), errorText(error));
}

/** For the log. */
export function errorStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Everything that helps to find the cause: message, cause, body, last stderr. */
export function errorReport(server: string, error: unknown, lastStderr: readonly string[]): string {
  const lines = [`MCP server: ${server}`, `Error: ${errorText(error)}`];
  if (isMcpError(error)) {
    lines.push(`Code: ${error.code}`);
  }
  if (isHttpError(error) && error.bodyExcerpt !== '') {
    lines.push(`HTTP ${error.status}: ${error.bodyExcerpt}`);
  }
  for (let cause = causeOf(error); cause !== undefined; cause = causeOf(cause)) {
    lines.push(`Cause: ${cause.message}`);
  }
  if (lastStderr.length > 0) {
    lines.push('Last lines of stderr:', ...lastStderr.map((line) => `  ${line}`));
  }
  return lines.join('\n');
}

function causeOf(error: unknown): Error | undefined {
  return error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
}
