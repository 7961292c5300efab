/** Identifies the server that asks, in words that it cannot choose (HOST-06). */
import type { ServerConfig } from '../config/serverConfig.ts';

export function askerOf({ name, launch }: ServerConfig): Asker {
  return {
    name,
    origin: launch.kind === 'stdio' ? programName(launch.command) : hostOf(launch.url),
  };
}

/** The last part of the path; a variable before it is the folder, not the program. */
function programName(command: string): string {
  return command.trim().split(/[\\/]/u).at(-1) || command;
}

/** A URL whose host is a variable is shown as written, up to its path. */
function hostOf(url: string): string {
  return URL.canParse(url) && !url.includes('${')
    ? new URL(url).host
    : (/^(?:[a-z]+:\/\/)?([^/?#]*)/iu.exec(url)?.[1] ?? url);
}

/** The server that asks, as every dialog names it (ELIC-04, HOST-06). */
export interface Asker {
  /** The server's name in the settings, never one that it gives itself. */
  readonly name: string;
  /** The program that is started, or the host of the URL. */
  readonly origin: string;
  /** The app of the server asks. */
  readonly isApp?: boolean;
}
