/** "Add Server" and install links, with the services of their bundle; it is loaded with the first of them. */
import type { Disposable } from '../../base/disposable.ts';
import type { UriRouter } from '../editor/uriRouter.ts';
import type { addFromLink } from './addFromLink.ts';
import type { addServer } from './addServer.ts';
import type { AddServices } from './importServers.ts';

/** The exports of the bundle. */
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

  /** @param onError gets errors that the user was not told already */
  acceptLinks(uris: UriRouter, onError: (error: unknown) => void): Disposable {
    return uris.on(installPath, (query) => {
      this.#bundle().addFromLink(query, this.#services).catch(onError);
    });
  }
}
