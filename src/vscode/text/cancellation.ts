/** The one place where the editor's CancellationToken becomes an AbortSignal, and the reverse. */
import * as vscode from 'vscode';
import { onAbort } from '../../base/async.ts';
import { McpError } from '../../mcp/errors.ts';

/** Of the editor's notification. */
export type ProgressReport = vscode.Progress<{ message?: string; increment?: number }>;

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

/** Runs `act` below a notification with this title and a Cancel. */
export function cancellable<T>(
  title: string,
  act: (signal: AbortSignal, progress: ProgressReport) => Promise<T>,
): Thenable<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (progress, token) => act(toSignal(token), progress),
  );
}

/** Runs `act` with a token that is cancelled when the signal aborts. */
export async function withToken<T>(
  signal: AbortSignal,
  act: (token: vscode.CancellationToken) => Thenable<T>,
): Promise<T> {
  const { token, dispose } = toToken(signal);
  try {
    return await act(token);
  } finally {
    dispose();
  }
}

/** Dispose it when the work is done, to stop listening to the signal. */
export function toToken(signal: AbortSignal): {
  readonly token: vscode.CancellationToken;
  readonly dispose: () => void;
} {
  const source = new vscode.CancellationTokenSource();
  const abortion = onAbort(signal, () => source.cancel());
  return {
    token: source.token,
    dispose: () => {
      abortion.dispose();
      source.dispose();
    },
  };
}

/** A signal that never aborts, for work that the user started and can only wait for. */
export const neverAborted: AbortSignal = new AbortController().signal;
