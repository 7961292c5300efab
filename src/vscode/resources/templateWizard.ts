/**
 * From a resource template to a URI: lists URIs made from it before, else asks for each variable with the server's
 * suggestions, and shows the final URI.
 */
import * as vscode from 'vscode';
import { ArgumentCompletion, type ArgumentTexts } from '../../host/resources/argumentCompletion.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import {
  parseUriTemplate,
  type TemplateVariable,
  type UriTemplate,
} from '../../host/resources/uriTemplate.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { McpError } from '../../mcp/errors.ts';
import type { ResourceTemplate } from '../../mcp/types/lists.ts';
import { separator } from '../forms/step.ts';
import { neverAborted } from '../text/cancellation.ts';
import { serverErrorText } from '../text/errorText.ts';
import { askValues, type ValueForm } from '../prompts/valueWizard.ts';
import { oneLine } from '../text/labelText.ts';
import type { ResourceServices } from './resourceSubject.ts';

export interface TemplateTarget {
  readonly connection: ServerConnection;
  readonly template: ResourceTemplate;
}

/** The use of the URI, which decides the words of the last step. */
type TemplateUse = 'open' | 'attach';

/**
 * Undefined when the user closed a step.
 * @throws McpError `invalidInput` for an invalid template, or a variable with an unusable value
 */
export async function askUri(
  { recents, editText }: Pick<ResourceServices, 'recents' | 'editText'>,
  { connection, template }: TemplateTarget,
  use: TemplateUse,
): Promise<string | undefined> {
  const parsed = parsedTemplate(connection, template);
  const title = `${oneLine(connection.config.name, 40)}: ${oneLine(displayLabel(template), 60)}`;
  const known = recents.ofTemplate(connection.id, template.uriTemplate);
  if (known.length > 0) {
    const picked = await pickRecent(title, template, known);
    if (picked !== fillIn) {
      return picked;
    }
  }
  const form: ValueForm = {
    title,
    fields: parsed.variables.map((variable) => ({
      name: variable.name,
      label: fieldLabel(variable),
      description: '',
      isRequired: variable.isRequired,
    })),
    completion: new ArgumentCompletion(connection, {
      type: 'ref/resource',
      uri: template.uriTemplate,
    }),
    outcome: (values, { label }) =>
      vscode.l10n.t('{0} in {1}', label, oneLine(sketch(parsed, values), 300)),
  };
  let values: ArgumentTexts | undefined = {};
  let first = 0;
  for (;;) {
    values = await askValues(form, values, { editText, signal: neverAborted }, first);
    if (values === undefined) {
      return undefined;
    }
    const uri = parsed.expand(values);
    const answer = await confirm(title, uri, use, form.fields.length > 0);
    if (answer !== 'back') {
      return answer === 'use' ? uri : undefined;
    }
    first = form.fields.length - 1;
  }
}

/** Names the server, since the user may have picked the template among those of many. */
function parsedTemplate(
  { config }: ServerConnection,
  { uriTemplate }: ResourceTemplate,
): UriTemplate {
  try {
    return parseUriTemplate(uriTemplate);
  } catch (error) {
    throw new McpError('invalidInput', serverErrorText(config.name, error), { cause: error });
  }
}

function fieldLabel({ name, isList, maxLength }: TemplateVariable): string {
  const label = oneLine(name, 60);
  if (isList) {
    return vscode.l10n.t('{0}, values with commas between them', label);
  }
  return maxLength === undefined
    ? label
    : vscode.l10n.t('{0}, of which {1} characters are used', label, maxLength);
}

/** The URI, with variables without a value in braces. */
function sketch(template: UriTemplate, values: ArgumentTexts): string {
  const missing = template.variables.filter(
    ({ name, isRequired }) => isRequired && (!Object.hasOwn(values, name) || values[name] === ''),
  );
  const braced = Object.fromEntries(missing.map(({ name }) => [name, `{${name}}`]));
  try {
    return template
      .expand({ ...values, ...braced })
      .replaceAll(/%7B((?:[\w.]|%(?!7[BD]))+)%7D/gu, (text, name: string) =>
        Object.hasOwn(braced, name) ? `{${name}}` : text,
      );
  } catch {
    return ''; // half of a surrogate pair is typed: the step goes on
  }
}

/** The choice of none of them: no URI is empty. */
const fillIn = '';

/** {@link fillIn} for a new URI; undefined when the user gave up. */
async function pickRecent(
  title: string,
  template: ResourceTemplate,
  uris: readonly string[],
): Promise<string | undefined> {
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: `$(edit) ${vscode.l10n.t('Fill In the Template…')}`,
        description: oneLine(template.uriTemplate, 120),
        uri: fillIn,
      },
      { ...separator(vscode.l10n.t('recently opened')), uri: '' },
      ...uris.map((uri) => ({ label: oneLine(uri, 200), uri })),
    ],
    { title, placeHolder: vscode.l10n.t('Which resource of this template?') },
  );
  return picked?.uri;
}

async function confirm(
  title: string,
  uri: string,
  use: TemplateUse,
  hasFields: boolean,
): Promise<'use' | 'back' | undefined> {
  type Choice = vscode.QuickPickItem & { readonly act: 'use' | 'back' | 'copy' };
  const choices: Choice[] = [
    {
      label:
        use === 'open'
          ? `$(go-to-file) ${vscode.l10n.t('Open')}`
          : `$(comment-discussion) ${vscode.l10n.t('Add to Chat')}`,
      detail: oneLine(uri, 500),
      act: 'use',
    },
    ...(hasFields
      ? [{ label: `$(edit) ${vscode.l10n.t('Change Values')}`, act: 'back' as const }]
      : []),
    { label: `$(copy) ${vscode.l10n.t('Copy URI')}`, act: 'copy' },
  ];
  const picked = await vscode.window.showQuickPick(choices, {
    title,
    placeHolder: vscode.l10n.t('This resource will be read'),
    ignoreFocusOut: true,
  });
  if (picked?.act === 'copy') {
    await vscode.env.clipboard.writeText(uri);
    return undefined;
  }
  return picked?.act;
}
