/** What a launch asks a person: consent, and the values of inputs. Implemented by the editor. */
import type { InputDefinition } from '../config/serverConfig.ts';
import type { later, Turn } from '../questions/questionQueue.ts';
import type { LaunchDescription } from './launchDescription.ts';

export interface InputPrompt {
  /** The user's value, undefined when the question was closed, or `later` when it was put off. */
  ask(
    server: string,
    input: InputDefinition,
    turn: Turn,
  ): Promise<string | typeof later | undefined>;
}

export interface ConsentPrompt {
  /** True when the user allowed the start. Closing the dialog is a no; `later` puts it off. */
  confirmStart(description: LaunchDescription, turn: Turn): Promise<boolean | typeof later>;
}
