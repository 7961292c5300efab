/** The number of tools in one request to a model, from the settings. */
import * as vscode from 'vscode';
import { section } from '../ids.ts';

/** The maximum of OpenAI and Copilot. */
const defaultMaxTools = 128;

export function maxTools(): number {
  return vscode.workspace.getConfiguration(section).get<number>('chat.maxTools', defaultMaxTools);
}
