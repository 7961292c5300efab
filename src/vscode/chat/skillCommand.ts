/** `/skill name what to do`: loads a skill after a question, and gives it to the model with the rest of the message. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { ownTools } from '../../host/chat/modelTools.ts';
import { loadSkill } from '../../host/chat/skillTools.ts';
import { resultLimits } from '../../host/chat/modelParts.ts';
import { namedSkills } from '../../host/skills/namedSkills.ts';
import { inline, plain } from '../text/contentMarkdown.ts';
import { pickSkill } from '../skills/skillCommands.ts';
import type { Exchange, Question } from './chatServices.ts';
import { userMessage } from './conversation.ts';

/** Undefined when it is not loaded; the response then says why. */
export async function useSkill(exchange: Exchange): Promise<Question | undefined> {
  const { response, signal, services, prompt } = exchange;
  const servers = [...services.host.servers.values()];
  const listed = namedSkills(servers);
  const [typed = ''] = prompt.split(/\s/u, 1);
  const word = typed === '' ? ((await pickSkill(listed))?.reference ?? '') : typed;
  signal.throwIfAborted();
  if (word === '') {
    response.markdown(vscode.l10n.t('No skill was chosen.'));
    return undefined;
  }
  const input = { skill: word };
  response.progress(vscode.l10n.t('Waiting for your answer about the skill'));
  const { used, parts, isError } = await loadSkill(services.skills, servers, input, {
    caller: 'user',
    signal,
    limits: resultLimits,
    acting: [],
  });
  if (used === undefined || isError === true) {
    const [why] = parts.map((part) => (part.kind === 'text' ? part.text : ''));
    const known = listed.map(({ reference }) => `- ${inline(`/skill ${reference}`)}`);
    response.markdown([plain(why ?? '', 2_000), '', ...known.slice(0, 40)].join('\n'));
    return undefined;
  }
  const text = vscode.l10n.t('Loaded the skill {0}', used.reference);
  response.markdown(new vscode.MarkdownString(`$(mortar-board) ${plain(text, 200)}\n\n`, true));
  const rest = prompt.slice(typed.length).trim();
  const server = servers.find((one) => one === used.server);
  // In the conversation it looks as if the model had loaded it: later turns know it by that.
  const callId = randomUUID();
  return {
    ...(server && { server }),
    messages: [
      userMessage(rest === '' ? `Use the skill ${used.reference}.` : rest),
      {
        role: 'assistant',
        parts: [{ kind: 'toolCall', callId, tool: ownTools.loadSkill, input }],
      },
      { role: 'user', parts: [{ kind: 'toolResult', callId, parts }] },
    ],
  };
}
