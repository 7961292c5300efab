/**
 * What the extension knows of the bundle of documents, which does whatever is done with prompts and
 * resources: its types, and commands that load it when they are first used.
 */
import type { ChatServices } from './chat/chatServices.ts';
import type { CommandHandlers } from './commands/register.ts';
import type { CommandName } from './ids.ts';
import type { PartsDocuments } from './resources/partsDocument.ts';

const documentCommandNames = [
  'usePrompt',
  'goToResource',
  'attachToChat',
  'openResource',
  'openTemplate',
  'addResourceToChat',
  'saveResource',
  'copyResourceUri',
  'watchResource',
  'stopWatchingResource',
  'compareResource',
] as const satisfies readonly CommandName[];

export interface Documents extends Pick<
  ChatServices,
  'askArguments' | 'pickResource' | 'previewPrompt'
> {
  readonly parts: Pick<PartsDocuments, 'draw' | 'lenses'>;
  readonly commands: Required<Pick<CommandHandlers, (typeof documentCommandNames)[number]>>;
}

export function documentCommands(documents: () => Documents): CommandHandlers {
  return Object.fromEntries(
    documentCommandNames.map((name) => [
      name,
      (argument: unknown) => documents().commands[name](argument),
    ]),
  );
}
