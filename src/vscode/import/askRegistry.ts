/** Searches MCP registries while the user types, and lets the user choose one package or remote of a server. */
import * as vscode from 'vscode';
import { delay } from '../../base/async.ts';
import { isString } from '../../base/json.ts';
import type { Surroundings } from '../../host/import/importedServer.ts';
import type { RegistryHit, RegistryWay } from '../../host/import/registryServers.ts';
import { RegistryTokens, searchRegistry, wantsToken } from '../../host/import/registrySearch.ts';
import { findReadme, type PackageName } from '../../host/import/packages.ts';
import { pinnedPackage } from '../../host/import/pinnedPackage.ts';
import { errorText } from '../text/errorText.ts';
import { section } from '../ids.ts';
import { type KeepFile, openFile, textFile } from '../text/wholeText.ts';
import { cancellable } from '../text/cancellation.ts';
import { pickStep, type StepItem, textStep } from '../forms/step.ts';
import { packageErrorText, packageRegistries } from './askServer.ts';
import { openExternal } from '../editor/uris.ts';
import { oneLine } from '../text/labelText.ts';
import { searchPick, type SearchRow } from '../editor/searchPick.ts';
import type { AddServices } from './importServers.ts';
import type { Asked } from './saveServer.ts';
import { askBundle } from './bundleFile.ts';

/** Milliseconds without another key: each search is a request. */
const quietMs = 300;
/** For an answer where there are other registries, which would wait for it. */
const besideOthers = { timeMs: 5_000 };

interface Registry {
  /** Its URL, as the settings have it. */
  readonly base: string;
  readonly name: string;
}

interface Choice {
  readonly registry: Registry;
  /** Absent: another page is wanted, or the token of the registry is to be entered. */
  readonly hit?: RegistryHit;
  readonly wantsMore?: boolean;
}

type Row = SearchRow<Choice>;

/** @returns also what was typed, to be shown again; undefined when the user closed it */
export async function askRegistry(
  typed: string,
  around: Surroundings,
  services: AddServices,
): Promise<(Asked & { readonly typed: string }) | undefined> {
  const { secrets, keepFile } = services;
  const registries = configuredRegistries();
  const tokens = new RegistryTokens(secrets);
  /** By registry and text. */
  const pages = new Map<string, number>();
  let value = typed;
  for (;;) {
    const found = await searchPick<Choice>({
      look: {
        title: titleOf(registries),
        placeholder: vscode.l10n.t('Part of a server’s name; leave empty to list the first ones'),
        ignoreFocusOut: true,
        value,
      },
      canGoBack: true,
      find: async (text, signal) => ({
        rows: await rowsFor(registries, text.trim(), { around, tokens, pages, keepFile, signal }),
      }),
    });
    if (found === undefined) {
      return undefined;
    }
    value = found.typed;
    const { hit, registry, wantsMore } = found.choice;
    if (wantsMore === true) {
      const key = pagesKey(registry, value.trim());
      pages.set(key, (pages.get(key) ?? 1) + 1);
      continue;
    }
    if (hit === undefined) {
      await askToken(registry, tokens);
      continue;
    }
    const way = await chooseWay(hit);
    if (way === undefined) {
      return undefined;
    }
    if (way !== 'back') {
      const from = `${oneLine(hit.name, 120)} (${oneLine(registry.name, 60)})`;
      const asked: Asked | 'back' =
        way.bundle === undefined
          ? { file: { servers: [way.server], problems: [] }, origin: from }
          : await askBundle(way.bundle, services, around);
      if (asked !== 'back') {
        return { ...asked, typed: value };
      }
    }
  }
}

function configuredRegistries(): readonly Registry[] {
  const urls: unknown = vscode.workspace.getConfiguration(section).get('registryUrls');
  return [...new Set(Array.isArray(urls) ? urls.filter(isString) : [])].map((base) => ({
    base,
    name: oneLine(URL.parse(base)?.host ?? base, 80),
  }));
}

function titleOf(registries: readonly Registry[]): string {
  const [first] = registries;
  return registries.length === 1 && first !== undefined
    ? vscode.l10n.t('Add MCP Server: search in {0}', first.name)
    : vscode.l10n.t('Add MCP Server: search in {0} registries', registries.length);
}

interface Searching {
  readonly around: Surroundings;
  readonly tokens: RegistryTokens;
  /** How many pages of a registry are shown, by {@link pagesKey}. */
  readonly pages: ReadonlyMap<string, number>;
  readonly keepFile: KeepFile;
  readonly signal: AbortSignal;
}

async function rowsFor(
  registries: readonly Registry[],
  text: string,
  searching: Searching,
): Promise<readonly Row[]> {
  if (text !== '') {
    await delay(quietMs, searching.signal);
  }
  if (registries.length === 0) {
    return [note(`$(error) ${vscode.l10n.t('{0} names no registry', `${section}.registryUrls`)}`)];
  }
  const isAlone = registries.length === 1;
  const groups = registries.map(async (registry) => {
    const rows = await rowsOf(registry, text, searching, isAlone ? {} : besideOthers);
    // The editor hides separators while a text is typed: each row says where it is from.
    return isAlone
      ? rows
      : rows.map((row) => ({
          ...row,
          detail: [registry.name, row.detail ?? []].flat().join(' · '),
        }));
  });
  return (await Promise.all(groups)).flat();
}

/** Another registry that fails is in the way of none. */
async function rowsOf(
  registry: Registry,
  text: string,
  { around, tokens, pages, keepFile, signal }: Searching,
  limits: { readonly timeMs?: number },
): Promise<readonly Row[]> {
  const { base, name } = registry;
  const token = await tokens.get(base);
  const isKept = token !== undefined;
  try {
    const search = { text, pages: pages.get(pagesKey(registry, text)) ?? 1 };
    const { hits, hasMore } = await searchRegistry(base, search, around, signal, {
      ...limits,
      ...(isKept && { token }),
    });
    const none = vscode.l10n.t('No server has "{0}" in its name', oneLine(text, 60));
    return [
      ...(hits.length === 0
        ? [note(`$(circle-slash) ${none}`)]
        : hits.map((hit) => hitRow(hit, registry, keepFile))),
      ...(hasMore
        ? [
            {
              label: `$(ellipsis) ${vscode.l10n.t('Show More of {0}', name)}`,
              alwaysShow: true,
              choice: { registry, wantsMore: true },
            },
          ]
        : []),
      ...(isKept && text === ''
        ? [tokenRow(registry, vscode.l10n.t('Change or Forget the Token of {0}…', name))]
        : []),
    ];
  } catch (error) {
    if (wantsToken(error)) {
      const why = isKept
        ? vscode.l10n.t('The kept token was refused')
        : vscode.l10n.t('Needs a token');
      return [
        {
          ...tokenRow(registry, vscode.l10n.t('Enter the Token of {0}…', name)),
          detail: `${why} (${errorText(error)})`,
        },
      ];
    }
    return [note(`$(error) ${errorText(error)}`)];
  }
}

function pagesKey({ base }: Registry, text: string): string {
  return `${base}\n${text}`;
}

function tokenRow(registry: Registry, label: string): Row {
  return { label: `$(key) ${label}`, alwaysShow: true, choice: { registry } };
}

async function askToken({ base, name }: Registry, tokens: RegistryTokens): Promise<void> {
  const typed = await textStep(
    {
      prompt: vscode.l10n.t(
        'It is kept in the secret storage and sent to {0} alone. Leave it empty to forget it.',
        oneLine(base, 150),
      ),
      password: true,
    },
    { title: vscode.l10n.t('Token of {0}', name) },
    (text) =>
      /^[\x21-\x7e]*$/u.test(text)
        ? undefined
        : vscode.l10n.t('A token has no spaces, and no letters beyond ASCII.'),
  );
  if (typed.end === 'next') {
    await tokens.set(base, typed.text);
  }
}

function note(label: string): SearchRow<never> {
  return { label, alwaysShow: true };
}

function hitRow(hit: RegistryHit, registry: Registry, keepFile: KeepFile): Row {
  const { name, title, version, description, repository, ways } = hit;
  /** Of npm or PyPI. */
  const [found] = ways.flatMap(({ server }) => pinnedPackage(server.entry) ?? []);
  return {
    label: oneLine(title ?? name, 80),
    description: oneLine(title === undefined ? version : `${name} ${version}`, 120),
    detail: oneLine(
      [description, ...(repository === undefined ? [] : [repository])].join(' · '),
      300,
    ),
    alwaysShow: true,
    choice: { registry, hit },
    buttons: [
      ...(found === undefined
        ? []
        : [
            {
              iconPath: new vscode.ThemeIcon('book'),
              tooltip: vscode.l10n.t('Show README'),
              press: () => showReadme(found, keepFile),
            },
          ]),
      ...(URL.parse(repository ?? '')?.protocol === 'https:'
        ? [
            {
              iconPath: new vscode.ThemeIcon('link-external'),
              tooltip: vscode.l10n.t('Open Repository'),
              press: async () => void (await openExternal(repository ?? '')),
            },
          ]
        : []),
    ],
  };
}

/** As plain text: it is a stranger's. */
async function showReadme(wanted: PackageName, keepFile: KeepFile): Promise<void> {
  const title = vscode.l10n.t('Looking for {0}…', oneLine(wanted.name, 80));
  const readme = await cancellable(title, (signal) =>
    findReadme(packageRegistries(), wanted, signal).catch((error: unknown) =>
      packageErrorText(error, wanted.name),
    ),
  );
  const none = vscode.l10n.t('The package {0} has no README.', wanted.name);
  await openFile(keepFile, textFile(`README-${wanted.name}`, readme === '' ? none : readme));
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
  const none = vscode.l10n.t('The registry lists no package and no address for it.');
  const { end, item } = await pickStep(
    { items: ways.map(wayItem), ...(ways.length === 0 && { placeholder: none }) },
    { title: vscode.l10n.t('{0}: how is it run or reached?', oneLine(title ?? name, 80)) },
    { canGoBack: true },
  );
  return end === 'back' ? end : item?.way;
}

function wayItem(way: RegistryWay): StepItem & { readonly way: RegistryWay | 'back' } {
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
