/** A resource for the model, and the sentences about what the model does not get of it. */
import * as vscode from 'vscode';
import type { AttachedResource, LeftOut } from '../../host/chat/attached.ts';
import type { ResourceContent } from '../../host/resources/resourceContents.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { inline } from '../text/contentMarkdown.ts';

/** Adds what the server lists of the resource. */
export function attachedResource(
  { catalog, config }: ServerConnection,
  uri: string,
  contents: readonly ResourceContent[],
): AttachedResource {
  const listed = catalog.items('resources').find((resource) => resource.uri === uri);
  return { server: config.name, uri, annotations: listed?.annotations, contents };
}

/** What the model does not get, and why. @param uris of the resources to attach */
export function tellLeftOut(
  response: vscode.ChatResponseStream,
  uris: readonly string[],
  leftOut: readonly LeftOut[],
): void {
  for (const { index, why } of leftOut) {
    const uri = inline(uris[index] ?? '');
    response.markdown(
      why === 'audience'
        ? vscode.l10n.t('The server addresses {0} to you. The model did not get it.', uri)
        : vscode.l10n.t('The model got only a part of {0}: it is too long.', uri),
    );
    response.markdown('\n\n');
  }
}
