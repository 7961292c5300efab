/** The pick of a resource or template of any server; recently used ones come first. */
import * as vscode from 'vscode';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { type Entry, type ItemPick, listEntries, pickItems } from '../editor/itemPicker.ts';
import type { ResourceServices } from './resourceSubject.ts';
import type { TemplateTarget } from './templateWizard.ts';

const maxRecent = 10;

interface ResourceTarget {
  readonly connection: ServerConnection;
  readonly uri: string;
}

export type Picked = ResourceTarget | TemplateTarget;

type Look = Pick<ItemPick<unknown>, 'placeHolder' | 'isForMany'> & { readonly none?: string };

/**
 * Empty when the user gave up.
 * @param others what else of a server can be picked
 */
export function pickResources<T extends object = never>(
  { host, recents }: Pick<ResourceServices, 'host' | 'recents'>,
  { none = vscode.l10n.t('No running MCP server offers resources.'), ...look }: Look,
  others: (connection: ServerConnection) => readonly Entry<T>[] = () => [],
): Promise<readonly (Picked | T)[]> {
  return pickItems<Picked | T>({
    ...look,
    none,
    host,
    entriesOf: (connection) => [
      ...others(connection),
      ...listEntries(connection, 'resources', ({ uri }) => ({ connection, uri })),
      ...listEntries(connection, 'resourceTemplates', (template) => ({ connection, template })),
    ],
    // Those of configured servers, under their listed names where they are listed.
    recent: (entries) =>
      recents
        .all()
        .slice(0, maxRecent)
        .flatMap(({ serverId, uri }) => {
          const connection = host.servers.get(serverId);
          const server = connection?.config.name ?? '';
          const listed = entries.find(
            (one) => 'uri' in one.value && one.value.uri === uri && one.server === server,
          );
          return connection === undefined
            ? []
            : [
                listed ?? {
                  label: uri,
                  rest: server,
                  detail: '',
                  icon: 'file',
                  server,
                  value: { connection, uri },
                },
              ];
        }),
  });
}
