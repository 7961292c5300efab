/** Texts about a connection, for its log and for errors. */
import { t } from '../../base/l10n.ts';
import { forbidden } from '../config/managedAccess.ts';
import type { StoppedBecause } from '../launch/launchGate.ts';
import { isObject } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import type { MemoryAccount } from '../../base/memory.ts';
import { McpError } from '../../mcp/errors.ts';
import type { CloseReason } from '../../mcp/session/session.ts';
import { extensionIds } from '../../mcp/extensions.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { ConnectionState, WaitsFor } from './connectionState.ts';

const reasons: Readonly<Record<StoppedBecause, string>> = {
  disabled: 'it is switched off in its entry or in this workspace',
  forbidden: 'the settings of the editor do not allow it',
  hidden: 'it is hidden by an entry of the same name',
  restricted: 'no server runs in Restricted Mode',
  consentNeeded: 'it needs your consent',
  inputNeeded: 'it needs a value from you',
  signInNeeded: 'it needs you to sign in',
};

const awaited: Readonly<Record<WaitsFor, string>> = {
  consent: 'your consent',
  input: 'a value from you',
  signIn: 'you to sign in',
};

export function logState(log: Log, state: ConnectionState): void {
  switch (state.kind) {
    case 'ready': {
      const { info, revision, era, transport, capabilities } = state.server;
      log.info(`Ready: ${info.name} ${info.version} (${revision}, ${era}, ${transport})`);
      const offered = capabilities['extensions'];
      const known = extensionIds.filter((id) => isObject(offered) && offered[id] !== undefined);
      if (known.length > 0) {
        log.info(
          `It offers extensions of the protocol: ${known.join(', ')}. "mcpHost.extensions" in your settings says which ones are used.`,
        );
      }
      break;
    }
    case 'waiting':
      log.warn(`${state.cause.message} Next start in ${state.delayMs / 1000} s.`);
      break;
    case 'failed':
      log.error(state.error.message);
      break;
    case 'stopped':
      log.info(state.because === undefined ? 'Stopped' : `Not started: ${reasons[state.because]}`);
      break;
    case 'starting':
      log.info(
        state.waitsFor === undefined ? 'Starting' : `Waiting for ${awaited[state.waitsFor]}`,
      );
      break;
    case 'stopping':
      log.info('Stopping');
      break;
  }
}

/** What keeps an entry from being started, whoever requests it. */
export type Block = Extract<StoppedBecause, 'hidden' | 'disabled' | 'forbidden' | 'restricted'>;

export function blockOf(
  { isEnabled, hiddenBy, forbiddenBy }: ServerConfig,
  isTrusted: boolean,
): Block | undefined {
  if (hiddenBy !== undefined) {
    return 'hidden';
  }
  if (!isEnabled) {
    return 'disabled';
  }
  if (forbiddenBy !== undefined) {
    return 'forbidden';
  }
  return isTrusted ? undefined : 'restricted';
}

/** @param block what keeps it from being started; undefined: it is only not running */
export function refusalFor(
  { name, forbiddenBy = '', isSwitched }: ServerConfig,
  block: Block | 'gone' | undefined,
): McpError {
  switch (block) {
    case 'gone':
      return new McpError('closed', t('The server "{0}" is no longer configured', name));
    case 'hidden':
      return new McpError('denied', t('"{0}" is hidden by an entry of the same name', name));
    case 'disabled':
      return new McpError(
        'denied',
        isSwitched === true
          ? t('"{0}" is switched off in this workspace: switch it on in its menu', name)
          : t('"{0}" is switched off: set "enabled" to true in its entry', name),
      );
    case 'forbidden':
      return forbidden(name, forbiddenBy);
    case 'restricted':
      return new McpError(
        'denied',
        t(
          '"{0}" was not started: no server runs in Restricted Mode. Trust the workspace first.',
          name,
        ),
      );
    case undefined:
      return new McpError('closed', t('The server "{0}" is not running: start it first', name));
  }
}

/** For a server that exceeded its memory. It is not restarted: it would do the same again. */
export function exceeded({ name }: ServerConfig, { refusal }: MemoryAccount): McpError {
  return new McpError(
    'protocol',
    t('The server "{0}" was stopped: it kept sending data that {1}.', name, refusal),
  );
}

export function toLoss({ name }: ServerConfig, reason: CloseReason): McpError {
  switch (reason.kind) {
    case 'requested':
      return new McpError('closed', t('The connection to "{0}" was closed.', name));
    case 'ended':
      return new McpError('closed', t('The server "{0}" ended: {1}.', name, reason.detail), {
        cause: reason.exit,
      });
    case 'failed':
      return new McpError(
        'closed',
        t('The connection to "{0}" failed: {1}', name, reason.error.message),
        { cause: reason.error },
      );
  }
}
