/** Searches an MCP registry while the user types, and lets the user choose one package or remote of a server. */
import * as vscode from 'vscode';
import { CoalescedRun } from '../../base/async.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Surroundings } from '../../host/import/importedServer.ts';
import type { RegistryHit, RegistryWay } from '../../host/import/registryServers.ts';
import { searchRegistry } from '../../host/import/registrySearch.ts';
import { errorText } from '../text/errorText.ts';
import { section } from '../ids.ts';
import { oneLine } from '../text/labelText.ts';
import type { Asked } from './askServer.ts';

const defaultRegistry = 'https://registry.modelcontextprotocol.io';
/** Waits for a pause in the typing: each search is a request. */
const searchTimes = { quietMs: 300, maxMs: 2_000 };

interface HitItem extends vscode.QuickPickItem {
  readonly hit?: RegistryHit;
}

export async function askRegistry(
  typed: string | undefined,
  around: Surroundings,
): Promise<Asked | undefined> {
  const base = vscode.workspace
    .getConfiguration(section)
    .get<string>('registryUrl', defaultRegistry);
  const origin = URL.parse(base)?.host ?? base;
  let text = typed ?? '';
  for (;;) {
    const found = await search(base, origin, text, around);
    if (found === undefined) {
      return undefined;
    }
    text = found.text;
    const way = await chooseWay(found.hit);
    if (way === undefined) {
      return undefined;
    }
    if (way !== 'back') {
      return {
        add: { server: way.server, origin: `${found.hit.name} (${origin})` },
        typed: text,
      };
    }
  }
}

async function search(
  base: string,
  origin: string,
  typed: string,
  around: Surroundings,
): Promise<{ readonly hit: RegistryHit; readonly text: string } | undefined> {
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<HitItem>());
  let current = new AbortController();
  const run = store.add(
    new CoalescedRun(async () => {
      current.abort();
      const own = new AbortController();
      current = own;
      const text = pick.value.trim();
      pick.busy = true;
      const items = await itemsFor(base, text, around, own.signal);
      if (!own.signal.aborted) {
        pick.busy = false;
        pick.items = items;
      }
    }, searchTimes),
  );
  pick.title = vscode.l10n.t('Add MCP Server (1/3): search in {0}', oneLine(origin, 80));
  pick.placeholder = vscode.l10n.t('A part of the name of a server');
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.value = typed;
  store.add(
    pick.onDidChangeValue(() => {
      current.abort();
      run.request();
    }),
  );
  pick.show();
  run.request();
  try {
    return await new Promise((resolve) => {
      store.add(
        pick.onDidAccept(() => {
          const hit = pick.selectedItems[0]?.hit;
          if (hit !== undefined) {
            resolve({ hit, text: pick.value });
          }
        }),
      );
      store.add(pick.onDidHide(() => resolve(undefined)));
    });
  } finally {
    current.abort();
    store.dispose();
  }
}

async function itemsFor(
  base: string,
  text: string,
  around: Surroundings,
  signal: AbortSignal,
): Promise<readonly HitItem[]> {
  if (text === '') {
    return [];
  }
  try {
    const hits = await searchRegistry(base, text, around, signal);
    return hits.length === 0
      ? [
          note(
            `$(circle-slash) ${vscode.l10n.t('No server has "{0}" in its name', oneLine(text, 60))}`,
          ),
        ]
      : hits.map(hitItem);
  } catch (error) {
    return [note(`$(error) ${errorText(error)}`)];
  }
}

function note(label: string): HitItem {
  return { label, alwaysShow: true };
}

function hitItem(hit: RegistryHit): HitItem {
  const { name, title, version, description, repository } = hit;
  return {
    label: oneLine(title ?? name, 80),
    description: oneLine(title === undefined ? version : `${name} ${version}`, 120),
    detail: oneLine(
      [description, ...(repository === undefined ? [] : [repository])].join(' · '),
      300,
    ),
    alwaysShow: true,
    hit,
  };
}

/** Asks for one package or remote; a server with a single one needs no question. */
async function chooseWay(hit: RegistryHit): Promise<RegistryWay | 'back' | undefined> {
  const [first, ...others] = hit.ways;
  if (first !== undefined && others.length === 0 && first.server.isUsable) {
    return first;
  }
  const picked = await vscode.window.showQuickPick<
    vscode.QuickPickItem & { readonly way: RegistryWay | 'back' }
  >(
    [
      ...hit.ways.map((way) => ({
        label: `${way.server.isUsable ? '' : '$(error) '}${oneLine(way.label, 100)}`,
        description: way.server.isUsable ? oneLine(way.server.summary, 160) : '',
        ...(way.server.problems.length > 0 && {
          detail: oneLine(way.server.problems.join(' · '), 300),
        }),
        way: way.server.isUsable ? way : ('back' as const),
      })),
      { label: `$(arrow-left) ${vscode.l10n.t('Back to the search')}`, way: 'back' as const },
    ],
    {
      title: vscode.l10n.t('{0}: how is it run or reached?', oneLine(hit.title ?? hit.name, 80)),
      ...(hit.ways.length === 0 && {
        placeHolder: vscode.l10n.t('The registry lists no package and no address for it.'),
      }),
      ignoreFocusOut: true,
    },
  );
  return picked?.way;
}
