/** Asks for the arguments of a prompt, step by step. */
import { ArgumentCompletion } from '../../host/resources/argumentCompletion.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { PromptArguments, PromptServer } from '../../host/prompts/prompts.ts';
import type { Prompt } from '../../mcp/types/lists.ts';
import { oneLine } from '../text/text.ts';
import { askValues, type HowToAsk } from './valueWizard.ts';

/**
 * Undefined when the user closed a step. Asks nothing for a prompt without arguments.
 * @param known initial values, which the user can change
 */
export async function askArguments(
  server: PromptServer,
  prompt: Prompt,
  known: PromptArguments,
  how: HowToAsk,
): Promise<PromptArguments | undefined> {
  return askValues(
    {
      title: `${oneLine(server.config.name, 40)}: ${oneLine(displayLabel(prompt), 60)}`,
      fields: (prompt.arguments ?? []).map((argument) => ({
        name: argument.name,
        label: oneLine(displayLabel(argument), 60),
        description: argument.description ?? '',
        isRequired: argument.required === true,
      })),
      completion: new ArgumentCompletion(server, { type: 'ref/prompt', name: prompt.name }),
    },
    known,
    how,
  );
}
