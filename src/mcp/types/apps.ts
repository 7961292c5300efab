/**
 * The extension MCP Apps, `io.modelcontextprotocol/ui`: metadata of tools and resources, and the messages between the
 * host and a view (the app in its frame).
 * https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
import type { ContentBlock } from './content.ts';
import type { Tool } from './lists.ts';
import type { Implementation } from './methods.ts';

/** The revision of the extension. */
export const appsVersion = '2026-01-26';

/** The MIME type of a view. */
export const viewMimeType = 'text/html;profile=mcp-app';

/** `_meta.ui` of a resource: origins that its view may reach. */
export interface UiCsp {
  readonly connectDomains?: readonly string[];
  readonly resourceDomains?: readonly string[];
  readonly frameDomains?: readonly string[];
  readonly baseUriDomains?: readonly string[];
}

export const uiPermissions = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const;
export type UiPermission = (typeof uiPermissions)[number];

export const displayModes = ['inline', 'fullscreen', 'pip'] as const;
export type DisplayMode = (typeof displayModes)[number];

/** Kinds of content that a message or a model context may hold. */
export type Modality =
  | 'text'
  | 'image'
  | 'audio'
  | 'resource'
  | 'resourceLink'
  | 'structuredContent';

/** In CSS pixels. `width`, `height`: the host sets it. `max…`: the view decides up to it. Neither: unbounded. */
export interface ContainerDimensions {
  readonly width?: number;
  readonly height?: number;
  readonly maxWidth?: number;
  readonly maxHeight?: number;
}

/** What a view knows of its surroundings. */
export interface HostContext {
  readonly toolInfo?: { readonly id?: string | number; readonly tool: Tool };
  readonly theme?: 'light' | 'dark';
  readonly styles?: {
    /** CSS custom properties by their names: all standard ones, or none. */
    readonly variables?: Readonly<Record<string, string>>;
  };
  readonly displayMode?: DisplayMode;
  readonly availableDisplayModes?: readonly DisplayMode[];
  readonly containerDimensions?: ContainerDimensions;
  /** BCP 47. */
  readonly locale?: string;
  /** IANA. */
  readonly timeZone?: string;
  readonly userAgent?: string;
  readonly platform?: 'web' | 'desktop' | 'mobile';
  readonly deviceCapabilities?: { readonly touch?: boolean; readonly hover?: boolean };
}

/** An empty object announces support. */
export interface HostCapabilities {
  readonly openLinks?: object;
  readonly downloadFile?: object;
  readonly serverTools?: { readonly listChanged?: boolean };
  readonly serverResources?: { readonly listChanged?: boolean };
  readonly logging?: object;
  readonly sandbox?: {
    readonly permissions?: Readonly<Partial<Record<UiPermission, object>>>;
    readonly csp?: UiCsp;
  };
  readonly updateModelContext?: Readonly<Partial<Record<Modality, object>>>;
  readonly message?: Readonly<Partial<Record<Modality, object>>>;
  readonly sampling?: object;
}

/** The answer to `ui/initialize`. */
export interface UiInitializeResult {
  readonly protocolVersion: string;
  readonly hostInfo: Implementation;
  readonly hostCapabilities: HostCapabilities;
  readonly hostContext: HostContext;
}

/** What a view tells the model; each update replaces the last. */
export interface ModelContext {
  readonly content?: readonly ContentBlock[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}
