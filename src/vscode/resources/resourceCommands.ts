/** Commands on resources: open, find, watch, compare, save, copy, add to a chat. */
import * as vscode from 'vscode';
import { openChat } from '../editor/openChat.ts';
import { toError } from '../../base/async.ts';
import { isObject, isString } from '../../base/json.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import { isFor } from '../../host/chat/modelParts.ts';
import { fileNameFor } from '../../host/resources/mediaTypes.ts';
import { bytesOf, type ResourceContent } from '../../host/resources/resourceContents.ts';
import type { WorkbenchCommands } from '../editor/registerCommands.ts';
import { saveFile } from '../editor/saveFile.ts';
import { confirmChoice } from '../questions/modal.ts';
import { oneLine } from '../text/labelText.ts';
import { listEntries } from '../editor/itemPicker.ts';
import {
  activeUri,
  addressOf,
  contentOf,
  documentOf,
  readSubject,
  type ResourceServices,
  type Subject,
  subjectAt,
  subjectOf,
} from './resourceSubject.ts';
import { type Picked, pickResources } from './resourcePicker.ts';
import { askUri, type TemplateTarget } from './templateWizard.ts';
import { compare, pickWatched, watch } from './watching.ts';

/** @param usePrompt uses a prompt that was picked here */
export function resourceCommands(
  services: ResourceServices,
  usePrompt: WorkbenchCommands['usePrompt'],
) {
  const { host, watched } = services;
  /** Runs on the command's resource, else on the one in front, else on the one that the user picks. */
  const on =
    (placeHolder: () => string, act: (subject: Subject) => Promise<void>) =>
    async (argument: unknown): Promise<void> => {
      const subject =
        subjectOf(host, argument ?? activeUri()) ?? (await pickSubject(services, placeHolder()));
      if (subject !== undefined) {
        await act(subject);
      }
    };
  return {
    goToResource: () => goTo(services),
    attachToChat: () => attach(services, usePrompt),
    openResource: async (argument) => {
      const subject = subjectOf(host, argument);
      await (subject === undefined ? goTo(services) : openResource(services, subject));
    },
    openTemplate: async (argument) => {
      const target = templateOf(services, argument);
      const subject = target && (await fillIn(services, target, 'open'));
      if (target === undefined) {
        await goTo(services);
      } else if (subject !== undefined) {
        await openResource(services, subject);
      }
    },
    addResourceToChat: async (argument, all) => {
      const chosen = Array.isArray(all) ? all.flatMap((one) => subjectOf(host, one) ?? []) : [];
      const one = subjectOf(host, argument ?? activeUri());
      const given = chosen.length > 1 || one === undefined ? chosen : [one];
      const subjects = given.length > 0 ? given : await pickForChat(services);
      await addToChat(services, subjects);
    },
    saveResource: on(() => vscode.l10n.t('Which resource should be saved?'), saveAs),
    copyResourceUri: on(
      () => vscode.l10n.t('The URI of which resource should be copied?'),
      copyUri,
    ),
    watchResource: on(
      () => vscode.l10n.t('Which resource should be watched?'),
      (subject) => watch(services, subject),
    ),
    stopWatchingResource: async (argument) => {
      const subject = subjectOf(host, argument) ?? (await pickWatched(services));
      if (subject !== undefined) {
        await watched.stop({ serverId: subject.connection.id, uri: subject.uri });
      }
    },
    compareResource: async (argument) => {
      const subject = subjectOf(host, argument) ?? (await pickWatched(services));
      if (subject !== undefined) {
        await compare(services, subject);
      }
    },
  } satisfies Partial<WorkbenchCommands>;
}

async function goTo(services: ResourceServices): Promise<void> {
  const subject = await pickSubject(
    services,
    vscode.l10n.t('Type to find a resource or template of any server'),
  );
  if (subject !== undefined) {
    await openResource(services, subject);
  }
}

async function attach(
  services: ResourceServices,
  usePrompt: WorkbenchCommands['usePrompt'],
): Promise<void> {
  const look = {
    placeHolder: vscode.l10n.t('Type to find a prompt, resource or template for the chat'),
    none: vscode.l10n.t('No running MCP server offers prompts or resources.'),
  };
  const [picked] = await pickResources(services, look, (connection) =>
    listEntries(connection, 'prompts', (prompt) => ({
      prompt,
      kind: 'prompt',
      serverId: connection.id,
      index: 0,
    })),
  );
  if (picked !== undefined && 'prompt' in picked) {
    return usePrompt(picked);
  }
  const subject = picked && (await resolve(services, picked, 'attach'));
  if (subject !== undefined) {
    await addToChat(services, [subject]);
  }
}

/** A resource of any server, or one made from a template. Undefined when the user gave up. */
export async function pickSubject(
  services: ResourceServices,
  placeHolder: string,
): Promise<Subject | undefined> {
  const [picked] = await pickResources(services, { placeHolder });
  return picked && resolve(services, picked, 'open');
}

/** Empty when the user gave up. */
async function pickForChat(services: ResourceServices): Promise<readonly Subject[]> {
  const placeHolder = vscode.l10n.t('Which resources should be added to the chat?');
  const picked = await pickResources(services, { placeHolder, isForMany: true });
  const subjects: Subject[] = [];
  for (const one of picked) {
    const subject = await resolve(services, one, 'attach');
    if (subject !== undefined) {
      subjects.push(subject);
    }
  }
  return subjects;
}

async function resolve(
  services: ResourceServices,
  picked: Picked,
  use: 'open' | 'attach',
): Promise<Subject | undefined> {
  return 'template' in picked
    ? fillIn(services, picked, use)
    : subjectAt(services.host, { serverId: picked.connection.id, uri: picked.uri });
}

async function fillIn(
  services: ResourceServices,
  target: TemplateTarget,
  use: 'open' | 'attach',
): Promise<Subject | undefined> {
  const { connection, template } = target;
  const uri = await askUri(services, target, use);
  return uri === undefined ? undefined : { connection, uri, template: template.uriTemplate };
}

function templateOf({ host }: ResourceServices, argument: unknown): TemplateTarget | undefined {
  const { kind, serverId, template } = isObject(argument) ? argument : {};
  const connection = isString(serverId) ? host.servers.get(serverId) : undefined;
  if (kind !== 'template' || connection === undefined || !isObject(template)) {
    return undefined;
  }
  const listed = connection.catalog
    .items('resourceTemplates')
    .find(({ uriTemplate }) => uriTemplate === template['uriTemplate']);
  return listed && { connection, template: listed };
}

async function copyUri(subject: Subject): Promise<void> {
  const { uri, part } = subject;
  const text = part === undefined ? uri : contentOf(subject, await readSubject(subject)).uri;
  await vscode.env.clipboard.writeText(text);
}

/**
 * As the server has it now, also in a document that is open. Reads before it opens: for an unreadable file the editor only
 * says "unexpected error".
 */
async function openResource({ recents }: ResourceServices, subject: Subject): Promise<void> {
  const { connection, uri, template } = subject;
  connection.resources.onServerChange({ kind: 'resource', uri });
  const contents = await readSubject(subject);
  await vscode.commands.executeCommand('vscode.open', documentOf(subject, contents));
  await recents.add({ ...addressOf(subject), ...(template !== undefined && { template }) });
}

/** The bytes as received. The user chooses one of several parts. */
async function saveAs(subject: Subject): Promise<void> {
  const contents = await readSubject(subject);
  const content =
    subject.part === undefined && contents.length > 1
      ? await pickPart(contents)
      : contentOf(subject, contents);
  if (content === undefined) {
    return;
  }
  const name = fileNameFor(content.uri, content.mimeType ?? subject.listed?.mimeType);
  const title = vscode.l10n.t('Save {0}', oneLine(content.uri, 120));
  await saveFile({ title, name }, () => bytesOf(content));
}

async function pickPart(
  contents: readonly ResourceContent[],
): Promise<ResourceContent | undefined> {
  const items = contents.map((content) => ({
    label: fileNameFor(content.uri, content.mimeType),
    description: oneLine(content.mimeType ?? '', 60),
    detail: oneLine(content.uri, 200),
    content,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Parts of the resource'),
    placeHolder: vscode.l10n.t('Which part of the resource should be saved?'),
  });
  return picked?.content;
}

/** Adds what can be read. @throws what the first of the others fails with */
async function addToChat(
  { recents }: Pick<ResourceServices, 'recents'>,
  subjects: readonly Subject[],
): Promise<void> {
  const reads = await Promise.allSettled(
    subjects.map(async (subject) => ({ subject, contents: await readSubject(subject) })),
  );
  const meant = [];
  for (const read of reads) {
    if (read.status === 'fulfilled' && (await isMeant(read.value.subject))) {
      meant.push(read.value);
    }
  }
  if (meant.length > 0) {
    await attachToInput(meant);
  }
  for (const { subject } of meant) {
    await recents.add(addressOf(subject));
  }
  const failed = reads.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    throw toError(failed.reason);
  }
}

async function attachToInput(
  read: readonly { readonly subject: Subject; readonly contents: readonly ResourceContent[] }[],
): Promise<void> {
  await openChat(
    { attachFiles: read.map(({ subject, contents }) => documentOf(subject, contents)) },
    {
      query: read.map(({ subject }) => `@mcp /resource ${subject.uri} `).join('\n'),
      told: vscode.l10n.t(
        'The chat could not be opened. A message with the resource is on the clipboard.',
      ),
    },
  );
}

async function isMeant({ listed, connection }: Subject): Promise<boolean> {
  if (listed === undefined || isFor('assistant', listed.annotations)) {
    return true;
  }
  return confirmChoice(
    vscode.l10n.t(
      'The MCP server "{0}" says that this resource is for you, not for a model.',
      oneLine(connection.config.name, 60),
    ),
    oneLine(displayLabel(listed), 200),
    vscode.l10n.t('Attach Anyway'),
  );
}
