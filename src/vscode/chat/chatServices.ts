/** What the chat bundle gets from the extension, a message in progress, and what the editor keeps of an answer. */
import type * as vscode from 'vscode';
import type { AppContexts } from '../../host/apps/appContexts.ts';
import type { EditorChat } from '../../host/editorChat/editorChat.ts';
import type { Summary } from '../../host/chat/summary.ts';
import type { ToolSelection } from '../../host/chat/toolSelection.ts';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { Skills } from '../../host/skills/skills.ts';
import type { CallerServices } from '../../host/tools/callTool.ts';
import type { OfferApp } from '../apps/registerApps.ts';
import type { PreparedPrompt, PromptRun, PromptTarget } from '../prompts/promptCommands.ts';
import type { ResultFiles } from '../text/resultFiles.ts';
import type { ModelMessage } from '../../host/models/model.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';

export interface ChatServices extends CallerServices {
  readonly host: McpHost;
  readonly selection: ToolSelection;
  readonly skills: Skills;
  /** Keeps files of results. */
  readonly results: Pick<ResultFiles, 'add'>;
  /** Keeps a call whose tool has an app, for the button that opens it. */
  readonly offerApp: OfferApp;
  readonly editorChat: Pick<EditorChat, 'bridge' | 'isPublished'>;
  /** What live apps say. */
  readonly appContexts: Pick<AppContexts, 'of'>;
  /** Called when a prompt or a resource is picked. */
  readonly workbench: () => ChatWorkbench;
}

/** What the bundle of the workbench has for chat. */
export interface ChatWorkbench {
  /** Rejects when the signal aborts. */
  readonly pickPrompt: (signal: AbortSignal) => Promise<PromptTarget | undefined>;
  readonly preparePrompt: (run: PromptRun) => Promise<PreparedPrompt | undefined>;
  /** Lets the user pick a resource of any server; undefined when there is none, or none was picked. */
  readonly pickResource: (placeHolder: string) => Promise<ResourceAddress | undefined>;
}

/** What the editor's history keeps with each answer. JSON. */
export interface ChatMetadata {
  /** Ids of the servers used. */
  readonly servers: readonly string[];
  /** The question as the model got it, and all messages after it. */
  readonly turn: unknown;
  /** Resources to which tools have linked so far. */
  readonly links: readonly ResourceAddress[];
  /** The calls of the answer whose apps can be opened. */
  readonly apps: readonly string[];
  /** Set if the model had to write one for this answer. */
  readonly summary?: Summary;
  /**
   * A resource that only waited for the next question. It is read again for that, since `turn` has no bytes and only
   * short texts.
   */
  readonly attached?: ResourceAddress;
}

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
