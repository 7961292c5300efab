/** The input of a tool as JSON, on one line or in an editor, checked against its schema while typing. */
import type { SchemaChecker } from '../../host/schemas/schemaChecker.ts';
import * as vscode from 'vscode';
import { toError } from '../../base/async.ts';
import { isObject, type JsonObject, parsedJson } from '../../base/json.ts';
import type { ToolInput } from '../../host/toolApproval/approvals.ts';
import { McpError } from '../../mcp/errors.ts';
import { propertiesOf, requiredOf } from '../../host/schemas/schemaParts.ts';
import type { JsonSchema, Tool } from '../../mcp/types/lists.ts';
import type { Edit, EditText } from '../text/textEditing.ts';
import { errorText } from '../text/errorText.ts';
import { boxStep, stepButton, teller } from '../forms/step.ts';
import { oneLine } from '../text/labelText.ts';
import { safeFileName } from '../text/resultFiles.ts';
import { suggestFrom } from './schemaSuggestions.ts';

export interface InputEdit extends Pick<Edit<ToolInput>, 'hint'> {
  readonly title: string;
  readonly tool: Tool;
  readonly checker: SchemaChecker;
  readonly editText: EditText;
  readonly signal: AbortSignal;
}

/** On one line, from which the user may continue in an editor. Undefined when the user gave up. */
export async function askInput(input: ToolInput, edit: InputEdit): Promise<ToolInput | undefined> {
  const { title, tool, checker, signal } = edit;
  const box = vscode.window.createInputBox();
  let text = JSON.stringify(input);
  box.value = text;
  box.prompt = parameterHelp(tool.inputSchema);
  box.placeholder = vscode.l10n.t('Arguments as JSON');
  const tell = teller(
    () => text,
    (asked) => problemOf(asked, tool, checker),
    (problem) => {
      box.validationMessage = problem;
      return problem?.severity !== vscode.InputBoxValidationSeverity.Error;
    },
  );
  void tell();
  const end = await boxStep(
    box,
    { title, signal },
    { label: vscode.l10n.t('input as JSON') },
    (typed) => (text = typed),
    tell,
    [stepButton('edit', vscode.l10n.t('Write the input in an editor'), 'editor')],
  );
  const typed = toObject(text);
  return end === 'editor' ? editInput(typed ?? input, edit) : end === 'next' ? typed : undefined;
}

/** In an editor, with completion. Undefined when the user gave up. */
export function editInput(
  input: ToolInput,
  { tool, checker, editText, signal, hint }: InputEdit,
): Promise<ToolInput | undefined> {
  return editText(
    {
      name: safeFileName(tool.name),
      language: 'json',
      text: `${JSON.stringify(input, undefined, 2)}\n`,
      hint,
      read: (text) => readInput(text, tool, checker),
      assist: suggestFrom(
        tool.inputSchema,
        async (text) => (await problemOf(text, tool, checker))?.message,
      ),
    },
    signal,
  );
}

/** @throws McpError `invalidInput` with a sentence about the problem */
async function readInput(text: string, tool: Tool, checker: SchemaChecker): Promise<ToolInput> {
  const problem = await problemOf(text, tool, checker);
  const input =
    problem?.severity === vscode.InputBoxValidationSeverity.Error ? undefined : toObject(text);
  if (input === undefined) {
    throw new McpError('invalidInput', problem?.message ?? '');
  }
  return input;
}

async function problemOf(
  text: string,
  tool: Tool,
  checker: SchemaChecker,
): Promise<vscode.InputBoxValidationMessage | undefined> {
  const { Error: error, Warning: warning } = vscode.InputBoxValidationSeverity;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    const reason = oneLine(toError(thrown).message, 200);
    return { message: vscode.l10n.t('Not valid JSON: {0}', reason), severity: error };
  }
  if (!isObject(value)) {
    return { message: vscode.l10n.t('A JSON object is needed: {"name": value}'), severity: error };
  }
  try {
    const [first] = await checker.check(tool.inputSchema, value);
    return first === undefined ? undefined : { message: oneLine(first, 300), severity: error };
  } catch (thrown) {
    // With an unusable schema the user may still try; the server checks too.
    return { message: errorText(thrown), severity: warning };
  }
}

/** Undefined for anything but a JSON object. */
function toObject(text: string): JsonObject | undefined {
  const value = parsedJson(text);
  return isObject(value) ? value : undefined;
}

/** `a (number, required), b (string)`. */
function parameterHelp(schema: JsonSchema): string {
  const required = new Set(requiredOf(schema));
  const parameters = Object.entries(propertiesOf(schema)).map(([name, inner]) => {
    const type = isObject(inner) && typeof inner['type'] === 'string' ? inner['type'] : '';
    const notes = [type, required.has(name) ? vscode.l10n.t('required') : ''].filter(
      (note) => note !== '',
    );
    return notes.length === 0 ? name : `${name} (${notes.join(', ')})`;
  });
  return oneLine(vscode.l10n.t('Parameters: {0}', parameters.join(', ')), 300);
}
