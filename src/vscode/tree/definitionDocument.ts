/**
 * A server's whole description of itself, or of one item, as a Markdown document in which server text stays data.
 * Labels, tooltips and dialogs show the beginning of it.
 */
import * as vscode from 'vscode';
import { type Entry, listEntries, pickItems } from '../editor/itemPicker.ts';
import { isObject } from '../../base/json.ts';
import { type ListKind, listKinds } from '../../host/catalog/catalog.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import { policyText } from '../../host/apps/contentPolicy.ts';
import { viewLink } from '../../host/apps/toolUi.ts';
import type { UiResource } from '../../host/apps/uiResource.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { ToolInput } from '../../host/toolApproval/approvals.ts';
import type { ServerDescription } from '../../mcp/session/session.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { fenced, inline } from '../text/contentMarkdown.ts';
import { type ResultFile, safeFileName } from '../text/resultFiles.ts';
import { oneLine } from '../text/labelText.ts';
import type { KeepFile } from '../text/wholeText.ts';
import { itemNodes, type TreeNode } from './nodes.ts';

interface DetailParts {
  readonly host: McpHost;
  readonly keepFile: KeepFile;
  /** The view of a tool, if it was read. */
  readonly knownView: (server: ServerId, uri: string) => UiResource | undefined;
}

/** @param argument of the command: a node of the tree; without one the user picks */
export async function showDetails(parts: DetailParts, argument: unknown): Promise<void> {
  const node = isTreeNode(argument) ? argument : await pickNode(parts.host);
  const file = node && fileOf(parts, node);
  const uri = file && parts.keepFile(file);
  if (uri !== undefined) {
    await vscode.window.showTextDocument(uri, { preview: true });
  }
}

function isTreeNode(value: unknown): value is TreeNode {
  return isObject(value) && 'kind' in value;
}

function fileOf({ host, knownView }: DetailParts, node: TreeNode): ResultFile | undefined {
  const connection = 'serverId' in node ? host.servers.get(node.serverId) : undefined;
  if (connection === undefined) {
    return undefined;
  }
  const server = connection.config.name;
  switch (node.kind) {
    case 'server':
      return connection.state.kind === 'ready'
        ? serverFile(server, connection.state.server)
        : undefined;
    case 'tool':
      return toolFile(server, node.tool, undefined, (uri) => knownView(connection.id, uri));
    case 'prompt':
      return itemFile(server, node.prompt);
    case 'resource':
      return itemFile(server, node.resource);
    case 'template':
      return itemFile(server, node.template);
    case 'skill':
      return itemFile(server, node.skill);
    case 'group':
    case 'folder':
    case 'note':
    case 'more':
    case 'problem':
      return undefined;
  }
}

/**
 * @param call a call that waits for approval, and how its tool has changed since it was allowed
 * @param known the tool's view, if it was read
 */
export function toolFile(
  server: string,
  tool: Tool,
  call?: { readonly input: ToolInput; readonly difference: readonly string[] },
  known: (uri: string) => UiResource | undefined = () => undefined,
): ResultFile {
  const { inputSchema, outputSchema, annotations } = tool;
  const difference = call?.difference.join('\n');
  return toFile(server, tool, [
    ...json(vscode.l10n.t('Input'), call?.input),
    ...section(vscode.l10n.t('Changed since you allowed it'), difference, 'diff'),
    ...described(tool.description),
    ...section(vscode.l10n.t('App'), appText(tool, known)),
    ...json(vscode.l10n.t('Input schema'), inputSchema),
    ...json(vscode.l10n.t('Output schema'), outputSchema),
    ...json(vscode.l10n.t('Claims by the server, unverified'), annotations),
  ]);
}

/** Calls that wait for approval together, as one document. */
export function toolFiles(files: readonly ResultFile[]): ResultFile {
  return {
    name: 'calls-details.md',
    bytes: Buffer.from(files.map(({ bytes }) => Buffer.from(bytes).toString()).join('\n')),
  };
}

/** The address that the server gives; then what holds for the page. */
function appText(tool: Tool, known: (uri: string) => UiResource | undefined): string | undefined {
  const link = viewLink(tool);
  if (link.kind !== 'view') {
    return undefined;
  }
  const view = known(link.uri);
  return [
    vscode.l10n.t('Address: {0}', oneLine(link.uri, 1_000)),
    ...(view === undefined
      ? [vscode.l10n.t('Its page has not been read yet.')]
      : [
          vscode.l10n.t('Content security policy: {0}', policyText(view.policy)),
          vscode.l10n.t(
            'Permissions that it asks for: {0}',
            view.permissions.length === 0 ? vscode.l10n.t('none') : view.permissions.join(', '),
          ),
        ]),
  ].join('\n');
}

type Named = Parameters<typeof displayLabel>[0] & { readonly description?: string };

function itemFile(server: string, item: Named): ResultFile {
  const { description, ...rest } = item;
  return toFile(server, item, [
    ...described(description),
    ...json(vscode.l10n.t('As the server lists it'), rest),
  ]);
}

function serverFile(
  server: string,
  { info, revision, instructions }: ServerDescription,
): ResultFile {
  return toFile(server, info, [
    ...section(vscode.l10n.t('Instructions for the model'), instructions),
    ...json(vscode.l10n.t('What it says of itself'), { revision, ...info }),
  ]);
}

function toFile(server: string, named: Named, body: readonly string[]): ResultFile {
  const lines = [
    `# ${inline(displayLabel(named))}`,
    '',
    `- ${vscode.l10n.t('Server')}: ${inline(server)}`,
    ...(named.name === displayLabel(named)
      ? []
      : [`- ${vscode.l10n.t('Name')}: ${inline(named.name, 1_000)}`]),
    '',
    ...body,
  ];
  return {
    name: `${safeFileName(named.name)}-details.md`,
    bytes: Buffer.from(`${lines.join('\n').trimEnd()}\n`),
  };
}

function described(description: string | undefined): readonly string[] {
  return section(vscode.l10n.t('Description by the server'), description);
}

function json(title: string, value: unknown): readonly string[] {
  return section(title, JSON.stringify(value, undefined, 2), 'json');
}

/** None without a text. */
function section(title: string, text: string | undefined, language?: string): readonly string[] {
  return text === undefined || text === '' ? [] : [`## ${title}`, '', fenced(text, language), ''];
}

async function pickNode(host: Pick<McpHost, 'servers'>): Promise<TreeNode | undefined> {
  const [node] = await pickItems<TreeNode>({
    host,
    entriesOf: (connection) =>
      connection.state.kind === 'ready'
        ? [serverEntry(connection), ...listKinds.flatMap((list) => nodeEntries(connection, list))]
        : [],
    placeHolder: vscode.l10n.t('Details of which server, or of what in it?'),
    none: vscode.l10n.t('No MCP server is running.'),
  });
  return node;
}

function serverEntry({ id: serverId, config: { name } }: ServerConnection): Entry<TreeNode> {
  const value = { kind: 'server', serverId } as const;
  return {
    label: name,
    rest: '',
    detail: '',
    icon: 'server',
    server: vscode.l10n.t('server'),
    value,
  };
}

function nodeEntries(connection: ServerConnection, list: ListKind): readonly Entry<TreeNode>[] {
  const place = { serverId: connection.id };
  return listEntries(connection, list, (item) => itemNodes(list, [item], place)).flatMap((entry) =>
    entry.value.map((value) => ({ ...entry, value })),
  );
}
