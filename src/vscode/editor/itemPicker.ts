/**
 * One pick for what all servers list. Each row names the server. It filters itself and shows only the best matches, since
 * the editor's own filter would copy and sort every row at each key.
 */
import * as vscode from 'vscode';
import { type ListKind, whenListed } from '../../host/catalog/catalog.ts';
import { ItemSearch, type Searchable } from '../../host/catalog/itemSearch.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { ListItems } from '../../mcp/listItems.ts';
import { oneLine } from '../text/labelText.ts';
import { searchPick, type SearchRow } from './searchPick.ts';

/** Rows that are shown at once. */
const maxRows = 200;
/** Characters of a description that are searched: nobody searches for a word pages below. */
const maxSearched = 1_000;

export interface Entry<T> extends Searchable {
  readonly icon: string;
  readonly server: string;
  readonly detail: string;
  readonly value: T;
}

export interface ItemPick<T> {
  readonly host: Pick<McpHost, 'servers'>;
  readonly entriesOf: (connection: ServerConnection) => readonly Entry<T>[];
  /** Shown above all others while nothing is typed. */
  readonly recent?: (entries: readonly Entry<T>[]) => readonly Entry<T>[];
  readonly placeHolder: string;
  /** Tells the user that there is nothing to pick. */
  readonly none: string;
  /** Several may be checked. */
  readonly isForMany?: boolean;
  /** Closes the pick. */
  readonly signal?: AbortSignal;
}

/** Empty when the user gave up, or there is nothing to pick. */
export async function pickItems<T>({
  host,
  entriesOf,
  recent = () => [],
  placeHolder,
  none,
  isForMany = false,
  signal,
}: ItemPick<T>): Promise<readonly T[]> {
  const servers = [...host.servers.values()];
  await whenListed(servers);
  const entries = servers.flatMap(entriesOf);
  const first = recent(entries);
  if (entries.length === 0 && first.length === 0) {
    void vscode.window.showInformationMessage(none);
    return [];
  }
  const search = new ItemSearch(entries);
  const numbers = new Intl.NumberFormat(vscode.env.language);
  const found = await searchPick<T>({
    isForMany,
    signal,
    look: { title: vscode.l10n.t('What MCP servers offer'), placeholder: placeHolder },
    find: async (typed, ended) => {
      const { items, total } = await search.find(typed, maxRows, ended);
      const above = typed.trim() === '' ? first : [];
      const prompt = vscode.l10n.t(
        'The first {0} of {1}: type to find others.',
        numbers.format(items.length),
        numbers.format(total),
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

function group<T>(
  label: string | undefined,
  entries: readonly Entry<T>[],
): readonly SearchRow<T>[] {
  const rows = entries.map(({ label: name, icon, server, detail, value }): SearchRow<T> => ({
    label: `$(${icon}) ${oneLine(name, 100)}`,
    description: oneLine(server, 60),
    detail: oneLine(detail, 200),
    // The rows match already, possibly by text that is cut off here.
    alwaysShow: true,
    choice: value,
  }));
  return label === undefined || rows.length === 0
    ? rows
    : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...rows];
}

const icons: Readonly<Record<ListKind, string>> = {
  tools: 'symbol-method',
  prompts: 'comment',
  resources: 'file',
  resourceTemplates: 'symbol-snippet',
  skills: 'mortar-board',
};

interface Described {
  readonly name: string;
  readonly description?: string;
  readonly uri?: string;
  readonly uriTemplate?: string;
}

/** Of one list of a server. */
export function listEntries<L extends ListKind, T>(
  { catalog, config }: ServerConnection,
  list: L,
  toValue: (item: ListItems[L]) => T,
): readonly Entry<T>[] {
  return catalog.known(list).map((item) => {
    const { name, uri, uriTemplate, description = '' }: Described = item;
    const searched = [name, uri, uriTemplate, description.slice(0, maxSearched), config.name];
    return {
      label: displayLabel(item),
      rest: searched.join(' '),
      detail: uri ?? uriTemplate ?? description,
      icon: icons[list],
      server: config.name,
      value: toValue(item),
    };
  });
}
