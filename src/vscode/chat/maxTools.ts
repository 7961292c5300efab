/** How many tools one request to a model may offer, as it is set now. */
import * as vscode from 'vscode';
import { section } from '../ids.ts';

/** What OpenAI and Copilot accept at most. */
const defaultMaxTools = 128;

export function maxTools(): number {
  return vscode.workspace.getConfiguration(section).get<number>('chat.maxTools', defaultMaxTools);
}
