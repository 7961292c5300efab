/** What the import of other programs' settings gives: servers in our own form, with what is to be said of them. */
import type { JsonObject } from '../../base/json.ts';
import type { Environment } from '../config/environment.ts';

export interface ImportedServer {
  readonly name: string;
  /** As it would stand in `mcpHost.servers`. */
  readonly entry: JsonObject;
  /** As they would stand in `mcpHost.inputs`: what the entry's `${input:…}` refer to. */
  readonly inputs: readonly ImportedInput[];
  /** The command with its arguments, or the URL, in one line. */
  readonly summary: string;
  /** What could not be taken over, in sentences for the user. */
  readonly problems: readonly string[];
  /** False: the entry would not be accepted in our settings; `problems` says why. */
  readonly isUsable: boolean;
  /** Path of the folder that the server is for, where one file holds servers of several. */
  readonly project?: string;
}

export interface ImportedInput extends JsonObject {
  readonly id: string;
}

export interface ImportedFile {
  readonly servers: readonly ImportedServer[];
  /** What is wrong with the file as a whole. */
  readonly problems: readonly string[];
}

/** What the meaning of a file depends on. */
export interface Surroundings {
  /** As in `process.platform`. */
  readonly platform: string;
  /** Tells which variables are set; no value of it gets into an entry. */
  readonly env: Environment;
  /** Path of the workspace folder that the file is in. */
  readonly folder?: string;
}

/** A server as a file has it, before translation. */
export interface ForeignServer {
  readonly name: string;
  readonly raw: unknown;
  readonly project?: string;
}
