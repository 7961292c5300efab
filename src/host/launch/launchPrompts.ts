/** The questions of a launch to a person: consent, and values of inputs. Implemented by the editor. */
import type { InputDefinition } from '../config/serverConfig.ts';
import type { later, Turn } from '../questions/questionQueue.ts';
import type { LaunchDescription } from './launchDescription.ts';

export interface InputPrompt {
  /** The user's value, undefined when the question was closed, or `later` when it was postponed. */
  ask(
    server: string,
    input: InputDefinition,
    turn: Turn,
  ): Promise<string | typeof later | undefined>;
}

export interface ConsentPrompt {
  /** True when the user allowed the start. Closing the dialog is a no; `later` postpones the question. */
  confirmStart(description: LaunchDescription, turn: Turn): Promise<boolean | typeof later>;
}
