/** Creates the dialogs for elicitation: forms and links. */
import { Elicitation, type ElicitationServices } from '../../host/elicitation/elicitation.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { EditorElicitationUi } from './editorElicitationUi.ts';
import type { KeepFile } from '../text/wholeText.ts';

/** It lasts as long as `host`. */
export function createElicitation({
  host,
  keepFile,
  ...services
}: Omit<ElicitationServices, 'ui'> & {
  readonly host: Pick<McpHost, 'servers' | 'onDidChangeServers' | 'onDidChangeServer'>;
  readonly keepFile: KeepFile;
}): Elicitation {
  const elicitation = new Elicitation({ ...services, ui: new EditorElicitationUi(keepFile) });
  const endVisits = (): void =>
    elicitation.endVisits((id) => host.servers.get(id)?.state.kind !== 'ready');
  host.onDidChangeServers(endVisits);
  host.onDidChangeServer(endVisits);
  return elicitation;
}
