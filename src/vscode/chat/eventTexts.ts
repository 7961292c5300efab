/** The sentences for events of a run: those that pass as progress, and those that stay in the answer on a line of their own. */
import * as vscode from 'vscode';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { AgentCall, AgentEvent, CallEnd } from '../../host/chat/agentEvents.ts';
import { oneLine } from '../text/labelText.ts';

type Of<K extends AgentEvent['kind']> = Extract<AgentEvent, { kind: K }>;

const progressKinds = ['callRequested', 'callStarted', 'toolsFound', 'summarizing'] as const;
const noteKinds = ['skillUsed', 'toolsAdded', 'historyCut', 'imagesLeftOut'] as const;

type ProgressEvent = Of<(typeof progressKinds)[number]>;
type NoteEvent = Of<(typeof noteKinds)[number]>;

export function isProgress(event: AgentEvent): event is ProgressEvent {
  return progressKinds.some((kind) => kind === event.kind);
}

export function isNote(event: AgentEvent): event is NoteEvent {
  return noteKinds.some((kind) => kind === event.kind);
}

export function progressOf(event: ProgressEvent): string {
  switch (event.kind) {
    case 'callRequested':
      return vscode.l10n.t('Next: {0}', callName(event.call));
    case 'callStarted':
      return vscode.l10n.t('Running {0}', callName(event.call));
    case 'toolsFound':
      return vscode.l10n.t(
        'Found {0} tools for "{1}"',
        event.tools.length,
        oneLine(event.query, 80),
      );
    case 'summarizing':
      return vscode.l10n.t('Summarizing the oldest part of the conversation');
  }
}

export function noteOf(event: NoteEvent): { readonly icon: string; readonly text: string } {
  switch (event.kind) {
    case 'skillUsed':
      return { icon: 'mortar-board', text: skillText(event) };
    case 'toolsAdded': {
      const names = event.tools.map((tool) => callName(tool)).join(', ');
      return {
        icon: 'sparkle',
        text: vscode.l10n.t('The model can now use new tools: {0}', names),
      };
    }
    case 'historyCut':
      return {
        icon: 'fold',
        text: vscode.l10n.t(
          'The conversation is too long for this model: its oldest part was left out.',
        ),
      };
    case 'imagesLeftOut':
      return {
        icon: 'eye-closed',
        text: vscode.l10n.t('This model does not accept images. It gets their names instead.'),
      };
  }
}

/** "Echo Tool" (everything) */
export function callName({ tool, server }: AgentCall): string {
  return `"${oneLine(displayLabel(tool), 80)}" (${oneLine(server.config.name, 60)})`;
}

function skillText({ skill, file }: Of<'skillUsed'>): string {
  const name = oneLine(skill.reference, 120);
  return file === undefined
    ? vscode.l10n.t('Loaded the skill {0}', name)
    : vscode.l10n.t('Read {0} of the skill {1}', oneLine(file, 120), name);
}

export function resultText(call: AgentCall, end: Extract<CallEnd, { kind: 'result' }>): string {
  const name = callName(call);
  const { result, outputProblems } = end.outcome;
  if (result.isError === true) {
    return vscode.l10n.t('{0} reports an error:', name);
  }
  if (outputProblems.length > 0) {
    return vscode.l10n.t('{0} ran, but its output does not match its schema:', name);
  }
  return end.cutChars > 0
    ? vscode.l10n.t('Ran {0}. The model got only a part of the long result:', name)
    : vscode.l10n.t('Ran {0}:', name);
}
