/** One message to @mcp on its way from words to a question for the model. */
import type * as vscode from 'vscode';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { ModelMessage } from '../../host/models/model.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { ChatServices } from './chatServices.ts';

/** A message while it is worked on. */
export interface Exchange {
  readonly services: ChatServices;
  readonly prompt: string;
  readonly response: vscode.ChatResponseStream;
  readonly signal: AbortSignal;
}

/** What goes to the model; undefined when the answer is complete without one. */
export interface Question {
  readonly messages: readonly ModelMessage[];
  /** The server that it comes from, if any. */
  readonly server?: ServerConnection;
  /** Nothing is asked yet: this resource only waits for the next question. */
  readonly forLater?: ResourceAddress;
}
