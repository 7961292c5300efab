/**
 * One pick for what all servers list: resources, templates and prompts. Each row names the server; recently used ones
 * come first. It filters itself and shows only the best matches, since the editor's own filter would copy and sort
 * every row at each key.
 */
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { onUnexpectedError } from '../../base/event.ts';
import { ItemSearch, type Searchable } from '../../host/catalog/itemSearch.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { RecentUris } from '../../host/resources/resourceAddress.ts';
import { whenListed } from '../../host/catalog/catalog.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { isCancelled, McpError } from '../../mcp/errors.ts';
import type { Prompt, ResourceTemplate } from '../../mcp/types/lists.ts';
import { countText } from './annotationText.ts';
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
type Row = vscode.QuickPickItem & { readonly choice?: Picked };

interface PickOptions {
  readonly host: McpHost;
  readonly recents: Pick<RecentUris, 'all'>;
  readonly kinds: readonly Picked['kind'][];
  readonly placeHolder: string;
}

/** Undefined when the user gave up, or there is nothing to pick; the user is told that. */
export async function pickItem(options: PickOptions): Promise<Picked | undefined> {
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
    return undefined;
  }
  return new ItemPicker(entries, recent, options.placeHolder).run();
}

class ItemPicker {
  readonly #search: ItemSearch<Entry>;
  readonly #recent: readonly Entry[];
  readonly #store = new DisposableStore();
  readonly #pick = this.#store.add(vscode.window.createQuickPick<Row>());
  #searching = new AbortController();

  constructor(entries: readonly Entry[], recent: readonly Entry[], placeHolder: string) {
    this.#search = new ItemSearch(entries);
    this.#recent = recent;
    this.#pick.title = vscode.l10n.t('What MCP servers offer');
    this.#pick.placeholder = placeHolder;
  }

  async run(): Promise<Picked | undefined> {
    const pick = this.#pick;
    const result = new Promise<Picked | undefined>((resolve) => {
      this.#store.add(pick.onDidChangeValue(() => this.#look()));
      this.#store.add(
        pick.onDidAccept(() => {
          const picked = pick.selectedItems[0]?.choice;
          if (picked !== undefined) {
            resolve(picked);
          }
        }),
      );
      this.#store.add(pick.onDidHide(() => resolve(undefined)));
    });
    this.#look();
    pick.show();
    try {
      return await result;
    } finally {
      this.#searching.abort(new McpError('cancelled', 'The pick is closed'));
      this.#store.dispose();
    }
  }

  #look(): void {
    this.#searching.abort(new McpError('cancelled', 'Something else was typed'));
    this.#searching = new AbortController();
    this.#pick.busy = true;
    this.#show(this.#pick.value, this.#searching.signal).catch(onUnexpectedError);
  }

  async #show(typed: string, signal: AbortSignal): Promise<void> {
    try {
      const { items, total } = await this.#search.find(typed, maxRows, signal);
      const recent = typed.trim() === '' ? this.#recent : [];
      this.#pick.items = [
        ...group(vscode.l10n.t('recently opened'), recent),
        ...group(recent.length > 0 ? vscode.l10n.t('all') : undefined, items),
      ];
      this.#pick.prompt =
        total > items.length
          ? vscode.l10n.t(
              'The first {0} of {1}: type to find others.',
              countText(items.length),
              countText(total),
            )
          : undefined;
      this.#pick.busy = false;
    } catch (error) {
      // Cancelled: the user typed on, or closed the pick.
      if (!isCancelled(error)) {
        throw error;
      }
    }
  }
}

function group(label: string | undefined, entries: readonly Entry[]): readonly Row[] {
  const rows = entries.map(({ label: name, picked, detail }): Row => ({
    label: `$(${iconOf(picked)}) ${oneLine(name, 100)}`,
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

function iconOf({ kind }: Picked): string {
  switch (kind) {
    case 'resource':
      return 'file';
    case 'template':
      return 'symbol-snippet';
    case 'prompt':
      return 'comment';
  }
}

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
