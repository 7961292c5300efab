/**
 * Links that ask an editor to add a server: ours, those of VS Code and of Cursor. Their content is untrusted: this file
 * only parses it.
 */
import { isObject, type JsonObject } from '../../base/json.ts';

export type InstallLink = { readonly server: JsonObject } | { readonly problem: string };

/** In UTF-16 units; browsers accept far shorter URLs. */
const maxLength = 64 * 1024;
const ways =
  /^(?:(?:vscode|vscode-insiders|vscodium|code-oss|code-server):(?:\/\/[\w.-]+\/install|\/?\/?mcp\/install)|cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install|https:\/\/(?:insiders\.)?vscode\.dev\/redirect\/mcp\/install|https:\/\/cursor\.com\/(?:\w+\/)?install-mcp)\?(.*)$/su;

/** Undefined when the text is no such link. */
export function readInstallLink(text: string): InstallLink | undefined {
  const query = ways.exec(text)?.[1];
  return query === undefined ? undefined : readInstallQuery(query);
}

/**
 * @param query the JSON of a server, or `name=…&config=…` with the JSON, plain or in Base64; encoded or not, because
 * editors differ in what they pass on
 */
export function readInstallQuery(query: string): InstallLink {
  if (query.length > maxLength) {
    return {
      problem: `the link is longer than ${maxLength} characters: paste the JSON of its server`,
    };
  }
  for (const text of [query, decoded(query)]) {
    const server = text.startsWith('{') ? jsonObject(text) : undefined;
    if (server !== undefined) {
      return { server };
    }
  }
  const parameters = new URLSearchParams(query);
  const name = parameters.get('name');
  const config = parameters.get('config') ?? '';
  // A query turns the `+` of Base64 into a blank.
  const plain = config.startsWith('{') ? config : base64(config.replaceAll(' ', '+'));
  const server = jsonObject(plain);
  return server === undefined
    ? { problem: 'the link has no JSON of a server' }
    : { server: name === null ? server : { ...server, name } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function base64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}

function jsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
