/**
 * The language model tools for the editor: their progress messages, their confirmations, and their results in parts.
 * host/chat/languageModelTools.ts does the work. This extension asks whether a tool of a server may be called: the
 * editor knows only `mcp_call_tool`, and an answer that it remembers would count for every tool of every server.
 */
import * as vscode from 'vscode';
import {
  type CallBounds,
  type CallInput,
  type FindInput,
  LanguageModelTools,
  type LanguageModelToolServices,
  type PromptInput,
  type ReadInput,
} from '../../host/chat/languageModelTools.ts';
import type { LoadInput } from '../../host/chat/skillTools.ts';
import { visible } from '../../base/visible.ts';
import type { EditorChat } from '../../host/editorChat/editorChat.ts';
import type { ModelPart } from '../../host/models/model.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { toEditorPart } from '../models/editorModel.ts';
import { toSignal } from '../text/cancellation.ts';
import { plain } from '../text/contentMarkdown.ts';
import { markdownWords, oneLine } from '../text/labelText.ts';
import type { toolNames } from '../ids.ts';

export type ToolServices = Omit<LanguageModelToolServices, 'servers' | 'isOffered'> & {
  readonly host: McpHost;
  readonly editorChat: Pick<EditorChat, 'isPublished'>;
};

/** The editor has checked the input against package.json. */
type ToolImplementations = Readonly<
  Record<keyof typeof toolNames, Required<vscode.LanguageModelTool<object>>>
>;

type Tool<I extends object> = Required<vscode.LanguageModelTool<I>>;

/** The editor shows a running tool's message on one line. */
const maxInputLine = 160;
/** The editor cuts Markdown of 100,000 characters. */
const maxShown = 99_000;

export function createTools(services: ToolServices): ToolImplementations {
  const tools = new LanguageModelTools({
    ...services,
    servers: () => services.host.servers.values(),
    isOffered: (server) => services.editorChat.isPublished(server),
  });
  return {
    find: of<FindInput>(prepareFind, (input, bounds) => tools.find(input, bounds)),
    call: of<CallInput>(prepareCall, (input, bounds) => tools.call(input, bounds)),
    readResource: of<ReadInput>(prepareRead, (input, bounds) => tools.readResource(input, bounds)),
    findSkills: of<FindInput>(prepareFindSkills, (input, bounds) =>
      tools.findSkills(input, bounds),
    ),
    loadSkill: of<LoadInput>(prepareLoad, (input, bounds) => tools.loadSkill(input, bounds)),
    getPrompt: of<PromptInput>(preparePrompt, (input, bounds) => tools.getPrompt(input, bounds)),
  };
}

function of<I extends object>(
  prepare: (input: I) => vscode.PreparedToolInvocation,
  run: (input: I, bounds: CallBounds) => Promise<readonly ModelPart[]>,
): Tool<object> {
  const tool: Tool<I> = {
    prepareInvocation: ({ input }) => prepare(input),
    invoke: async ({ input, tokenizationOptions }, token) => {
      const parts = await run(input, {
        signal: toSignal(token),
        ...(tokenizationOptions && { tokenBudget: tokenizationOptions.tokenBudget }),
      });
      return new vscode.LanguageModelToolResult(parts.map(toEditorPart));
    },
  };
  // The editor has checked the input against the schema in package.json, which describes I.
  return tool;
}

function prepareFind({ query = '', server = '' }: FindInput): vscode.PreparedToolInvocation {
  const place = server === '' ? vscode.l10n.t('MCP servers') : plain(server, 60);
  return {
    invocationMessage: line(
      query === ''
        ? vscode.l10n.t('Listing what {0} offer', place)
        : vscode.l10n.t('Looking in {0} for “{1}”', place, plain(query, 80)),
    ),
  };
}

function prepareFindSkills({ query = '' }: FindInput): vscode.PreparedToolInvocation {
  return {
    invocationMessage: line(
      query === ''
        ? vscode.l10n.t('Listing the skills of MCP servers')
        : vscode.l10n.t('Looking for a skill of MCP servers: “{0}”', plain(query, 80)),
    ),
  };
}

/** This extension asks before a skill is loaded. */
function prepareLoad({ skill, file }: LoadInput): vscode.PreparedToolInvocation {
  const name = plain(skill, 120);
  return {
    invocationMessage: line(
      file === undefined
        ? vscode.l10n.t('Loading the skill {0}', name)
        : vscode.l10n.t('Reading {0} of the skill {1}', plain(file, 120), name),
    ),
  };
}

function prepareCall({ server, tool, input = {} }: CallInput): vscode.PreparedToolInvocation {
  return {
    invocationMessage: line(
      vscode.l10n.t(
        'Running “{0}” of the MCP server “{1}” with {2}',
        plain(tool, 100),
        plain(server, 60),
        plain(JSON.stringify(input), maxInputLine),
      ),
    ),
  };
}

export function prepareRead({ server, uri }: ReadInput): vscode.PreparedToolInvocation {
  return {
    invocationMessage: line(
      vscode.l10n.t('Reading {0} from the MCP server “{1}”', plain(uri, 200), plain(server, 60)),
    ),
    confirmationMessages: {
      title: vscode.l10n.t('Read a resource of the MCP server “{0}”?', oneLine(server, 60)),
      message: line(vscode.l10n.t('The model gets the content of {0}.', whole(uri))),
    },
  };
}

export function preparePrompt(input: PromptInput): vscode.PreparedToolInvocation {
  const { server, prompt } = input;
  const given = JSON.stringify(input.arguments ?? {});
  return {
    invocationMessage: line(
      vscode.l10n.t(
        'Getting the prompt “{0}” from the MCP server “{1}”',
        plain(prompt, 100),
        plain(server, 60),
      ),
    ),
    confirmationMessages: {
      title: vscode.l10n.t(
        'Get the prompt “{0}” of the MCP server “{1}”?',
        oneLine(prompt, 100),
        oneLine(server, 60),
      ),
      message: line(
        vscode.l10n.t(
          'The server gets the arguments {0}. The model gets the messages that the server returns.',
          whole(given),
        ),
      ),
    },
  };
}

/** What a server gets: nothing of it is cut or hidden. @throws where it is too long to be shown */
function whole(text: string): string {
  const shown = markdownWords(visible(text));
  if (shown.length > maxShown) {
    throw new Error('The input is too long to be shown to the user. Nothing was sent.');
  }
  return shown;
}

/** @param markdown with all text of models and servers escaped */
function line(markdown: string): vscode.MarkdownString {
  return new vscode.MarkdownString(markdown);
}
