/**
 * Commands on signing in: in, out, cancel, and what is kept. The bundle that signs in provides the content of the
 * pickers.
 */
import * as vscode from 'vscode';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { SignIns } from '../../host/signIn/signIns.ts';
import { isMcpError } from '../../mcp/errors.ts';
import { serverNamed, serverOf } from '../servers/pickServer.ts';
import type { WorkbenchCommands } from '../editor/registerCommands.ts';
import { commandId } from '../ids.ts';
import type { OutputLogs } from '../editor/logs.ts';
import { tellServerError } from '../editor/tellError.ts';
import { oneLine } from '../text/labelText.ts';
import { canSignIn, waitsForSignIn } from '../tree/stateDisplay.ts';
import type { storedSignInViews } from './storedSignIns.ts';

export interface SignInCommandServices {
  readonly host: McpHost;
  readonly signIns: SignIns;
  readonly logs: Pick<OutputLogs, 'show'>;
  readonly bundles: {
    readonly signIn: () => { readonly storedSignInViews: typeof storedSignInViews };
  };
}

export function signInCommands({ host, signIns, logs, bundles }: SignInCommandServices) {
  const signOut = async (connection: ServerConnection): Promise<void> => {
    const isRunning = connection.state.kind === 'ready' || connection.state.kind === 'starting';
    const hadAny = await signIns.signOut(connection.config);
    if (isRunning && hadAny) {
      // Its session belongs to the account.
      await connection.stop('signInNeeded');
    }
    const name = oneLine(connection.config.name, 60);
    void vscode.window.showInformationMessage(
      hadAny
        ? vscode.l10n.t('Signed out of "{0}". Its tokens are deleted.', name)
        : vscode.l10n.t('You are not signed in to "{0}". Nothing was stored.', name),
    );
  };
  return {
    signIn: async (argument) => {
      const connection = await serverOf(host, argument, {
        placeHolder: vscode.l10n.t('Which server do you want to sign in to?'),
        fits: canSignIn,
        none: vscode.l10n.t('No MCP server needs you to sign in.'),
      });
      try {
        await connection?.start();
      } catch (error) {
        if (connection !== undefined && !isUnwanted(error)) {
          // Not awaited: a message stays until it is closed.
          void tell(connection, error, logs);
        }
      }
    },
    cancelSignIn: async (argument) => {
      const connection = await serverOf(host, argument, {
        placeHolder: vscode.l10n.t('Which sign-in do you want to cancel?'),
        fits: waitsForSignIn,
        none: vscode.l10n.t('No sign-in is under way.'),
      });
      if (connection !== undefined) {
        signIns.cancel(connection.id);
      }
    },
    signOut: async (argument) => {
      const connection = await serverOf(host, argument, {
        placeHolder: vscode.l10n.t('Which server do you want to sign out of?'),
        fits: ({ config }) => config.launch.kind !== 'stdio' && config.hiddenBy === undefined,
        none: vscode.l10n.t('No MCP server has a URL.'),
      });
      if (connection !== undefined) {
        await signOut(connection);
      }
    },
    forgetRegistration: async (argument) => {
      await bundles
        .signIn()
        .storedSignInViews.forgetRegistration(signIns, serverNamed(host, argument)?.config);
    },
    showStoredSignIns: async () => bundles.signIn().storedSignInViews.showStored(signIns),
    manageAccountAccess: async () => bundles.signIn().storedSignInViews.manageAccess(signIns),
  } satisfies Partial<WorkbenchCommands>;
}

/** Says why a sign-in failed, with the log and another try one click away. */
async function tell(
  connection: ServerConnection,
  error: unknown,
  logs: Pick<OutputLogs, 'show'>,
): Promise<void> {
  const again = vscode.l10n.t('Sign In Again');
  const { id, config } = connection;
  if ((await tellServerError(config.name, error, () => logs.show(id), again)) === again) {
    await vscode.commands.executeCommand(commandId('signIn'), { serverId: id });
  }
}

/** A user who has just closed the question, or cancelled, knows that they are not signed in. */
function isUnwanted(error: unknown): boolean {
  return isMcpError(error) && (error.code === 'signInNeeded' || error.code === 'cancelled');
}
