/**
 * Entry point of the bundle that draws the view "Running Requests" and its hint. The extension loads it
 * when a request has been running for a while, and imports it by type only.
 */
import type { LookedAt } from './host/requests/runningRequests.ts';
import { RequestBoard } from './vscode/requests/requestBoard.ts';

export function createRequestBoard(host: LookedAt): RequestBoard {
  return new RequestBoard(host);
}
