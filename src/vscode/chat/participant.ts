/**
 * The participant `@mcp`: takes a message of the chat, does what it asks, shows the result. The loop and all decisions
 * are in the host; each question goes to the model that the user picked.
 */
import * as vscode from 'vscode';
import { type AgentEnd, agentLimits, runAgent } from '../../host/chat/agentLoop.ts';
import { drawnInAnswer } from '../../host/chat/editorTools.ts';
import { type AppText, appTexts, fromStored } from '../../host/chat/modelContext.ts';
import { runningServers, startNeeded } from '../../host/chat/agentServer.ts';
import type { ModelMessage, ModelPart } from '../../host/models/model.ts';
import { namedPrompts } from '../../host/prompts/prompts.ts';
import { isCancelled } from '../../mcp/errors.ts';
import { editorDrawsApps, showsApps } from '../config/editorWorkspace.ts';
import { toSignal } from '../text/cancellation.ts';
import { fenced, inline, plain } from '../text/contentMarkdown.ts';
import { errorText } from '../text/errorText.ts';
import { maxTools, toModel } from '../models/editorModel.ts';
import { oneLine } from '../text/labelText.ts';
import { saveFile } from '../editor/saveFile.ts';
import type { ChatServices, Exchange, Question } from './chatServices.ts';
import {
  appCalls,
  attachments,
  type History,
  historyOf,
  metadataOf,
  readMetadata,
  textOf,
  typedText,
  userMessage,
} from './conversation.ts';
import { attachResource, showServers, showTools } from './slashCommands.ts';
import { resolveTypedPrompt, typesPrompt } from './promptCommand.ts';
import type { OfferApp } from '../apps/registerApps.ts';
import { useSkill } from './skillCommand.ts';
import { editorTools } from '../models/editorTools.ts';
import { ResponseRenderer } from './render.ts';

const maxFollowups = 3;

async function answer(
  exchange: Exchange,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
): Promise<vscode.ChatResult> {
  if (request.command === 'servers') {
    showServers(exchange.services, exchange.response);
    return {};
  }
  if (request.command === 'export') {
    await exportConversation(exchange, context);
    return {};
  }
  await startServers(exchange);
  if (request.command === 'tools') {
    showTools(exchange.services, exchange.response);
    return {};
  }
  const question = await questionOf(exchange, request);
  if (question === undefined) {
    return {};
  }
  const used = question.server === undefined ? [] : [question.server.id];
  const { forLater } = question;
  if (forLater !== undefined) {
    return { metadata: { ...metadataOf(question.messages, used, []), attached: forLater } };
  }
  const attached = await attachments(exchange, request.references);
  const messages = [...attached, ...question.messages];
  if (messages.length === 0) {
    exchange.response.markdown(
      vscode.l10n.t(
        'Ask something, and the model can use the tools of your MCP servers. `/tools` lists them, and `/servers` shows the state of the servers.',
      ),
    );
    return {};
  }
  const history = await historyOf(exchange, context);
  const apps = appTexts(exchange.services.appContexts.of(appCalls(context)));
  const end = await ask(exchange, request, { history, messages, apps });
  const written = end.summary === history.summary ? undefined : end.summary;
  const servers = [...new Set([...used, ...end.used.map(({ id }) => id)])];
  return {
    metadata: metadataOf([...messages, ...end.transcript], servers, end.links, written),
  };
}

async function questionOf(
  exchange: Exchange,
  request: vscode.ChatRequest,
): Promise<Question | undefined> {
  if (request.command === 'resource') {
    return attachResource(exchange);
  }
  if (request.command === 'skill') {
    return useSkill(exchange);
  }
  if (request.command === 'prompt' || typesPrompt(exchange)) {
    return resolveTypedPrompt(exchange);
  }
  return { messages: exchange.prompt === '' ? [] : [userMessage(exchange.prompt)] };
}

async function startServers({ services, response, signal }: Exchange): Promise<void> {
  const failures = await startNeeded(
    services.host.servers.values(),
    (servers) =>
      response.progress(
        vscode.l10n.t(
          'Starting {0}',
          servers.map(({ config }) => oneLine(config.name, 60)).join(', '),
        ),
      ),
    signal,
  );
  for (const { server, error } of failures) {
    const text = vscode.l10n.t(
      'The server {0} is left out: {1}',
      server.config.name,
      errorText(error),
    );
    response.markdown(new vscode.MarkdownString(`\n\n$(warning) ${plain(text, 600)}\n\n`, true));
  }
}

async function ask(
  { services, response, signal }: Exchange,
  request: vscode.ChatRequest,
  {
    history,
    messages,
    apps,
  }: {
    readonly history: History;
    readonly messages: readonly ModelMessage[];
    readonly apps: readonly AppText[];
  },
): Promise<AgentEnd> {
  const { host } = services;
  const renderer = new ResponseRenderer(response, services);
  const ofEditor = editorTools(request);
  const run = runAgent({
    ...services,
    model: toModel(request.model),
    editorTools: ofEditor,
    draw: drawnInAnswer({
      editorTools: ofEditor,
      bridge: () => services.editorChat.bridge,
      showsApps: () => showsApps() && editorDrawsApps(),
    }),
    servers: () => runningServers(host.servers.values()),
    maxTools: maxTools(),
    apps,
    history: history.turns,
    summary: history.summary,
    links: history.links,
    messages,
    emit: (event) => renderer.show(event),
    signal,
  });
  const end = await run.finally(() => renderer.finish(apps));
  if (end.kind === 'roundLimit') {
    const text = vscode.l10n.t(
      'Stopped after {0} steps, so that it does not run forever.',
      agentLimits.maxRounds,
    );
    response.markdown(`\n\n${text}\n\n`);
    const query = `@mcp ${vscode.l10n.t('Go on')}`;
    response.button({
      command: 'workbench.action.chat.open',
      title: vscode.l10n.t('Continue'),
      arguments: [{ query }],
    });
  }
  return end;
}

/** Saves what the editor keeps of the conversation, so this works after a reload, too. */
async function exportConversation(
  { response }: Exchange,
  context: vscode.ChatContext,
): Promise<void> {
  const text = conversationDocument(context);
  const title = vscode.l10n.t('Export the Conversation with @mcp');
  const isSaved = await saveFile({ title, name: 'conversation.md' }, () => Buffer.from(text));
  response.markdown(isSaved ? vscode.l10n.t('Saved.') : vscode.l10n.t('Nothing was saved.'));
}

/**
 * The questions, calls with input and result, and answers as a Markdown document. Made of what the editor keeps, so texts of
 * calls are as short as there (`toStored`). All of it is data: a model may repeat what a server said.
 */
function conversationDocument({ history }: vscode.ChatContext): string {
  const sections = history.flatMap((turn) => {
    if ('prompt' in turn) {
      return [`## ${vscode.l10n.t('Question')}`, fenced(typedText(turn))];
    }
    const text = textOf(turn).trim();
    return [
      ...callSections(turn),
      ...(text === '' ? [] : [`## ${vscode.l10n.t('Answer')}`, fenced(text, 'markdown')]),
    ];
  });
  return [`# ${vscode.l10n.t('Conversation with @mcp')}`, ...sections].join('\n\n') + '\n';
}

function callSections({ result }: vscode.ChatResponseTurn): readonly string[] {
  const parts = (fromStored(readMetadata(result).turn) ?? []).flatMap((message) => message.parts);
  const tools = new Map(
    parts.flatMap((part) => (part.kind === 'toolCall' ? [[part.callId, part.tool]] : [])),
  );
  return parts.flatMap((part) => {
    if (part.kind === 'toolCall') {
      const input = fenced(JSON.stringify(part.input, undefined, 2), 'json');
      return [`## ${vscode.l10n.t('Call')}: ${inline(part.tool)}`, input];
    }
    if (part.kind === 'toolResult') {
      const title = part.isError === true ? vscode.l10n.t('Error') : vscode.l10n.t('Result');
      const tool = tools.get(part.callId) ?? part.callId;
      return [`## ${title}: ${inline(tool)}`, fenced(textsOf(part.parts))];
    }
    return [];
  });
}

function textsOf(parts: readonly ModelPart[]): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
}

interface Participant {
  readonly handle: vscode.ChatRequestHandler;
  readonly provideFollowups: (result: vscode.ChatResult) => vscode.ChatFollowup[];
}

export function createChat(services: ChatServices): Participant {
  return {
    handle: async (request, context, response, token) => {
      const prompt = request.prompt.trim();
      const apps: string[] = [];
      const offerApp: OfferApp = (tool, run) => {
        const app = services.offerApp(tool, run);
        apps.push(...(app === undefined ? [] : [app.call]));
        return app;
      };
      const exchange = {
        services: { ...services, offerApp },
        prompt,
        response,
        signal: toSignal(token),
      };
      const result = await answer(exchange, request, context).catch(failed);
      // Also of an answer that was stopped: its buttons are there.
      return { ...result, metadata: { ...result.metadata, apps } };
    },
    provideFollowups: (result) => followups(services, result),
  };
}

function failed(error: unknown): vscode.ChatResult {
  return isCancelled(error) ? {} : { errorDetails: { message: errorText(error) } };
}

/** Prompts of the servers just used. */
function followups({ host }: ChatServices, result: vscode.ChatResult): vscode.ChatFollowup[] {
  const { servers } = readMetadata(result);
  const prompts = namedPrompts(host.servers.values()).filter(({ server }) =>
    servers.includes(server.id),
  );
  return prompts.slice(0, maxFollowups).map(({ name }) => ({
    prompt: name,
    command: 'prompt',
    label: `/prompt ${oneLine(name, 60)}`,
  }));
}
