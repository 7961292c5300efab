/** The result of an import from other programs' settings: servers in our own form, with messages about them. */
import type { JsonObject } from '../../base/json.ts';
import type { Environment } from '../config/environment.ts';

export interface ImportedServer {
  readonly name: string;
  /** In the form of an entry of `mcpHost.servers`. */
  readonly entry: JsonObject;
  /** In the form of `mcpHost.inputs`: the inputs that the entry's `${input:…}` refer to. */
  readonly inputs: readonly ImportedInput[];
  /** The command with its arguments, or the URL, in one line. */
  readonly summary: string;
  /** What could not be converted, in sentences for the user. */
  readonly problems: readonly string[];
  /** False: our settings would not accept the entry; `problems` says why. */
  readonly isUsable: boolean;
  /** Path of the folder that the server is for, if one file holds servers of several folders. */
  readonly project?: string;
}

export interface ImportedInput extends JsonObject {
  readonly id: string;
}

export interface ImportedFile {
  readonly servers: readonly ImportedServer[];
  /** Problems of the file as a whole. */
  readonly problems: readonly string[];
  /** It is empty, or cannot be read: maybe only for the moment in which its program writes it. */
  readonly isUnread?: true;
}

/** A file of another program on this machine. */
export interface FoundFile extends ImportedFile {
  /** The program's name. */
  readonly program: string;
  readonly path: string;
  /** Path of the workspace folder that it is in. */
  readonly folder?: string;
}

/** The environment that the meaning of a file depends on. */
export interface Surroundings {
  /** As in `process.platform`. */
  readonly platform: string;
  /** Tells which variables are set; none of their values gets into an entry. */
  readonly env: Environment;
  /** Path of the workspace folder that the file is in. */
  readonly folder?: string;
  /** URL of the registry that the text is of. */
  readonly registry?: string;
}

/** A server as in the file, before translation. */
export interface ForeignServer {
  readonly name: string;
  readonly raw: unknown;
  readonly project?: string;
}
