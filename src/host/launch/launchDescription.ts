/**
 * What a consent dialog shows of a launch: the types. Texts are ready to be shown: uncut, without secrets, with
 * invisible characters as `\u{…}`. Risks are data, so that the editor's layer can translate them.
 */
import type { ServerConfig } from '../config/serverConfig.ts';

export interface LaunchDescription {
  readonly server: ServerConfig;
  /** Label and value in display order; values are untruncated and hold no secret. */
  readonly facts: readonly LaunchFact[];
  readonly risks: readonly Risk[];
  /** Hash of everything that would run; consents are bound to it. */
  readonly hash: string;
  /** Paths of files that must not be opened before the launch is allowed: the hash does not cover their content. */
  readonly unread: readonly string[];
  /** The differences since an earlier consent; absent when there was none. */
  readonly changes?: LaunchChanges;
}

/** Both are empty when only the content behind a fact has changed, such as that of a file. */
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
export type PathField = 'command' | 'argument' | 'workingDirectory' | 'environmentFile' | 'sandbox';

/** Where an environment variable is set. */
export type VariableOrigin = 'env' | 'envFile' | 'command';

/** What deserves a second look in a launch, by kind. `text` is that part, ready to be shown. */
interface Risks {
  /** sudo, doas, pkexec, runas …: more rights than the user's own. */
  readonly elevation: { readonly text: string };
  /** rm -r and its like. */
  readonly recursiveDelete: { readonly text: string };
  /** A download is run at once: curl … | sh. */
  readonly downloadToShell: { readonly text: string };
  /** An inline shell script fetches something from the network. */
  readonly networkFetch: { readonly text: string };
  /** powershell -EncodedCommand; `decoded` is the script, absent when it cannot be decoded. */
  readonly encodedCommand: { readonly text: string; readonly decoded?: string };
  /** A variable that makes a runtime or a shell load code, such as NODE_OPTIONS. */
  readonly loaderVariable: { readonly name: string; readonly origin: VariableOrigin };
  /** PATH finds programs inside a folder of the workspace. */
  readonly pathInsideFolder: {
    readonly name: string;
    readonly entry: string;
    readonly origin: VariableOrigin;
  };
  /**
   * `changeable`: workspace files of the command line, which may change without a new question. `taken`: what a user's
   * own server takes out of the workspace.
   */
  readonly workspace: { readonly what: 'changeable' | 'taken'; readonly text: string };
  /** A path outside of the workspace's folders. */
  readonly pathOutsideFolder: { readonly field: PathField; readonly path: string };
  /** A container that reaches the machine: --privileged, host namespaces, mounts from outside the folder. */
  readonly containerEscape: { readonly text: string };
  /** The content of a file is sent to whoever issues the server's tokens. */
  readonly fileSent: { readonly path: string };
  /**
   * Somebody may read or change the traffic: certificate authorities that the system may not trust, a proxy, or any
   * program on this machine when the certificate is not checked. `text`: names of the authorities, or the proxy's URL.
   */
  readonly connection: {
    readonly by: 'authority' | 'proxy' | 'unchecked';
    readonly text: string;
  };
  /** Unencrypted HTTP to another machine. */
  readonly plainHttp: { readonly origin: string };
  /** A secret goes out over unencrypted HTTP; `field` is `url` or `headers.<name>`. */
  readonly secretOverPlainHttp: { readonly field: string };
}

export type RiskKind = keyof Risks;

/** Data, so that the editor's layer can translate it. */
export type Risk<K extends RiskKind = RiskKind> = {
  readonly [P in K]: { readonly kind: P } & Risks[P];
}[K];
