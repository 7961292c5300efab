/** The one place where the editor's CancellationToken becomes an AbortSignal, and the reverse. */
import * as vscode from 'vscode';
import { McpError } from '../../mcp/errors.ts';

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

/** Dispose it when the work is done, to stop listening to the signal. */
export function toToken(signal: AbortSignal): {
  readonly token: vscode.CancellationToken;
  readonly dispose: () => void;
} {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  if (signal.aborted) {
    cancel();
  } else {
    signal.addEventListener('abort', cancel, { once: true });
  }
  return {
    token: source.token,
    dispose: () => {
      signal.removeEventListener('abort', cancel);
      source.dispose();
    },
  };
}

/** A signal that never aborts, for work that the user started and can only wait for. */
export const neverAborted: AbortSignal = new AbortController().signal;
