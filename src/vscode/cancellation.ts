/** The one place where the editor's CancellationToken becomes an AbortSignal. */
import type * as vscode from 'vscode';
import { McpError } from '../mcp/errors.ts';

export function toSignal(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new McpError('cancelled', 'Cancelled by the user'));
  if (token.isCancellationRequested) {
    abort();
  } else {
    token.onCancellationRequested(abort);
  }
  return controller.signal;
}

/** A signal that never aborts, for work that the user started and can only wait for. */
export const neverAborted: AbortSignal = new AbortController().signal;
