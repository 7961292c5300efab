/** What the host of an app needs from an editor: somebody who shows and asks. */
import type { Event } from '../../base/event.ts';
import type { DisplayMode, HostContext, Modality, ModelContext } from '../../mcp/types/apps.ts';
import type { ContentBlock } from '../../mcp/types/content.ts';

/** In CSS pixels; an axis that the view did not name is absent. */
export interface ViewSize {
  readonly width?: number;
  readonly height?: number;
}

export interface AppFile {
  /** Without folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * What one view shows and asks for. What is absent is not announced to the view, and refused. True: it was done; false:
 * the user refused, or it failed.
 */
export interface AppUi {
  /** The surroundings as they are now, without `toolInfo`. */
  readonly context: () => Omit<HostContext, 'toolInfo'>;
  /** The surroundings have changed, the display mode included. */
  readonly onDidChangeContext: Event<void>;
  /** The view's size along the axes that it decides itself, within their bounds. */
  resize(size: ViewSize): void;
  /** Asks, and opens the page outside of the editor. @param url absolute, http or https */
  openLink(url: string, signal: AbortSignal): Promise<boolean>;
  /** Changes the mode to an available one that the view knows, if possible. Returns the mode then in force. */
  setDisplayMode(mode: DisplayMode, signal: AbortSignal): Promise<DisplayMode>;
  /** Asks where, and writes the file. */
  saveFile?(file: AppFile, signal: AbortSignal): Promise<boolean>;
  /** The conversation that the view belongs to, if any takes messages of the user. */
  readonly message?: {
    readonly modalities: readonly Modality[];
    add(content: readonly ContentBlock[], signal: AbortSignal): Promise<boolean>;
  };
  /** What a conversation tells the model with the user's next turn: words of the server, not of the user. */
  readonly modelContext?: {
    readonly modalities: readonly Modality[];
    /** Replaces what was set before. Undefined: there is none, or the view is gone. */
    set(context: ModelContext | undefined): void;
  };
}
