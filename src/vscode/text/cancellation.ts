/** The one place where the editor's CancellationToken becomes an AbortSignal, and the reverse. */
import * as vscode from 'vscode';
import { onAbort, settlesWithin } from '../../base/async.ts';
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

/** Milliseconds that work may take before the user is told of it. */
const quickMs = 300;

/** Runs `act`; below a notification with this title and a Cancel, unless it is quick. */
export async function cancellable<T>(
  title: string,
  act: (signal: AbortSignal, progress: ProgressReport) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const location = vscode.ProgressLocation.Notification;
  let shown: ProgressReport | undefined;
  let message = '';
  let increment = 0;
  const report: ProgressReport['report'] = (step) => {
    message = step.message ?? message;
    increment += step.increment ?? 0;
    shown?.report(step);
  };
  const work = act(controller.signal, { report });
  if (await settlesWithin(work, quickMs)) {
    return work;
  }
  return vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) => {
    const cancelled = toSignal(token);
    onAbort(cancelled, () => controller.abort(cancelled.reason));
    shown = progress;
    progress.report({ message, increment });
    return work;
  });
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
