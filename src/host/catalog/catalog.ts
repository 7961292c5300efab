/**
 * What one server offers: its tools, prompts, resources and resource templates, kept up to date for
 * as long as it is connected. Reading a resource and calling a tool are not done here.
 */
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { ServerChange, Session } from '../../mcp/session/session.ts';
import { capabilityOf } from '../../mcp/listCapabilities.ts';
import type { ListItems, ListName } from '../../mcp/listItems.ts';
import { CatalogList, type ListParts, type ListState } from './catalogList.ts';

export type { ListState } from './catalogList.ts';
export type ListKind = ListName;

/** In the order in which they are shown. */
export const listKinds: readonly ListKind[] = [
  'tools',
  'prompts',
  'resources',
  'resourceTemplates',
];

type Lists = { readonly [L in ListName]: CatalogList<L> };

export class Catalog implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<ListKind>());
  readonly #lists: Lists;
  /** Fires after a list, or its state, has become different. */
  readonly onDidChange = this.#changed.event;
  #loading: Promise<unknown> = Promise.resolve();

  /**
   * @param limits of the server; absent: as usual
   * @param memory of the server: the lists add to it
   * @param withoutSecrets takes secrets out of what a fetch failed with, before it is kept to be shown
   */
  constructor(parts: ListParts) {
    this.#lists = {
      tools: new CatalogList('tools', parts),
      prompts: new CatalogList('prompts', parts),
      resources: new CatalogList('resources', parts),
      resourceTemplates: new CatalogList('resourceTemplates', parts),
    };
    for (const kind of listKinds) {
      const list = this.#store.add(this.#lists[kind]);
      this.#store.add(list.onDidChange(() => this.#changed.fire(kind)));
    }
  }

  list<L extends ListKind>(kind: L): ListState<ListItems[L]> {
    const list: CatalogList<L> = this.#lists[kind];
    return list.state;
  }

  /** The items of a list that is whole; empty before. */
  items<L extends ListKind>(kind: L): readonly ListItems[L][] {
    const state = this.list(kind);
    return state.kind === 'ready' ? state.items : [];
  }

  /** The items of a list, those included of a first fetch that goes on: for who shows them and can wait for the rest. */
  known<L extends ListKind>(kind: L): readonly ListItems[L][] {
    const state = this.list(kind);
    return state.kind === 'ready' || state.kind === 'loading' ? state.items : [];
  }

  /** Fetches what the server declared (LIFE-12, CAP-01), all lists at the same time. */
  attach(session: Session, signal: AbortSignal): void {
    const { capabilities } = session.server;
    const offered = listKinds.filter((kind) => capabilities[capabilityOf(kind)] !== undefined);
    for (const kind of listKinds) {
      if (!offered.includes(kind)) {
        this.#lists[kind].detach(false);
      }
    }
    this.#loading = Promise.all(offered.map((kind) => this.#lists[kind].attach(session, signal)));
  }

  /** The session is over. `willReturn`: the server is being restarted, what it offered stays in view. */
  detach(willReturn: boolean): void {
    for (const kind of listKinds) {
      this.#lists[kind].detach(willReturn);
    }
  }

  /** Resolves when the first fetch of the current session is over, failed lists included. */
  async whenLoaded(): Promise<void> {
    await this.#loading;
  }

  /** Resolves when what the server has announced of a list so far is fetched. Never rejects. */
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
        // One notification stands for both: there is none for templates.
        this.#lists.resources.refresh();
        this.#lists.resourceTemplates.refresh();
        break;
      case 'resource':
        break;
    }
  }

  /** Asks the server again for everything. */
  refresh(): void {
    for (const kind of listKinds) {
      this.#lists[kind].refresh();
    }
  }

  /** For who is about to use the lists: asks again for those that the server gave for a time that is over. */
  renew(): void {
    for (const kind of listKinds) {
      this.#lists[kind].renew();
    }
  }

  dispose(): void {
    this.#store.dispose();
  }
}
