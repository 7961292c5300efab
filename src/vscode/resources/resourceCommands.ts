/** Commands on resources: open, find, watch, compare, save, copy, add to a chat. */
import * as vscode from 'vscode';
import { isObject, isString } from '../../base/json.ts';
import type { WorkbenchCommands } from '../commands/workbenchCommands.ts';
import { addToChat } from './addToChat.ts';
import { type Picked, pickItem } from './itemPicker.ts';
import { openResource } from './openResource.ts';
import type { PartsDocuments } from './partsDocument.ts';
import {
  contentOf,
  readSubject,
  type ResourceServices,
  type Subject,
  subjectAt,
  subjectOf,
} from './resourceSubject.ts';
import { saveAs } from './saveResource.ts';
import { askUri, type TemplateTarget } from './templateWizard.ts';
import { compare, pickWatched, watch } from './watching.ts';

type ResourceCommands = Pick<
  WorkbenchCommands,
  | 'goToResource'
  | 'attachToChat'
  | 'openResource'
  | 'openTemplate'
  | 'addResourceToChat'
  | 'saveResource'
  | 'copyResourceUri'
  | 'watchResource'
  | 'stopWatchingResource'
  | 'compareResource'
>;

/** @param usePrompt uses a prompt that was picked here */
export function resourceCommands(
  services: ResourceServices,
  parts: Pick<PartsDocuments, 'draw'>,
  usePrompt: WorkbenchCommands['usePrompt'],
): ResourceCommands {
  const { host, watched } = services;
  /** Runs on the command's resource, else on the one that the user picks. */
  const on =
    (placeHolder: () => string, act: (subject: Subject) => Promise<void>) =>
    async (argument: unknown): Promise<void> => {
      const subject =
        subjectOf(host, argument) ?? (await pickSubject(services, placeHolder()))?.subject;
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
      await (target === undefined ? goTo(services) : openTemplate(services, target));
    },
    addResourceToChat: on(
      () => vscode.l10n.t('Which resource should be added to the chat?'),
      (subject) => addToChat(services, subject),
    ),
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
        await compare(services, subject, parts);
      }
    },
  };
}

async function goTo(services: ResourceServices): Promise<void> {
  const picked = await pickSubject(
    services,
    vscode.l10n.t('Type to find a resource or template of any server'),
  );
  if (picked !== undefined) {
    await openResource(services, picked.subject, picked.template);
  }
}

async function openTemplate(services: ResourceServices, target: TemplateTarget): Promise<void> {
  const uri = await askUri(services, target, 'open');
  if (uri !== undefined) {
    await openResource(
      services,
      { connection: target.connection, uri },
      target.template.uriTemplate,
    );
  }
}

async function attach(
  services: ResourceServices,
  usePrompt: WorkbenchCommands['usePrompt'],
): Promise<void> {
  const picked = await pickItem({
    ...services,
    kinds: ['prompt', 'resource', 'template'],
    placeHolder: vscode.l10n.t('Type to find a prompt, resource or template for the chat'),
  });
  if (picked?.kind === 'prompt') {
    const { connection, prompt } = picked;
    await usePrompt({ kind: 'prompt', serverId: connection.id, prompt, index: 0 });
    return;
  }
  const chosen = picked && (await resolve(services, picked, 'attach'));
  if (chosen !== undefined) {
    await addToChat(services, chosen.subject);
  }
}

interface Chosen {
  readonly subject: Subject;
  readonly template?: string;
}

/** A resource of any server, or one made from a template. Undefined when the user gave up. */
export async function pickSubject(
  services: ResourceServices,
  placeHolder: string,
): Promise<Chosen | undefined> {
  const picked = await pickItem({ ...services, kinds: ['resource', 'template'], placeHolder });
  return picked && resolve(services, picked, 'open');
}

async function resolve(
  services: ResourceServices,
  picked: Picked,
  use: 'open' | 'attach',
): Promise<Chosen | undefined> {
  const { connection } = picked;
  switch (picked.kind) {
    case 'prompt':
      return undefined;
    case 'resource': {
      const subject = subjectAt(services.host, { serverId: connection.id, uri: picked.uri });
      return subject && { subject };
    }
    case 'template': {
      const uri = await askUri(services, picked, use);
      return uri === undefined
        ? undefined
        : { subject: { connection, uri }, template: picked.template.uriTemplate };
    }
  }
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
