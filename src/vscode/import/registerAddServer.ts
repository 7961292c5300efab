/** "Add Server", "Check for Update" and install links. Their bundle is loaded with the first of them. */
import type { Registry } from '../editor/registerCommands.ts';
import type { UriRouter } from '../editor/uris.ts';
import type { addFromLink, addServer } from './addServer.ts';
import type { checkForUpdate, UpdateServices } from './checkForUpdate.ts';
import type { AddServices } from './importServers.ts';

/** `vscode://mcp-host.mcp-host/install?…` */
const installPath = '/install';

/** @param parts.onError gets errors that the user was not told already */
export function registerAddServer(
  parts: Registry &
    AddServices &
    UpdateServices & {
      readonly bundles: {
        readonly imports: () => {
          readonly addFromLink: typeof addFromLink;
          readonly addServer: typeof addServer;
          readonly checkForUpdate: typeof checkForUpdate;
        };
      };
      readonly uris: UriRouter;
      readonly onError: (error: unknown) => void;
    },
): void {
  const { own, addCommands, bundles, uris, onError } = parts;
  addCommands({
    addServer: async () => {
      await bundles.imports().addServer(parts);
    },
    checkForUpdate: (argument) => bundles.imports().checkForUpdate(argument, parts),
  });
  own(
    uris.on(installPath, (query) => {
      bundles.imports().addFromLink(query, parts).catch(onError);
    }),
  );
}
