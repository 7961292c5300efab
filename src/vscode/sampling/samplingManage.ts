/** "Manage Sampling…": what each server may sample, with which model, and how to revoke it. */
import * as vscode from 'vscode';
import type { SamplingBudget } from '../../host/sampling/samplingBudget.ts';
import type { SamplingSettings } from '../../host/sampling/samplingSettings.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import { idWithVendor, type Model } from '../../host/models/model.ts';
import { scopeText } from '../config/scopeText.ts';
import { countText } from '../resources/annotationText.ts';
import { oneLine } from '../text/labelText.ts';

export interface ManageServices {
  readonly servers: () => readonly ServerConfig[];
  readonly settings: SamplingSettings;
  readonly budget: SamplingBudget;
  readonly models: () => Promise<readonly Model[]>;
  readonly isTrusted: (server: ServerConfig) => boolean;
}

/** Stays open until it is closed: the user may want to change several. */
export async function manageSampling(services: ManageServices): Promise<void> {
  const models = await services.models();
  for (;;) {
    const servers = services.servers();
    if (servers.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('No MCP server is configured.'));
      return;
    }
    const picked = await vscode.window.showQuickPick(
      servers.map((server) => ({
        label: nameOf(server),
        description: `${scopeText(server.scope)} · ${allowanceText(services, server)}`,
        detail: server.sampling ? stateText(services, server, models) : undefined,
        server,
      })),
      {
        title: vscode.l10n.t('Manage Sampling'),
        placeHolder: vscode.l10n.t('Which server’s use of language models do you want to change?'),
      },
    );
    if (picked === undefined) {
      return;
    }
    if (picked.server.sampling) {
      await manageServer(services, picked.server, models);
    } else {
      void vscode.window.showInformationMessage(
        vscode.l10n.t(
          'The settings of "{0}" have "sampling": false. Remove it to let the server use language models.',
          nameOf(picked.server),
        ),
      );
      return;
    }
  }
}

type Item = vscode.QuickPickItem & { readonly act?: () => Promise<void> | void };

async function manageServer(
  services: ManageServices,
  server: ServerConfig,
  models: readonly Model[],
): Promise<void> {
  for (;;) {
    const picked = await vscode.window.showQuickPick(actions(services, server, models), {
      title: vscode.l10n.t('Sampling by the MCP server "{0}"', nameOf(server)),
      placeHolder: allowanceText(services, server),
    });
    if (picked?.act === undefined) {
      return;
    }
    await picked.act();
  }
}

function actions(services: ManageServices, server: ServerConfig, models: readonly Model[]): Item[] {
  const { settings, budget } = services;
  return [
    ...(settings.allowance(server) === undefined
      ? []
      : [
          {
            label: `$(question) ${vscode.l10n.t('Ask Again')}`,
            description: vscode.l10n.t('before each request'),
            act: () => settings.askAgain(server),
          },
        ]),
    {
      label: `$(sparkle) ${vscode.l10n.t('Choose Model…')}`,
      description: modelText(settings.modelId(server), models),
      act: () => chooseModel(settings, server, models),
    },
    reviewAction(services, server),
    {
      label: `$(refresh) ${vscode.l10n.t('Reset the Token Count of This Session')}`,
      description: tokensText(budget, server),
      act: () => budget.renew(server.id),
    },
  ];
}

function reviewAction({ settings, isTrusted }: ManageServices, server: ServerConfig): Item {
  if (settings.isAnswerUnseen(server)) {
    return {
      label: `$(eye) ${vscode.l10n.t('Show Me Answers Before They Are Sent')}`,
      description: vscode.l10n.t('they are sent unseen now'),
      act: () => settings.setAnswerUnseen(server, false),
    };
  }
  return isTrusted(server)
    ? {
        label: `$(eye-closed) ${vscode.l10n.t('Send Answers Without Showing Them to Me')}`,
        description: vscode.l10n.t('while the server is trusted'),
        act: () => settings.setAnswerUnseen(server, true),
      }
    : {
        label: `$(eye) ${vscode.l10n.t('Answers are shown to you before they are sent')}`,
        description: vscode.l10n.t('you can switch this off for a trusted server'),
        detail: vscode.l10n.t('"MCP Host: Manage Approvals…" marks a server as trusted.'),
      };
}

async function chooseModel(
  settings: SamplingSettings,
  server: ServerConfig,
  models: readonly Model[],
): Promise<void> {
  const selected = settings.modelId(server);
  const automatic: vscode.QuickPickItem & { readonly model?: Model } = {
    label: vscode.l10n.t('Automatic'),
    description: vscode.l10n.t('by the preferences of the server'),
  };
  const picked = await vscode.window.showQuickPick([automatic, ...modelItems(models, selected)], {
    title: vscode.l10n.t('Model for the MCP server "{0}"', nameOf(server)),
    placeHolder: modelText(selected, models),
    matchOnDescription: true,
  });
  if (picked !== undefined) {
    await settings.setModel(server, picked.model && idWithVendor(picked.model));
  }
}

function stateText(
  { settings, budget }: ManageServices,
  server: ServerConfig,
  models: readonly Model[],
): string {
  return [
    vscode.l10n.t('Model: {0}', modelText(settings.modelId(server), models)),
    tokensText(budget, server),
    ...(settings.isAnswerUnseen(server) ? [vscode.l10n.t('answers are sent unseen')] : []),
  ].join(' · ');
}

function allowanceText({ settings }: ManageServices, server: ServerConfig): string {
  if (!server.sampling) {
    return vscode.l10n.t('off in the settings');
  }
  switch (settings.allowance(server)) {
    case 'always':
      return vscode.l10n.t('always allowed in this workspace');
    case 'session':
      return vscode.l10n.t('allowed until this window closes');
    case undefined:
      return vscode.l10n.t('asks each time');
  }
}

function modelText(id: string | undefined, models: readonly Model[]): string {
  if (id === undefined) {
    return vscode.l10n.t('automatic');
  }
  const model = models.find((one) => idWithVendor(one) === id);
  return model === undefined
    ? vscode.l10n.t('{0}, which is not available now', oneLine(id, 60))
    : oneLine(model.name, 60);
}

function tokensText(budget: SamplingBudget, { id }: ServerConfig): string {
  const used = budget.tokensUsed(id);
  const allowed = used + Math.max(0, budget.tokensLeft(id));
  return vscode.l10n.t('{0} of {1} tokens used', countText(used), countText(allowed));
}

function nameOf({ name }: ServerConfig): string {
  return oneLine(name, 60);
}

export function modelItems(
  models: readonly Model[],
  selected: string | undefined,
): readonly (vscode.QuickPickItem & { readonly model: Model })[] {
  return models.map((model) => {
    const id = oneLine(`${model.vendor} · ${model.id}`, 80);
    return {
      label: oneLine(model.name, 80),
      description: idWithVendor(model) === selected ? vscode.l10n.t('{0} · selected', id) : id,
      model,
    };
  });
}
