/** Creates the questions to the user: their queue, the dialogs of launches and elicitations, and texts to edit. */
import { systemClock } from '../../base/clock.ts';
import { lazily } from '../../base/lazily.ts';
import type { Audit } from '../../host/audit/audit.ts';
import type { ConsentPrompt } from '../../host/launch/startConsent.ts';
import type { InputPrompt } from '../../host/launch/inputs.ts';
import { QuestionQueue } from '../../host/questions/questionQueue.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { questionCommands, WaitingQuestions } from '../questions/waitingQuestions.ts';
import type { EditText } from '../text/textEditing.ts';
import type { Shared } from './shared.ts';

export type Questions = ReturnType<typeof createQuestions>;

/** @param parts.host called with the first question of a server */
export function createQuestions(
  parts: Shared & { readonly audit: Audit; readonly host: () => McpHost },
) {
  const { own, addCommands, bundles, keepFile, host } = parts;
  const questions = new QuestionQueue((id, withinMs) => host().hasJustAsked(id, withinMs));
  const dialogs = lazily(() => bundles.chat().createDialogs(keepFile));
  const prompt: ConsentPrompt & InputPrompt = {
    ask: (...question) => dialogs().ask(...question),
    confirmStart: (...question) => dialogs().confirmStart(...question),
  };
  const editing = lazily(() => new (bundles.chat().TextEditing)());
  const editText: EditText = (edit, signal) => editing().run(edit, signal);
  own(new WaitingQuestions(questions));
  addCommands({
    ...questionCommands(questions),
    useEditedText: () => editing().finish(true),
    discardEdits: () => editing().finish(false),
  });
  return {
    questions,
    prompt,
    editing,
    editText,
    elicitation: lazily(() =>
      bundles.chat().createElicitation({ ...parts, questions, host: host(), clock: systemClock }),
    ),
  };
}
