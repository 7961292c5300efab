/**
 * The offer of one server: its tools, prompts, resources and resource templates, kept up to date while it is connected.
 * Reads no resource and calls no tool.
 */
import { DisposableOwner } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { ServerChange, Session } from '../../mcp/session/session.ts';
import { offersList, type ListItems, type ListName } from '../../mcp/listItems.ts';
import { CatalogList, type ListParts, type ListState } from './catalogList.ts';
import { raceSignal, settlesWithin } from '../../base/async.ts';

export type { ListState } from './catalogList.ts';
export type ListKind = ListName;

/** In display order. */
export const listKinds: readonly ListKind[] = [
  'tools',
  'prompts',
  'resources',
  'resourceTemplates',
  'skills',
];

type Lists = { readonly [L in ListName]: CatalogList<L> };

export class Catalog extends DisposableOwner {
  readonly #changed = this.store.add(new Emitter<ListKind>());
  readonly #lists: Lists;
  readonly #wantsSkills: () => boolean;
  /** Fires after a list, or its state, has changed. */
  readonly onDidChange = this.#changed.event;
  #loading = new Map<ListKind, Promise<void>>();

  /**
   * @param limits of the server; absent: the defaults
   * @param memory of the server: counts the lists
   * @param withoutSecrets removes secrets from the error of a fetch before it is stored
   * @param wantsSkills whether to list skills; absent: wherever a server declares them
   */
  constructor({
    wantsSkills = () => true,
    ...parts
  }: ListParts & { readonly wantsSkills?: () => boolean }) {
    super();
    this.#wantsSkills = wantsSkills;
    this.#lists = {
      tools: new CatalogList('tools', parts),
      prompts: new CatalogList('prompts', parts),
      resources: new CatalogList('resources', parts),
      resourceTemplates: new CatalogList('resourceTemplates', parts),
      skills: new CatalogList('skills', parts),
    };
    for (const kind of listKinds) {
      const list = this.store.add(this.#lists[kind]);
      this.store.add(list.onDidChange(() => this.#changed.fire(kind)));
    }
  }

  list<L extends ListKind>(kind: L): ListState<ListItems[L]> {
    const list: CatalogList<L> = this.#lists[kind];
    return list.state;
  }

  /** The items of a list after the first complete fetch; empty before. */
  items<L extends ListKind>(kind: L): readonly ListItems[L][] {
    const state = this.list(kind);
    return state.kind === 'ready' ? state.items : [];
  }

  /** The items of a list, including those of an unfinished first fetch: for views that can wait for the rest. */
  known<L extends ListKind>(kind: L): readonly ListItems[L][] {
    const state = this.list(kind);
    return state.kind === 'ready' || state.kind === 'loading' ? state.items : [];
  }

  /**
   * Fetches the lists that the server declared (LIFE-12, CAP-01), all at the same time; skills only where we declare
   * them, too (SKL-03).
   */
  attach(session: Session, signal: AbortSignal): void {
    const { capabilities } = session.server;
    const wanted = listKinds.filter((kind) => kind !== 'skills' || this.#wantsSkills());
    const offered = wanted.filter((kind) => offersList(capabilities, kind));
    for (const kind of listKinds) {
      if (!offered.includes(kind)) {
        this.#lists[kind].detach(false);
      }
    }
    this.#loading = new Map(
      offered.map((kind) => [kind, this.#lists[kind].attach(session, signal)]),
    );
  }

  /** The session is over. `willReturn`: the server is being restarted, and its items stay visible. */
  detach(willReturn: boolean): void {
    for (const kind of listKinds) {
      this.#lists[kind].detach(willReturn);
    }
  }

  /** Resolves when the first fetch of the current session is over, of one list or of all; also when it failed. */
  async whenLoaded(kind?: ListKind): Promise<void> {
    await (kind === undefined ? Promise.all(this.#loading.values()) : this.#loading.get(kind));
  }

  /** Resolves when all announced changes of a list so far are fetched. Never rejects. */
  async whenSettled(kind: ListKind): Promise<void> {
    await this.#lists[kind].whenSettled();
  }

  onServerChange(change: ServerChange): void {
    switch (change.kind) {
      case 'tools':
      case 'prompts':
        this.#lists[change.kind].refresh();
        break;
      case 'resources':
        // One notification covers both: templates have none.
        this.#lists.resources.refresh();
        this.#lists.resourceTemplates.refresh();
        break;
      case 'resource':
        break;
    }
  }

  /** Fetches all lists again. */
  refresh(): void {
    for (const kind of listKinds) {
      this.#lists[kind].refresh();
    }
  }

  /** Call before using the lists: fetches those again whose time to live is over. */
  renew(): void {
    for (const kind of listKinds) {
      this.#lists[kind].renew();
    }
  }
}

/** Milliseconds; a slower list is left out, since a click needs an answer. */
const patienceMs = 2_000;

interface Listing {
  readonly catalog: { whenLoaded(): Promise<void> };
}

/**
 * Waits for running fetches before a person picks from all servers' items: without this, a person who starts a server
 * and picks at once would see nothing. Fetches nothing.
 */
export async function whenListed(servers: Iterable<Listing>, ms = patienceMs): Promise<void> {
  const loaded = [...servers].map(({ catalog }) => catalog.whenLoaded());
  await settlesWithin(Promise.all(loaded), ms);
}

/** Milliseconds. */
const settleLimitMs = 3_000;

/**
 * A call may have changed its server's tools: waits until lists with an announced change are fetched, so that the next
 * request has the new tools (VSC-27). The wait for a slow server is short.
 * @throws the signal's reason when it aborts
 */
export async function settleTools(
  servers: readonly { readonly catalog: Pick<Catalog, 'whenSettled'> }[],
  signal: AbortSignal,
): Promise<void> {
  const settled = Promise.all(servers.map(({ catalog }) => catalog.whenSettled('tools')));
  await raceSignal(settlesWithin(settled, settleLimitMs), signal);
}
