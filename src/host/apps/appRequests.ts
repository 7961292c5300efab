/**
 * What a view may ask for, and what of it is announced: one table for both (APP-51). Server and connection come from
 * here, never from a message.
 * https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#requests-view--host
 */
import { isObject, isString } from '../../base/json.ts';
import { jsonChars } from '../../base/memory.ts';
import { invalidParams } from '../../mcp/errors.ts';
import { readCreateMessage } from '../../mcp/samplingParams.ts';
import {
  displayModes,
  type HostCapabilities,
  type Modality,
  type UiPermission,
} from '../../mcp/types/apps.ts';
import type { Params } from '../../mcp/types/message.ts';
import type { Method, ParamsOf, ServerCapabilities } from '../../mcp/types/methods.ts';
import { settleTools } from '../catalog/catalog.ts';
import { type Audit, audited } from '../audit/audit.ts';
import { fromApp } from '../requestOrigin.ts';
import type { AskHandlers } from '../servers/features.ts';
import { type CallerServices, callTool } from '../tools/callTool.ts';
import type { AppApprovals } from '../toolApproval/appApprovals.ts';
import { refused, type ViewRequest } from './appConversation.ts';
import type { RequestTable, ViewFacts } from './appHost.ts';
import type { AppUi } from './appUi.ts';
import { blocksOf, filesOf, fits } from './viewContent.ts';
import { isForApps } from './toolUi.ts';
import type { AppServer, UiResource } from './uiResource.ts';

/** Characters of what a view may have told to the model at a time. */
export const maxModelContextChars = 64 * 1024;

/** Without `sampling`, apps may not ask for answers of a model. */
export interface AppServices
  extends Pick<CallerServices, 'checker' | 'callServices'>, Pick<AskHandlers, 'sampling'> {
  readonly approvals: Pick<AppApprovals, 'require' | 'admitQuestion'>;
  readonly audit: Audit;
}

export interface AppAbilities {
  readonly capabilities: HostCapabilities;
  readonly requests: RequestTable;
}

interface Parts {
  readonly server: AppServer;
  readonly ui: AppUi;
  readonly services: AppServices;
  /** The capabilities of the server when the view was opened. */
  readonly declared: ServerCapabilities;
  readonly resource: Pick<UiResource, 'policy' | 'uri'>;
  /** What the editor grants of the declared permissions. */
  readonly granted: readonly UiPermission[];
}

export function appAbilities(parts: Parts): AppAbilities {
  const { server, ui, declared, resource, granted } = parts;
  const { message, modelContext } = ui;
  const sampling = samplingOf(parts);
  const { tools, resources, prompts } = declared;
  const { csp } = resource.policy;
  const requests = new Map<string, (request: ViewRequest, view: ViewFacts) => Promise<object>>([
    ['ui/open-link', (request) => openLink(parts, request)],
    ['ui/request-display-mode', (request, view) => setDisplayMode(ui, request, view)],
  ]);
  if (tools !== undefined) {
    requests.set('tools/call', (request) => callForApp(parts, request));
    requests.set('tools/list', async (request) => {
      const page = await pass(server, 'tools/list', listParams(request), request);
      return { ...page, tools: page.tools.filter(isForApps) };
    });
  }
  if (resources !== undefined) {
    const lists = ['resources/list', 'resources/templates/list'] as const;
    lists.forEach((method) =>
      requests.set(method, async (request) => pass(server, method, listParams(request), request)),
    );
    requests.set('resources/read', async (request) =>
      pass(server, 'resources/read', readParams(request), request),
    );
  }
  if (prompts !== undefined) {
    requests.set('prompts/list', async (request) =>
      pass(server, 'prompts/list', listParams(request), request),
    );
  }
  if (message !== undefined) {
    requests.set('ui/message', (request) => addMessage(parts, message, request));
  }
  if (modelContext !== undefined) {
    requests.set('ui/update-model-context', async ({ params }) => setContext(modelContext, params));
  }
  if (ui.saveFile !== undefined) {
    requests.set('ui/download-file', (request) => download(parts, request));
  }
  if (sampling !== undefined) {
    requests.set('sampling/createMessage', async ({ params, signal }) => {
      const revision = '2025-11-25';
      const request = readCreateMessage(params, revision);
      return sampling().sample(server.config, request, { signal, revision, caller: 'app' });
    });
  }
  return {
    requests,
    capabilities: {
      openLinks: {},
      logging: {},
      sandbox: {
        permissions: Object.fromEntries(granted.map((name) => [name, {}])),
        ...(csp && { csp }),
      },
      ...(tools && { serverTools: { listChanged: tools.listChanged === true } }),
      ...(resources && { serverResources: { listChanged: resources.listChanged === true } }),
      ...(message && { message: announced(message.modalities) }),
      ...(modelContext && { updateModelContext: announced(modelContext.modalities) }),
      ...(ui.saveFile && { downloadFile: {} }),
      ...(sampling && { sampling: { tools: {} } }),
    },
  };
}

function samplingOf({ server, services }: Parts): AskHandlers['sampling'] {
  return server.config.sampling ? services.sampling : undefined;
}

function announced(modalities: readonly Modality[]): Readonly<Partial<Record<Modality, object>>> {
  return Object.fromEntries(modalities.map((modality) => [modality, {}]));
}

function listParams({ method, params: { cursor } }: ViewRequest): { readonly cursor?: string } {
  if (cursor !== undefined && !isString(cursor)) {
    throw invalidParams(`the "cursor" of "${method}" must be a string`);
  }
  return cursor === undefined ? {} : { cursor };
}

function readParams({ params: { uri } }: ViewRequest): { readonly uri: string } {
  if (!isString(uri)) {
    throw invalidParams('"resources/read" needs a string "uri"');
  }
  return { uri };
}

/** A request of the base protocol. Its results stay as they are (APP-66). */
function pass<M extends Exclude<Method, 'tools/call'>>(
  server: AppServer,
  method: M,
  params: ParamsOf<M>,
  { signal, onProgress }: ViewRequest,
) {
  return server.withSession(
    async (session, both) =>
      session.call(method, params, {
        signal: both,
        origin: fromApp,
        ...(onProgress && { onProgress }),
      }),
    signal,
  );
}

async function callForApp(
  { server, services }: Parts,
  { params, signal, onProgress }: ViewRequest,
): Promise<object> {
  const { name, arguments: input = {} } = params;
  if (!isString(name) || !isObject(input)) {
    throw invalidParams('"tools/call" needs a string "name" and, if any, an object "arguments"');
  }
  // While it does not run, its list is empty: the error says why (APP-80).
  await server.withSession(async (_session, both) => {
    await server.catalog.whenLoaded();
    await settleTools([server], both);
  }, signal);
  const tool = server.catalog.items('tools').find((one) => one.name === name);
  if (tool === undefined || !isForApps(tool)) {
    throw invalidParams(`The server offers no tool "${name}" to apps`);
  }
  const { config } = server;
  await services.approvals.require({ server: config, tool, input }, signal);
  const outcome = await callTool(server, services.checker(), {
    ...services.callServices(config),
    tool,
    input,
    signal,
    origin: fromApp,
    ...(onProgress && { onProgress }),
  });
  if (outcome.kind === 'invalidInput') {
    throw invalidParams(`The input of "${name}" is wrong: ${outcome.problems.join('; ')}`);
  }
  return withoutType(outcome.result);
}

/** Without the member of the base protocol since 2026-07-28 that says what kind of answer it is. */
function withoutType(result: object): object {
  const { resultType: _type, ...rest } = { resultType: undefined, ...result };
  return rest;
}

async function openLink(parts: Parts, { params, signal }: ViewRequest): Promise<object> {
  const { ui } = parts;
  const { url } = params;
  if (!isString(url)) {
    throw invalidParams('"ui/open-link" needs a string "url"');
  }
  const method = 'ui/open-link';
  return done(await asked(parts, { method, link: url }, () => ui.openLink(url, signal)));
}

/**
 * Asks the user, and records the outcome.
 * @param link if the request is about one: only a web address is asked about
 * @throws McpError `denied` for too many questions
 */
async function asked(
  { server: { config }, services, resource: { uri: app } }: Parts,
  { method, link }: { readonly method: string; readonly link?: string },
  question: () => Promise<boolean>,
): Promise<boolean> {
  const url = link === undefined ? undefined : URL.parse(link);
  if (url === null || (url !== undefined && !['http:', 'https:'].includes(url.protocol))) {
    return false;
  }
  services.approvals.admitQuestion(config); // not recorded: a flood would fill the log
  const subject = { event: 'appRequest', caller: 'app', app, method } as const;
  return audited(
    services.audit,
    config,
    { ...subject, ...(url && { host: url.host }) },
    async (note) => {
      const isAllowed = await question();
      note({ outcome: isAllowed ? 'allowed' : 'declined', by: 'hand' });
      return isAllowed;
    },
  );
}

async function setDisplayMode(
  ui: AppUi,
  { params, signal }: ViewRequest,
  { modes }: ViewFacts,
): Promise<object> {
  const mode = displayModes.find((one) => one === params['mode']);
  if (mode === undefined) {
    throw invalidParams(`"mode" must be one of ${displayModes.join(', ')}`);
  }
  const { displayMode = 'inline', availableDisplayModes = [] } = ui.context();
  const isPossible = availableDisplayModes.includes(mode) && (modes?.includes(mode) ?? true);
  return { mode: isPossible ? await ui.setDisplayMode(mode, signal) : displayMode };
}

async function addMessage(
  parts: Parts,
  message: NonNullable<AppUi['message']>,
  { params: { role, content }, signal }: ViewRequest,
): Promise<object> {
  if (role !== 'user') {
    throw invalidParams('"ui/message" needs the role "user"');
  }
  // One block in the specification, a list in its SDK.
  const blocks = blocksOf(isObject(content) ? [content] : content);
  if (jsonChars(blocks, maxModelContextChars) > maxModelContextChars) {
    throw refused(`The message has more than ${maxModelContextChars} characters`);
  }
  const isKnown = blocks.every((block) => fits(block, message.modalities));
  const method = 'ui/message';
  return done(isKnown && (await asked(parts, { method }, () => message.add(blocks, signal))));
}

function setContext(
  modelContext: NonNullable<AppUi['modelContext']>,
  { content, structuredContent }: Params,
): object {
  const { modalities } = modelContext;
  const blocks = content === undefined ? undefined : blocksOf(content);
  if (structuredContent !== undefined && !isObject(structuredContent)) {
    throw invalidParams('"structuredContent" must be an object');
  }
  const isKnown =
    (blocks ?? []).every((block) => fits(block, modalities)) &&
    (structuredContent === undefined || modalities.includes('structuredContent'));
  if (!isKnown) {
    throw invalidParams(`The context may hold: ${modalities.join(', ')}`);
  }
  const size = jsonChars([content, structuredContent], maxModelContextChars);
  if (size > maxModelContextChars) {
    throw refused(`The context has more than ${maxModelContextChars} characters`);
  }
  const isEmpty = (blocks ?? []).length === 0 && structuredContent === undefined;
  const context = {
    ...(blocks && { content: blocks }),
    ...(structuredContent && { structuredContent }),
  };
  modelContext.set(isEmpty ? undefined : context);
  return {};
}

async function download(parts: Parts, request: ViewRequest): Promise<object> {
  const { server, ui } = parts;
  const { method, signal } = request;
  let isSaved = true;
  for await (const item of filesOf(server, request)) {
    isSaved &&=
      'link' in item
        ? await asked(parts, { method, link: item.link }, () => ui.openLink(item.link, signal))
        : await asked(parts, { method }, async () => (await ui.saveFile?.(item, signal)) === true);
  }
  return done(isSaved);
}

function done(isDone: boolean): object {
  return isDone ? {} : { isError: true };
}
