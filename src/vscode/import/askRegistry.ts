/** Searches an MCP registry while the user types, and lets the user choose one package or remote of a server. */
import * as vscode from 'vscode';
import { delay } from '../../base/async.ts';
import type { Surroundings } from '../../host/import/importedServer.ts';
import type { RegistryHit, RegistryWay } from '../../host/import/registryServers.ts';
import { searchRegistry } from '../../host/import/registrySearch.ts';
import { errorText } from '../text/errorText.ts';
import { section } from '../ids.ts';
import { oneLine } from '../text/labelText.ts';
import { searchPick, type SearchRow } from '../editor/searchPick.ts';
import type { Asked } from './saveServer.ts';
import { askBundle } from './bundleFile.ts';

const defaultRegistry = 'https://registry.modelcontextprotocol.io';
/** Milliseconds without another key: each search is a request. */
const quietMs = 300;

/** @returns also what was typed, to be shown again; undefined when the user closed it */
export async function askRegistry(
  typed: string,
  around: Surroundings,
  storage: vscode.Uri,
): Promise<(Asked & { readonly typed: string }) | undefined> {
  const base = vscode.workspace
    .getConfiguration(section)
    .get<string>('registryUrl', defaultRegistry);
  const origin = URL.parse(base)?.host ?? base;
  let value = typed;
  for (;;) {
    const found = await searchPick<RegistryHit>({
      look: {
        title: vscode.l10n.t('Add MCP Server: search in {0}', oneLine(origin, 80)),
        placeholder: vscode.l10n.t('A part of the name of a server'),
        ignoreFocusOut: true,
        value,
      },
      find: async (text, signal) => ({ rows: await rowsFor(base, text.trim(), around, signal) }),
    });
    if (found === undefined) {
      return undefined;
    }
    value = found.typed;
    const way = await chooseWay(found.choice);
    if (way === undefined) {
      return undefined;
    }
    if (way !== 'back') {
      const from = `${found.choice.name} (${origin})`;
      const asked: Asked =
        way.bundle === undefined
          ? { file: { servers: [way.server], problems: [] }, origin: from }
          : await askBundle(way.bundle, storage, around);
      return { ...asked, typed: value };
    }
  }
}

async function rowsFor(
  base: string,
  text: string,
  around: Surroundings,
  signal: AbortSignal,
): Promise<readonly SearchRow<RegistryHit>[]> {
  if (text === '') {
    return [];
  }
  await delay(quietMs, signal);
  try {
    const hits = await searchRegistry(base, text, around, signal);
    const none = vscode.l10n.t('No server has "{0}" in its name', oneLine(text, 60));
    return hits.length === 0 ? [note(`$(circle-slash) ${none}`)] : hits.map(hitRow);
  } catch (error) {
    return [note(`$(error) ${errorText(error)}`)];
  }
}

function note(label: string): SearchRow<never> {
  return { label, alwaysShow: true };
}

function hitRow(hit: RegistryHit): SearchRow<RegistryHit> {
  const { name, title, version, description, repository } = hit;
  return {
    label: oneLine(title ?? name, 80),
    description: oneLine(title === undefined ? version : `${name} ${version}`, 120),
    detail: oneLine(
      [description, ...(repository === undefined ? [] : [repository])].join(' · '),
      300,
    ),
    alwaysShow: true,
    choice: hit,
  };
}

/** Asks for one package or remote; a server with a single one needs no question. */
async function chooseWay({
  name,
  title,
  ways,
}: RegistryHit): Promise<RegistryWay | 'back' | undefined> {
  const [first, ...others] = ways;
  if (first !== undefined && others.length === 0 && isUsable(first)) {
    return first;
  }
  const picked = await vscode.window.showQuickPick<
    vscode.QuickPickItem & { readonly way: RegistryWay | 'back' }
  >(
    [
      ...ways.map(wayItem),
      { label: `$(arrow-left) ${vscode.l10n.t('Back to the search')}`, way: 'back' },
    ],
    {
      title: vscode.l10n.t('{0}: how is it run or reached?', oneLine(title ?? name, 80)),
      ...(ways.length === 0 && {
        placeHolder: vscode.l10n.t('The registry lists no package and no address for it.'),
      }),
      ignoreFocusOut: true,
    },
  );
  return picked?.way;
}

function wayItem(way: RegistryWay): vscode.QuickPickItem & { readonly way: RegistryWay | 'back' } {
  const { summary, problems } = way.server;
  const canAdd = isUsable(way);
  return {
    label: `${canAdd ? '' : '$(error) '}${oneLine(way.label, 100)}`,
    description: canAdd ? oneLine(summary, 160) : '',
    ...(problems.length > 0 && !way.bundle && { detail: oneLine(problems.join(' · '), 300) }),
    way: canAdd ? way : 'back',
  };
}

function isUsable({ server, bundle }: RegistryWay): boolean {
  return bundle !== undefined || server.isUsable;
}
