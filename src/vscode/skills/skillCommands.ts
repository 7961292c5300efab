/** Commands on skills: to read one, and to use one in chat. Neither loads it: a question does, when the message is sent. */
import * as vscode from 'vscode';
import { isObject } from '../../base/json.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import { type NamedSkill, namedSkills } from '../../host/skills/namedSkills.ts';
import { previewSkill } from '../../host/skills/skills.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { openChat } from '../editor/openChat.ts';
import { pickOne } from '../editor/pickOne.ts';
import type { CommandHandlers } from '../editor/registerCommands.ts';
import { oneLine } from '../text/labelText.ts';
import type { KeepFile } from '../text/wholeText.ts';
import { skillFile } from './skillDialog.ts';

interface SkillCommandServices {
  readonly host: { readonly servers: ReadonlyMap<ServerId, ServerConnection> };
  readonly keepFile: KeepFile;
}

export function skillCommands(
  services: SkillCommandServices,
): Required<Pick<CommandHandlers, 'useSkill' | 'showSkill'>> {
  return {
    useSkill: async (argument) => {
      const chosen = await choose(services, argument);
      if (chosen !== undefined) {
        const query = `@mcp /skill ${chosen.reference} `;
        await openChat(
          { query },
          {
            query,
            told: vscode.l10n.t('The message is on the clipboard: paste it into the chat.'),
          },
        );
      }
    },
    showSkill: async (argument) => {
      const chosen = await choose(services, argument);
      if (chosen !== undefined) {
        await show(services, chosen);
      }
    },
  };
}

async function show(
  { keepFile }: SkillCommandServices,
  { server, skill }: NamedSkill,
): Promise<void> {
  const text = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Window,
      title: vscode.l10n.t('Reading the skill {0}', skill.name),
    },
    () => previewSkill(server, skill, new AbortController().signal),
  );
  const uri = keepFile(skillFile(server.config.name, skill, text));
  if (uri !== undefined) {
    await vscode.window.showTextDocument(uri, { preview: true });
  }
}

/** @param argument a row of the tree; without one the user picks */
async function choose(
  { host }: SkillCommandServices,
  argument: unknown,
): Promise<NamedSkill | undefined> {
  const all = namedSkills(host.servers.values());
  if (isObject(argument) && isObject(argument['skill'])) {
    const { serverId, skill } = argument;
    return all.find((one) => one.server.config.id === serverId && one.skill.uri === skill['uri']);
  }
  return pickSkill(all);
}

export async function pickSkill<S extends NamedSkill>(all: readonly S[]): Promise<S | undefined> {
  const picked = await pickOne(
    all.map((one) => ({
      label: one.skill.name,
      description: oneLine(one.server.config.name, 60),
      detail: oneLine(one.skill.description, 150),
      one,
    })),
    vscode.l10n.t('No running MCP server offers skills.'),
    { placeHolder: vscode.l10n.t('Which skill?'), matchOnDescription: true, matchOnDetail: true },
  );
  return picked?.one;
}
