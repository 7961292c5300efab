/** What a consent dialog has to show of a launch. (contract; the builder follows) */
import type { ServerConfig } from '../config/serverConfig.ts';

export interface LaunchDescription {
  readonly server: ServerConfig;
  /** Label and value in display order; values are untruncated and hold no secret. */
  readonly facts: readonly { readonly label: FactLabel; readonly value: string }[];
  /** What looks risky, each a sentence. */
  readonly risks: readonly string[];
  /** Hash of everything that would run; a remembered consent is bound to it. */
  readonly hash: string;
  /** Whether an earlier consent existed, for an older hash. */
  readonly isChanged: boolean;
}

export type FactLabel =
  | 'command'
  | 'argument'
  | 'workingDirectory'
  | 'environment'
  | 'environmentFile'
  | 'url'
  | 'header'
  | 'variable'
  | 'roots';
