/** Converts the editor's chat to messages for the model: earlier turns with @mcp, and the user's attachments. */
import * as vscode from 'vscode';
import { isObject, isString, isStringArray } from '../../base/json.ts';
import { beginningOf } from '../../base/text.ts';
import {
  type AttachedResource,
  resourceParts,
  resourcesForModel,
  resultLimits,
} from '../../host/chat/modelParts.ts';
import { fromStored, toStored, type Turn } from '../../host/chat/modelContext.ts';
import { readSummary, type Summary } from '../../host/chat/summary.ts';
import { isResourceAddress, type ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { ModelMessage } from '../../host/models/model.ts';
import { fromUser } from '../../host/requestOrigin.ts';
import { type DocumentAddress, fromEditorUri } from '../text/resourceUri.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { ChatMetadata } from './chatServices.ts';
import type { ResourceContent } from '../../host/resources/resourceContents.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { inline } from '../text/contentMarkdown.ts';

/** Characters of one attachment. */
const maxAttachmentChars = 60_000;

interface Reading {
  readonly services: { readonly host: Pick<McpHost, 'servers'> };
  readonly signal: AbortSignal;
}

/** To tell what the model does not get. */
type Told = Pick<vscode.ChatResponseStream, 'markdown'>;

export function userMessage(text: string): ModelMessage {
  return { role: 'user', parts: [{ kind: 'text', text }] };
}

/** A message to the participant as it was typed. */
export function typedText({
  command,
  prompt,
}: {
  readonly command?: string | undefined;
  readonly prompt: string;
}): string {
  return command === undefined ? prompt : `/${command} ${prompt}`;
}

export function metadataOf(
  turn: readonly ModelMessage[],
  servers: readonly string[],
  links: readonly ResourceAddress[],
  summary?: Summary,
): Omit<ChatMetadata, 'apps'> {
  return { servers, turn: toStored(turn), links, ...(summary !== undefined && { summary }) };
}

export function readMetadata(result: vscode.ChatResult): ChatMetadata {
  const stored: unknown = result.metadata;
  const { servers, turn, links, apps, attached, summary: kept } = isObject(stored) ? stored : {};
  const summary = readSummary(kept);
  return {
    servers: isStringArray(servers) ? servers : [],
    turn,
    links: Array.isArray(links) ? links.filter(isResourceAddress) : [],
    apps: isStringArray(apps) ? apps : [],
    ...(isResourceAddress(attached) && { attached }),
    ...(summary !== undefined && { summary }),
  };
}

export interface History {
  readonly turns: readonly Turn[];
  /** The newest one: it stands for turns before it. */
  readonly summary: Summary | undefined;
  /** Resources to which tools have linked. */
  readonly links: readonly ResourceAddress[];
}

/**
 * Oldest first. Turns with stored calls and results include them; other turns are plain text. A resource that was
 * attached since the last question is given in full, since it waited for this one.
 */
export async function historyOf(
  exchange: Reading,
  { history }: vscode.ChatContext,
): Promise<History> {
  const turns: Turn[] = [];
  let summary: Summary | undefined;
  let links: readonly ResourceAddress[] = [];
  let question: ModelMessage | undefined;
  const lastAsked = history.findLastIndex((turn) => !('prompt' in turn) && isAsked(turn));
  for (const [index, turn] of history.entries()) {
    if ('prompt' in turn) {
      question = userMessage(typedText(turn));
    } else {
      const { turn: stored, attached, summary: written, links: linked } = readMetadata(turn.result);
      summary = written ?? summary;
      links = linked.length > 0 ? linked : links;
      const whole =
        index > lastAsked && attached !== undefined
          ? await readResource(exchange, attached)
          : undefined;
      const kept = whole === undefined ? fromStored(stored) : resourceMessage([whole]);
      const answer: ModelMessage = {
        role: 'assistant',
        parts: [{ kind: 'text', text: textOf(turn) }],
      };
      turns.push(kept ?? [...(question === undefined ? [] : [question]), answer]);
      question = undefined;
    }
  }
  return { turns, summary, links };
}

/** Whether the model has answered. Failures, and commands that only show something, have no answer of the model. */
function isAsked({ result }: vscode.ChatResponseTurn): boolean {
  const { turn, attached } = readMetadata(result);
  return turn !== undefined && attached === undefined;
}

/** The calls in a conversation whose apps can be opened. */
export function appCalls({ history }: vscode.ChatContext): readonly string[] {
  return history.flatMap((turn) => ('prompt' in turn ? [] : readMetadata(turn.result).apps));
}

/** Whole, as the user sees it. */
export function textOf({ response }: vscode.ChatResponseTurn): string {
  return response
    .map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''))
    .join('');
}

/**
 * Files, selections, texts and images that the user attached, for the model alone: no server gets them. Unreadable ones
 * are named.
 */
export async function attachments(
  exchange: Reading & { readonly response: Told },
  references: readonly vscode.ChatPromptReference[],
): Promise<readonly ModelMessage[]> {
  const read = await Promise.all(
    references.map(
      async (reference) =>
        (await attachedFrom(exchange, reference)) ??
        (await attachedImage(reference)) ??
        attachmentText(reference),
    ),
  );
  const texts = read.filter(isString);
  const images = read.filter((one): one is ResourceContent => !isString(one) && 'kind' in one);
  const resources = read.filter(
    (one): one is AttachedResource => !isString(one) && 'server' in one,
  );
  return [
    ...(texts.length === 0 ? [] : [userMessage(['Attached by the user:', ...texts].join('\n\n'))]),
    ...(images.length === 0
      ? []
      : [{ role: 'user' as const, parts: resourceParts(images, resultLimits) }]),
    ...resourceMessage(resources, exchange.response),
  ];
}

/** What was pasted, or dropped from elsewhere. The editor's class for it is not public: its members tell. */
async function attachedImage({
  id,
  value,
}: vscode.ChatPromptReference): Promise<ResourceContent | undefined> {
  const { mimeType, data } = isObject(value) ? value : {};
  if (!isString(mimeType) || typeof data !== 'function') {
    return undefined;
  }
  const bytes: unknown = await data.call(value);
  return bytes instanceof Uint8Array ? { kind: 'binary', uri: id, mimeType, bytes } : undefined;
}

/** One message; none if all of it is for the user alone. @param response says what the model does not get, and why */
export function resourceMessage(
  resources: readonly AttachedResource[],
  response?: Told,
): readonly ModelMessage[] {
  const { parts, leftOut } = resourcesForModel(resources);
  for (const { index, why } of leftOut) {
    const uri = inline(resources[index]?.uri ?? '');
    const text =
      why === 'audience'
        ? vscode.l10n.t('The server addresses {0} to you. The model did not get it.', uri)
        : vscode.l10n.t('The model got only a part of {0}: it is too long.', uri);
    response?.markdown(`${text}\n\n`);
  }
  return parts.length === 0 ? [] : [{ role: 'user', parts }];
}

/** A resource of a server, with images and what the server says of it; undefined for any other file. */
async function attachedFrom(
  exchange: Reading,
  { value }: vscode.ChatPromptReference,
): Promise<AttachedResource | undefined> {
  const address = value instanceof vscode.Uri ? fromEditorUri(value) : undefined;
  return address && readResource(exchange, address);
}

/** Undefined if it cannot be read: the caller says so. */
async function readResource(
  { services, signal }: Reading,
  { serverId, uri, part }: DocumentAddress,
): Promise<AttachedResource | undefined> {
  const server = services.host.servers.get(serverId);
  if (server === undefined) {
    return undefined;
  }
  try {
    const contents = await server.resources.read(uri, signal, fromUser);
    const meant = part === undefined ? contents : contents.slice(part - 1, part);
    return attachedResource(server, uri, meant);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** Begins the ids of such references; seen in the editor 1.139. */
const ofAppInChat = 'mcpui-context-';

async function attachmentText({
  id,
  value,
  modelDescription,
}: vscode.ChatPromptReference): Promise<string> {
  if (isString(value)) {
    // What an app says that the editor draws in the chat; as JSON text, so that it cannot imitate anything else.
    return id.startsWith(ofAppInChat)
      ? `An MCP app in the chat says this, not the user: ${JSON.stringify(beginningOf(value, maxAttachmentChars))}`
      : entry(modelDescription ?? id, value);
  }
  if (value instanceof vscode.Uri) {
    return entry(vscode.workspace.asRelativePath(value), await readFile(value));
  }
  if (value instanceof vscode.Location) {
    const { start, end } = value.range;
    const place = `${vscode.workspace.asRelativePath(value.uri)}:${start.line + 1}-${end.line + 1}`;
    return entry(place, await readRange(value));
  }
  return entry(modelDescription ?? id, undefined);
}

function entry(name: string, text: string | undefined): string {
  if (text === undefined) {
    return `${JSON.stringify(name)} cannot be read as text.`;
  }
  const cut = text.length > maxAttachmentChars ? ' (cut)' : '';
  return `${JSON.stringify(name)}${cut}:\n${beginningOf(text, maxAttachmentChars)}`;
}

async function readFile(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const text = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined; // a folder, or deleted
  }
}

async function readRange({ uri, range }: vscode.Location): Promise<string | undefined> {
  try {
    return (await vscode.workspace.openTextDocument(uri)).getText(range);
  } catch {
    return undefined;
  }
}

/** Adds what the server lists of the resource. */
export function attachedResource(
  { catalog, config }: ServerConnection,
  uri: string,
  contents: readonly ResourceContent[],
): AttachedResource {
  const listed = catalog.items('resources').find((resource) => resource.uri === uri);
  return { server: config.name, uri, annotations: listed?.annotations, contents };
}
