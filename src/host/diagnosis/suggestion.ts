/**
 * A suggestion for a server that does not run, from the known facts. Pure: rules in order of precedence, each with
 * the facts it needs. Repeats nothing of the server's own text.
 */
import { t } from '../../base/l10n.ts';
import type { McpError } from '../../mcp/errors.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import { type ConnectionState, errorOf } from '../servers/connectionState.ts';
import type { LaunchInspection, StoppedBecause } from '../launch/launchGate.ts';
import { adviceOnProgram } from './programAdvice.ts';
import { adviceOnServer } from './serverAdvice.ts';

export interface StartFacts {
  readonly server: Pick<
    ServerConfig,
    'isEnabled' | 'isSwitched' | 'hiddenBy' | 'forbiddenBy' | 'protocol'
  >;
  readonly state: ConnectionState;
  /** An error: the entry cannot be made into a launch. */
  readonly launch: LaunchInspection | McpError;
  /** The first line on standard output that was no message. */
  readonly strayOutput: string | undefined;
  /** Servers start on, and connect from, another machine than the user's. */
  readonly isRemote: boolean;
}

/** Undefined for a server that runs, or that nobody has started. */
export function suggestionFor(facts: StartFacts): string | undefined {
  const texts = textsFor(facts).map((text) => t(text));
  return texts.length === 0 ? undefined : texts.join(' ');
}

/** In English, as the tables of this room have them. */
function textsFor(facts: StartFacts): readonly string[] {
  const { server, state, launch, isRemote } = facts;
  if (server.hiddenBy !== undefined) {
    return [reasons.hidden];
  }
  if (!server.isEnabled) {
    return [server.isSwitched === true ? switchedOff : reasons.disabled];
  }
  if (server.forbiddenBy !== undefined) {
    return [reasons.forbidden];
  }
  if ('message' in launch) {
    return ['Correct the field of the entry that is named below.'];
  }
  if (state.kind === 'stopped' && state.because !== undefined) {
    return [reasons[state.because]];
  }
  const error = errorOf(state);
  if (error === undefined) {
    return [];
  }
  if (error.code === 'forbidden') {
    return [reasons.forbidden];
  }
  if (error.code === 'unsupported') {
    return [
      server.protocol === 'auto'
        ? 'It supports no known revision of the protocol. Look for a newer version of the server.'
        : '"protocol" in its entry allows no other revision. Remove the field, so that the two can agree on one.',
    ];
  }
  const lastStderr = 'lastStderr' in state ? state.lastStderr : [];
  const written = { lastStderr, strayOutput: facts.strayOutput };
  return launch.launch.kind === 'stdio'
    ? adviceOnProgram(error, written, { ...launch, launch: launch.launch }, isRemote)
    : adviceOnServer(error, launch.launch, isRemote);
}

const switchedOff =
  'It is switched off in this workspace. Choose "Switch On in This Workspace" in its menu.';

const reasons: Readonly<Record<StoppedBecause, string>> = {
  disabled: 'It is switched off. Set "enabled" to true in its entry.',
  hidden: 'Another entry of the same name takes precedence. Rename one of the two.',
  forbidden:
    'The settings of the editor do not allow it (chat.mcp.access, chat.mcp.allowedServers, chat.mcp.deniedServers). Ask who manages them.',
  restricted: 'No server runs in Restricted Mode. Trust the workspace if you trust its authors.',
  consentNeeded: 'It waits for you to allow it. Start it, and read what it would run.',
  inputNeeded: 'It waits for a value that its entry asks for. Start it, and enter the value.',
  signInNeeded: 'It waits for you to sign in. Choose Sign In.',
};
