/**
 * What a consent dialog has to show of a launch: the types. Texts are ready to be shown: nothing is
 * cut, nothing secret is in them, and what the eye cannot see is spelled out as `\u{…}`.
 * Risks are data, so that the editor's layer says them in the user's language.
 */
import type { ServerConfig } from '../config/serverConfig.ts';

export interface LaunchDescription {
  readonly server: ServerConfig;
  /** Label and value in display order; values are untruncated and hold no secret. */
  readonly facts: readonly LaunchFact[];
  readonly risks: readonly Risk[];
  /** Hash of everything that would run; a remembered consent is bound to it. */
  readonly hash: string;
  /** Paths of files that nobody may open before the launch is allowed: the hash knows nothing of their content. */
  readonly unread: readonly string[];
  /** What is different since an earlier consent; absent when there was none. */
  readonly changes?: LaunchChanges;
}

/** Both are empty when only the content of something that the facts name has changed, such as a file. */
export interface LaunchChanges {
  readonly added: readonly LaunchFact[];
  readonly removed: readonly LaunchFact[];
}

export interface LaunchFact {
  readonly label: FactLabel;
  readonly value: string;
}

export const factLabels = [
  'command',
  'argument', // one fact an argument, in order
  'workingDirectory',
  'environment', // NAME=value, as the settings have it
  'environmentRemoved', // NAME
  'environmentFile', // absolute path
  'link', // `path → where it leads`, of the files of the workspace that the command line names
  'pinnedFile', // absolute path; its content is part of what is consented to
  'sandbox', // `write: path`, `network: true`
  'url',
  'transport', // the value of `type`, where it says more than the URL
  'socket', // path of a Unix socket or name of a pipe, where the URL leads to one
  'header', // Name: value, as the settings have it
  'signIn', // field: value, as the settings have it
  'connection', // field: value, as the settings have it; of files the absolute path and whose certificates are in it
  'variable', // `${…} (what is asked for) → fields`: its value reaches the process
  'variableSent', // the same: its value leaves the machine
  'stored', // `fields`: the text there is moved to the secret storage
  'roots', // `name (path)`, one fact a folder
] as const;

export type FactLabel = (typeof factLabels)[number];

/** Where a launch names a path. */
export type PathField = 'command' | 'argument' | 'workingDirectory' | 'environmentFile';

/** Where an environment variable is set. */
export type VariableOrigin = 'env' | 'envFile' | 'command';

/** Something in a launch that deserves a second look. `text` is the offending part, ready to be shown. */
export type Risk =
  /** sudo, doas, pkexec, runas …: more rights than the user's own. */
  | { readonly kind: 'elevation'; readonly text: string }
  /** rm -r and its like. */
  | { readonly kind: 'recursiveDelete'; readonly text: string }
  /** What is downloaded is run at once: curl … | sh. */
  | { readonly kind: 'downloadToShell'; readonly text: string }
  /** A shell script given inline fetches something from the network. */
  | { readonly kind: 'networkFetch'; readonly text: string }
  /** powershell -EncodedCommand; `decoded` is the script, absent when it cannot be read. */
  | { readonly kind: 'encodedCommand'; readonly text: string; readonly decoded?: string }
  /** A variable that makes a runtime or a shell load code, such as NODE_OPTIONS. */
  | { readonly kind: 'loaderVariable'; readonly name: string; readonly origin: VariableOrigin }
  /** PATH finds programs inside a folder of the workspace. */
  | {
      readonly kind: 'pathInsideFolder';
      readonly name: string;
      readonly entry: string;
      readonly origin: VariableOrigin;
    }
  /**
   * Of the workspace: files of the command line, which may change without a new question; what a server of the user's
   * own takes out of it.
   */
  | { readonly kind: 'workspace'; readonly what: 'changeable' | 'taken'; readonly text: string }
  /** A path that lies in no folder of the workspace. */
  | { readonly kind: 'pathOutsideFolder'; readonly field: PathField; readonly path: string }
  /** A container that reaches the machine: --privileged, host namespaces, mounts from outside the folder. */
  | { readonly kind: 'containerEscape'; readonly text: string }
  /** The content of a file goes out, to whoever issues the tokens for the server. */
  | { readonly kind: 'fileSent'; readonly path: string }
  /**
   * Somebody may read or change what is sent: authorities that the system may not trust, a proxy, or anything on this
   * machine, where the certificate is not checked.
   */
  | {
      readonly kind: 'connection';
      readonly by: 'authority' | 'proxy' | 'unchecked';
      /** Names, or the proxy's URL. */
      readonly text: string;
    }
  /** Unencrypted HTTP to another machine. */
  | { readonly kind: 'plainHttp'; readonly origin: string }
  /** A secret goes out over unencrypted HTTP; `field` is `url` or `headers.<name>`. */
  | { readonly kind: 'secretOverPlainHttp'; readonly field: string };
