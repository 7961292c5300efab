/**
 * URLs of local HTTP servers that listen on a Unix socket or on a named pipe of Windows. No standard defines them:
 * these are the forms that other programs use.
 */
import { t } from '../../base/l10n.ts';
import { isMcpError, McpError } from '../../mcp/errors.ts';
import type { Platform } from './environment.ts';

/** Where a server listens, and the URL of its requests. */
export interface SocketAddress {
  /** Path of a Unix socket, or name of a pipe: `\\.\pipe\…`. */
  readonly socketPath: string;
  /** The URL for HTTP: `http://localhost/mcp`. */
  readonly url: URL;
}

/** The beginnings of such URLs, for the check of settings. */
export const socketUrlStart =
  /^(?:unix:\/|http\+unix:\/\/|http:\/\/unix:\/|n?pipe:\/\/\/|\\\\[.?]\\pipe\\)/iu;

/** Bytes of `sun_path` less its final zero. Node silently cuts a longer path, and may then find another socket. */
const maxSocketPathBytes = process.platform === 'darwin' ? 103 : 107;

/**
 * - `unix:///run/x.sock#/mcp` and `pipe:///pipe/name#/mcp`, as in VS Code
 * - `unix:/run/x.sock:/mcp` and `http://unix:/run/x.sock:/mcp`, as in HTTP clients of Node
 * - `http+unix://%2Frun%2Fx.sock/mcp`, as in HTTP clients of Python
 * - `npipe:////./pipe/name`, as in Docker, and `\\.\pipe\name`
 *
 * @returns undefined for any other URL
 * @throws McpError `invalidConfig` for a path that is missing or cannot be decoded
 */
export function readSocketUrl(text: string): SocketAddress | undefined {
  const start = socketUrlStart.exec(text)?.[0].toLowerCase();
  if (start === undefined) {
    return undefined;
  }
  const rest = text.slice(start.length);
  const [socket, path] =
    start === 'http+unix://' ? splitAt(rest, rest.search(/[/?#]/u), 0) : splitPath(rest);
  const socketPath = toSocketPath(start, decode(socket));
  if (/[/\\]$/u.test(socketPath)) {
    throw new McpError(
      'invalidConfig',
      t('must name a socket: {0}', '`unix:///path/to/server.sock#/mcp`'),
    );
  }
  return { socketPath, url: toHttpUrl(path) };
}

/** The same for a text that may be wrong: then it is the start that says so. */
export function socketIn(text: string): SocketAddress | undefined {
  try {
    return readSocketUrl(text);
  } catch (error) {
    if (!isMcpError(error)) {
      throw error;
    }
    return undefined;
  }
}

/** @throws McpError `invalidConfig` where the platform has no such socket, or does not accept its path */
export function checkSocketPlatform({ socketPath }: SocketAddress, platform: Platform): void {
  const isPipe = socketPath.startsWith('\\\\');
  if (isPipe !== (platform === 'win32')) {
    const text = isPipe
      ? t(
          'names a pipe of Windows, which this machine does not have: use a Unix socket, {0}',
          '`unix:///path/to/server.sock`',
        )
      : t(
          'names a Unix socket, which cannot be used on Windows: use a named pipe, {0}',
          '`pipe:///pipe/name`',
        );
    throw new McpError('invalidConfig', text);
  }
  if (!isPipe && Buffer.byteLength(socketPath) > maxSocketPathBytes) {
    const text = t(
      'names a socket whose path is longer than the {0} bytes that the system takes',
      maxSocketPathBytes,
    );
    throw new McpError('invalidConfig', text);
  }
}

function splitPath(rest: string): readonly [socket: string, path: string] {
  const hash = rest.indexOf('#');
  return hash === -1 ? splitAt(rest, rest.lastIndexOf(':/'), 1) : splitAt(rest, hash, 1);
}

function splitAt(text: string, at: number, skip: number): readonly [string, string] {
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + skip)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new McpError('invalidConfig', t('has a "%" that is not followed by two digits'));
  }
}

function toSocketPath(start: string, rest: string): string {
  if (start.startsWith('\\')) {
    return `${start}${rest}`;
  }
  if (start.includes('pipe')) {
    // `pipe/name`, `/./pipe/name`
    const name = rest.replaceAll('\\', '/').replace(/^(?:\/?[.?]\/)?(?:pipe\/)?/u, '');
    return `\\\\.\\pipe\\${name.replaceAll('/', '\\')}`;
  }
  // The pattern of the beginning consumed the first slash, or all of those of `unix:///`.
  return `/${rest.replace(/^\/+/u, '')}`;
}

function toHttpUrl(path: string): URL {
  // One slash: after two, the next word would be read as a host.
  return new URL(`/${path.replace(/^\/+/u, '')}`, 'http://localhost');
}
