/**
 * `mcpHost.bridge.*` → what the editor's own chat is offered, and who confirms its calls. Pure. A wrong value is
 * reported and replaced by the default, which asks.
 */
import { typeName } from './entryReader.ts';
import type { ConfigProblem } from './serverConfig.ts';

/** `mcpHost`: this extension's approvals decide. `vscode`: the editor alone does. */
export type BridgeConfirmation = 'mcpHost' | 'vscode';

export interface BridgeSettings {
  /** Whether servers are offered to the editor's own chat at all. */
  readonly isEnabled: boolean;
  readonly confirmation: BridgeConfirmation;
}

/** The user's raw settings, not yet checked. */
export interface RawBridgeSettings {
  readonly enabled: unknown;
  readonly confirmation: unknown;
}

const confirmations: readonly BridgeConfirmation[] = ['mcpHost', 'vscode'];

export function parseBridgeSettings({ enabled, confirmation }: RawBridgeSettings): {
  readonly settings: BridgeSettings;
  readonly problems: readonly ConfigProblem[];
} {
  const scope = { kind: 'user' } as const;
  const problems: ConfigProblem[] = [];
  if (isGiven(enabled) && typeof enabled !== 'boolean') {
    const message = `must be true or false, not ${typeName(enabled)}`;
    problems.push({ scope, setting: 'mcpHost.bridge.enabled', message });
  }
  const known = confirmations.find((one) => one === confirmation);
  if (isGiven(confirmation) && known === undefined) {
    const given = typeof confirmation === 'string' ? JSON.stringify(confirmation) : undefined;
    const message = `must be "mcpHost" or "vscode", not ${given ?? typeName(confirmation)}; until then this extension asks`;
    problems.push({ scope, setting: 'mcpHost.bridge.confirmation', message });
  }
  return {
    settings: {
      isEnabled: typeof enabled === 'boolean' ? enabled : true,
      confirmation: known ?? 'mcpHost',
    },
    problems,
  };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
