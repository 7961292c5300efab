/**
 * The current configuration: reads the settings of all scopes, parses them, and reports changes. New problems are
 * logged, and shown once.
 */
import path from 'node:path';
import * as vscode from 'vscode';
import { after, CoalescedRun, Sequencer } from '../../base/async.ts';
import {
  type Disposable,
  DisposableOwner,
  DisposableStore,
  MutableDisposable,
} from '../../base/disposable.ts';
import { Emitter, onUnexpectedError } from '../../base/event.ts';
import { stableStringify } from '../../base/json.ts';
import { lazily } from '../../base/lazily.ts';
import type { Log } from '../../base/log.ts';
import {
  type BridgeSettings,
  parseBridgeSettings,
  parseExtensions,
  parseFollow,
} from '../../host/config/userSettings.ts';
import { parseConfig } from '../../host/config/parseConfig.ts';
import type { ContributedServers } from '../../host/launch/contributedServers.ts';
import type { ConfigProblem, HostConfig } from '../../host/config/serverConfig.ts';
import type { WorkspaceSwitches } from '../../host/config/workspaceSwitches.ts';
import { parseRules, type ToolRule } from '../../host/toolApproval/toolRules.ts';
import type { NamedExtension } from '../../mcp/extensions.ts';
import { commandId } from '../ids.ts';
import { offer } from '../editor/offer.ts';
import { oneLine } from '../text/labelText.ts';
import { scopeText } from './scopeText.ts';
import type { BrokenScope, ReadScopes, WholeScopes } from '../../host/config/wholeScopes.ts';
import {
  onDidChangeScopes,
  readBridge,
  readEntryPolicy,
  readExtensions,
  readFollow,
  readRules,
  readScopes,
  settingsFile,
  watchFile,
} from './editorWorkspace.ts';
import type { FollowedScopes } from '../../host/import/followedScopes.ts';
import type { FoundFile } from '../../host/import/importedServer.ts';

/** Milliseconds before the first look at files that were broken when the window opened, if no start needs it sooner. */
const firstLookMs = 2_000;

/** Of the bundle that knows the files of other programs. */
type FollowedFiles = new (
  programs: readonly string[],
  userData: vscode.Uri,
  onChange: () => void,
  earlier: readonly FoundFile[],
) => Disposable & { readonly current: FollowedScopes; readonly files: readonly FoundFile[] };

export class ConfigSource extends DisposableOwner {
  readonly #log: Log;
  readonly #contributed: ContributedServers;
  readonly #switches: WorkspaceSwitches;
  readonly #following = this.store.add(new MutableDisposable<InstanceType<FollowedFiles>>());
  readonly #follow: (programs: readonly string[]) => InstanceType<FollowedFiles>;
  readonly #toldNotes = new Set<string>();
  #programs = '';
  readonly #whole: () => WholeScopes;
  readonly #broken = this.store.add(new DisposableStore());
  readonly #userData: vscode.Uri;
  readonly #again: () => void;
  readonly #changed = this.store.add(new Emitter<HostConfig>());
  readonly onDidChange = this.#changed.event;
  readonly #reads = new Sequencer();
  #firstLook: Promise<void> | undefined;
  #settings: Settings;
  #knownProblems = new Set<string>();

  /** @param parts.bundles are loaded when a program is followed, or when settings files are read */
  constructor({
    log,
    contributed,
    switches,
    userData,
    bundles,
  }: {
    readonly log: Log;
    readonly contributed: ContributedServers;
    readonly switches: WorkspaceSwitches;
    readonly userData: vscode.Uri;
    readonly bundles: {
      readonly imports: () => { readonly FollowedFiles: FollowedFiles };
      readonly servers: () => { readonly WholeScopes: typeof WholeScopes };
    };
  }) {
    super();
    this.#log = log;
    this.#contributed = contributed;
    this.#switches = switches;
    this.#userData = userData;
    // One edit of a settings file fires several events: one per scope, and again for each folder.
    const read = this.store.add(
      new CoalescedRun(async () => this.#read(), { quietMs: 50, maxMs: 500 }),
    );
    this.#again = () => read.request();
    this.#follow = (programs) =>
      new (bundles.imports().FollowedFiles)(
        programs,
        userData,
        this.#again,
        this.#following.value?.files ?? [],
      );
    this.#whole = lazily(
      () =>
        new (bundles.servers().WholeScopes)({
          readScopes,
          fileOf: (scope) => settingsFile(scope, userData)?.fsPath,
        }),
    );
    this.#settings = this.#parsed({ scopes: readScopes(), broken: [] });
    this.store.add(onDidChangeScopes(this.#again));
    const look = (): void => void this.firstLook().catch(onUnexpectedError);
    this.store.add(after(firstLookMs, look));
    this.store.add(contributed.onDidChange(this.#again));
    this.store.add(switches.onDidChange(this.#again));
  }

  get current(): HostConfig {
    return this.#settings.config;
  }

  get bridge(): BridgeSettings {
    return this.#settings.bridge;
  }

  /** For calls of tools. */
  get rules(): readonly ToolRule[] {
    return this.#settings.rules;
  }

  /** The MCP extensions that are on. */
  get extensions(): readonly NamedExtension[] {
    return this.#settings.extensions;
  }

  /**
   * Resolves when {@link current} comes from whole files. Until then an entry may be incomplete, and must not start.
   */
  firstLook(): Promise<void> {
    return vscode.workspace.isTrusted ? (this.#firstLook ??= this.#read()) : Promise.resolve();
  }

  /** Reports problems in the settings that were not reported yet. */
  tellProblems(): void {
    const { problems } = this.current;
    const fresh = problems
      .filter((problem) => !this.#knownProblems.has(stableStringify(problem)))
      // A problem that stops an entry comes before one without effect on a start.
      .toSorted((a, b) => Number(b.isFatal === true) - Number(a.isFatal === true));
    this.#knownProblems = new Set(problems.map(stableStringify));
    for (const problem of fresh) {
      this.#log.warn(sentence(problem));
    }
    const [first] = fresh;
    if (first !== undefined) {
      showProblem(first, fresh.length - 1);
    }
  }

  #read(): Promise<void> {
    return this.#reads.run(async () => {
      // In Restricted Mode nothing starts, so nothing is loaded to check for it.
      const isTrusted = vscode.workspace.isTrusted;
      const read = isTrusted ? await this.#whole().read() : { scopes: readScopes(), broken: [] };
      this.#broken.clear();
      for (const { scope } of read.broken) {
        this.#broken.add(watchFile(settingsFile(scope, this.#userData), this.#again));
      }
      this.#settings = this.#parsed(read);
      this.#changed.fire(this.current);
      this.tellProblems();
    });
  }

  #parsed({ scopes, broken }: ReadScopes): Settings {
    const found = this.#readFollowed();
    const config = parseConfig([...scopes, ...this.#contributed.scopes, ...found.scopes], {
      ...readEntryPolicy(),
      switches: this.#switches.servers,
    });
    const bridge = parseBridgeSettings(readBridge());
    const { extensions, ...named } = parseExtensions(readExtensions());
    const { rules, ...ruled } = parseRules(readRules());
    const problems = [
      ...broken.map(problemOf),
      ...[config, found, bridge, named, ruled].flatMap((part) => part.problems),
    ];
    return { config: { ...config, problems }, bridge: bridge.settings, extensions, rules };
  }

  /** Follows the programs that the setting names now, and returns what is known so far. */
  #readFollowed(): Pick<FollowedScopes, 'scopes' | 'problems'> {
    const { programs, problems } = parseFollow(readFollow());
    if (programs.join() !== this.#programs) {
      this.#programs = programs.join();
      this.#following.value = programs.length === 0 ? undefined : this.#follow(programs);
    }
    const {
      scopes = [],
      problems: ofFiles = [],
      notes = [],
    } = this.#following.value?.current ?? {};
    for (const note of notes.filter((text) => !this.#toldNotes.has(text))) {
      this.#toldNotes.add(note);
      this.#log.info(note);
    }
    return { scopes, problems: [...problems, ...ofFiles] };
  }
}

interface Settings {
  readonly config: HostConfig;
  readonly bridge: BridgeSettings;
  readonly extensions: readonly NamedExtension[];
  readonly rules: readonly ToolRule[];
}

function problemOf({ scope, file, problem, wasWhole }: BrokenScope): ConfigProblem {
  const name = path.basename(file);
  const message = wasWhole
    ? vscode.l10n.t(
        '{0} {1}. Until this is fixed, its MCP servers keep their last settings.',
        name,
        problem,
      )
    : vscode.l10n.t('{0} {1}. Until this is fixed, none of its MCP servers start.', name, problem);
  return { scope, setting: 'mcpHost.servers', message, isFatal: true };
}

function sentence(problem: ConfigProblem): string {
  const where = [problem.entry, problem.field].filter((part) => part !== undefined);
  const place =
    problem.scope.kind === 'followed'
      ? scopeText(problem.scope)
      : `${problem.setting} (${scopeText(problem.scope)})`;
  return `${place}: ${where.length === 0 ? '' : `${where.join('.')}: `}${problem.message}`;
}

function showProblem(problem: ConfigProblem, more: number): void {
  const text = oneLine(sentence(problem), 400);
  offer(
    vscode.window.showWarningMessage,
    more === 0 ? text : vscode.l10n.t('{0} (and {1} more)', text, more),
    vscode.l10n.t('Open Settings'),
    () => vscode.commands.executeCommand(commandId('openSettings'), { kind: 'problem', problem }),
  );
}
