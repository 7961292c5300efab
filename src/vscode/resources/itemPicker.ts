/**
 * One pick for what all servers list: resources, templates and prompts. Each row names the server; recently used ones
 * come first. It filters itself and shows only the best matches, since the editor's own filter would copy and sort
 * every row at each key.
 */
import * as vscode from 'vscode';
import { ItemSearch, type Searchable } from '../../host/catalog/itemSearch.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { RecentUris } from '../../host/resources/resourceAddress.ts';
import { whenListed } from '../../host/catalog/catalog.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { Prompt, ResourceTemplate } from '../../mcp/types/lists.ts';
import { countText } from './annotationText.ts';
import { searchPick, type SearchRow } from '../editor/searchPick.ts';
import { oneLine } from '../text/labelText.ts';

export type Picked = { readonly connection: ServerConnection } & (
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'template'; readonly template: ResourceTemplate }
  | { readonly kind: 'prompt'; readonly prompt: Prompt }
);

/** Rows that are shown at once. */
const maxRows = 200;
const maxRecent = 10;

type Entry = Searchable & { readonly picked: Picked; readonly detail: string };

interface PickOptions {
  readonly host: McpHost;
  readonly recents: Pick<RecentUris, 'all'>;
  readonly kinds: readonly Picked['kind'][];
  readonly placeHolder: string;
  /** Several may be checked. */
  readonly isForMany?: boolean;
}

/** Empty when the user gave up, or there is nothing to pick; the user is told that. */
export async function pickItems(options: PickOptions): Promise<readonly Picked[]> {
  const servers = [...options.host.servers.values()];
  await whenListed(servers);
  const entries = options.kinds.flatMap((kind) =>
    servers.flatMap((connection) => entriesOf(connection, kind)),
  );
  const recent = options.kinds.includes('resource') ? recentEntries(options, entries) : [];
  if (entries.length === 0 && recent.length === 0) {
    void vscode.window.showInformationMessage(
      options.kinds.includes('prompt')
        ? vscode.l10n.t('No running MCP server offers prompts or resources.')
        : vscode.l10n.t('No running MCP server offers resources.'),
    );
    return [];
  }
  const search = new ItemSearch(entries);
  const found = await searchPick<Picked>({
    isForMany: options.isForMany ?? false,
    look: { title: vscode.l10n.t('What MCP servers offer'), placeholder: options.placeHolder },
    find: async (typed, signal) => {
      const { items, total } = await search.find(typed, maxRows, signal);
      const above = typed.trim() === '' ? recent : [];
      const prompt = vscode.l10n.t(
        'The first {0} of {1}: type to find others.',
        countText(items.length),
        countText(total),
      );
      return {
        rows: [
          ...group(vscode.l10n.t('recently opened'), above),
          ...group(above.length > 0 ? vscode.l10n.t('all') : undefined, items),
        ],
        prompt: total > items.length ? prompt : undefined,
      };
    },
  });
  return found?.choices ?? [];
}

function group(label: string | undefined, entries: readonly Entry[]): readonly SearchRow<Picked>[] {
  const rows = entries.map(({ label: name, picked, detail }): SearchRow<Picked> => ({
    label: `$(${icons[picked.kind]}) ${oneLine(name, 100)}`,
    description: oneLine(picked.connection.config.name, 60),
    detail: oneLine(detail, 200),
    // The rows match already, possibly by text that is cut off here.
    alwaysShow: true,
    choice: picked,
  }));
  return label === undefined || rows.length === 0
    ? rows
    : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...rows];
}

const icons = { resource: 'file', template: 'symbol-snippet', prompt: 'comment' } as const;

function entriesOf(connection: ServerConnection, kind: Picked['kind']): readonly Entry[] {
  const { catalog, config } = connection;
  switch (kind) {
    case 'resource':
      return catalog.known('resources').map((resource) => ({
        label: displayLabel(resource),
        rest: `${resource.uri} ${config.name}`,
        detail: resource.uri,
        picked: { kind, connection, uri: resource.uri },
      }));
    case 'template':
      return catalog.known('resourceTemplates').map((template) => ({
        label: displayLabel(template),
        rest: `${template.uriTemplate} ${config.name}`,
        detail: template.uriTemplate,
        picked: { kind, connection, template },
      }));
    case 'prompt':
      return catalog.known('prompts').map((prompt) => ({
        label: displayLabel(prompt),
        rest: `${prompt.name} ${config.name} ${prompt.description ?? ''}`,
        detail: prompt.description ?? '',
        picked: { kind, connection, prompt },
      }));
  }
}

/** Recent ones of configured servers, under their listed names where they are listed. */
function recentEntries({ host, recents }: PickOptions, entries: readonly Entry[]): Entry[] {
  return recents
    .all()
    .slice(0, maxRecent)
    .flatMap(({ serverId, uri }) => {
      const connection = host.servers.get(serverId);
      if (connection === undefined) {
        return [];
      }
      const listed = entries.find(
        ({ picked }) =>
          picked.kind === 'resource' && picked.connection === connection && picked.uri === uri,
      );
      return [
        listed ?? {
          label: uri,
          rest: connection.config.name,
          detail: '',
          picked: { kind: 'resource' as const, connection, uri },
        },
      ];
    });
}
