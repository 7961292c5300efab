/** The input of a tool as JSON, on one line or in an editor, checked against its schema while typing. */
import type { SchemaChecker } from '../../host/schemas/schemaChecker.ts';
import * as vscode from 'vscode';
import { toError } from '../../base/async.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { ToolInput } from '../../host/toolApproval/approvals.ts';
import { McpError } from '../../mcp/errors.ts';
import { propertiesOf, requiredOf } from '../../host/schemas/schemaParts.ts';
import type { JsonSchema, Tool } from '../../mcp/types/lists.ts';
import type { Edit } from '../text/textEditing.ts';
import { errorText } from '../text/errorText.ts';
import { oneLine } from '../text/labelText.ts';
import { safeFileName } from '../text/resultFiles.ts';
import { suggestFrom } from './schemaSuggestions.ts';

/** On one line. Undefined when the box was closed. */
export async function askInputLine(
  server: string,
  tool: Tool,
  input: ToolInput,
  checker: SchemaChecker,
  token: vscode.CancellationToken,
): Promise<ToolInput | undefined> {
  const text = await vscode.window.showInputBox(
    {
      title: `${oneLine(server, 60)}: ${oneLine(displayLabel(tool), 80)}`,
      prompt: parameterHelp(tool.inputSchema),
      placeHolder: vscode.l10n.t('Arguments as JSON'),
      value: JSON.stringify(input),
      ignoreFocusOut: true,
      validateInput: (value) => problemOf(value, tool, checker),
    },
    token,
  );
  return text === undefined ? undefined : toObject(text);
}

/** In an editor, with completion. The caller provides the hint. */
export function inputInEditor(
  tool: Tool,
  input: ToolInput,
  checker: SchemaChecker,
): Omit<Edit<ToolInput>, 'hint'> {
  return {
    name: safeFileName(tool.name),
    language: 'json',
    text: `${JSON.stringify(input, undefined, 2)}\n`,
    read: (text) => readInput(text, tool, checker),
    assist: suggestFrom(tool.inputSchema, (text) => problemOf(text, tool, checker)?.message),
  };
}

/** @throws McpError `invalidInput` with a sentence about the problem */
function readInput(text: string, tool: Tool, checker: SchemaChecker): ToolInput {
  const problem = problemOf(text, tool, checker);
  const input =
    problem?.severity === vscode.InputBoxValidationSeverity.Error ? undefined : toObject(text);
  if (input === undefined) {
    throw new McpError('invalidInput', problem?.message ?? '');
  }
  return input;
}

export function problemOf(
  text: string,
  tool: Tool,
  checker: SchemaChecker,
): vscode.InputBoxValidationMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { message: errorMessage(error), severity: vscode.InputBoxValidationSeverity.Error };
  }
  if (!isObject(value)) {
    return {
      message: vscode.l10n.t('A JSON object is needed: {"name": value}'),
      severity: vscode.InputBoxValidationSeverity.Error,
    };
  }
  try {
    const [first] = checker.check(tool.inputSchema, value);
    return first === undefined
      ? undefined
      : { message: oneLine(first, 300), severity: vscode.InputBoxValidationSeverity.Error };
  } catch (error) {
    // With an unusable schema the user may still try; the server checks too.
    return { message: errorText(error), severity: vscode.InputBoxValidationSeverity.Warning };
  }
}

function errorMessage(error: unknown): string {
  const message = toError(error).message;
  return vscode.l10n.t('Not valid JSON: {0}', oneLine(message, 200));
}

/** Undefined for anything but a JSON object. */
export function toObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `a (number, required), b (string)`. */
export function parameterHelp(schema: JsonSchema): string {
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
