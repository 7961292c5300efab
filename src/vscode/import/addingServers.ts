/** "Add Server" and install links, with what their bundle needs; it is loaded with the first of them. */
import type { Disposable } from '../../base/disposable.ts';
import type { UriRouter } from '../editor/uriRouter.ts';
import type { addFromLink } from './addFromLink.ts';
import type { addServer } from './addServer.ts';
import type { AddServices } from './importServers.ts';

/** What is loaded. */
interface AddingBundle {
  readonly addFromLink: typeof addFromLink;
  readonly addServer: typeof addServer;
}

/** `vscode://mcp-host.mcp-host/install?…` */
const installPath = '/install';

export interface AddingParts extends AddServices {
  readonly bundle: () => AddingBundle;
}

export class AddingServers {
  readonly #bundle: () => AddingBundle;
  readonly #services: AddServices;

  constructor({ bundle, ...services }: AddingParts) {
    this.#bundle = bundle;
    this.#services = services;
  }

  async add(): Promise<void> {
    await this.#bundle().addServer(this.#services);
  }

  /** @param onError gets what the user cannot be told where it happened */
  acceptLinks(uris: UriRouter, onError: (error: unknown) => void): Disposable {
    return uris.on(installPath, (query) => {
      this.#bundle().addFromLink(query, this.#services).catch(onError);
    });
  }
}
