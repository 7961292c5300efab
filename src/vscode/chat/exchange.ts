/** Turns one message to @mcp into a question for the model. */
import type * as vscode from 'vscode';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { ModelMessage } from '../../host/models/model.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { ChatServices } from './chatServices.ts';

/** A message in progress. */
export interface Exchange {
  readonly services: ChatServices;
  readonly prompt: string;
  readonly response: vscode.ChatResponseStream;
  readonly signal: AbortSignal;
}

/** What the model gets; undefined when the answer is complete without it. */
export interface Question {
  readonly messages: readonly ModelMessage[];
  /** The server of the prompt or resource, if any. */
  readonly server?: ServerConnection;
  /** Nothing is asked yet: this resource waits for the next question. */
  readonly forLater?: ResourceAddress;
}
