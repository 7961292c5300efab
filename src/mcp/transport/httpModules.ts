/**
 * `node:http` and `node:https`, loaded when a server is first spoken to over HTTP: to load both takes
 * longer than to load all of this client. They are looked up, and their functions called as their
 * properties, at each use: VS Code replaces these in the modules so that its settings for proxies and
 * certificates count.
 */
import type * as http from 'node:http';
import type * as https from 'node:https';

export function httpModule(): typeof http {
  return process.getBuiltinModule('node:http');
}

export function httpModuleFor({ protocol }: URL): typeof http | typeof https {
  return protocol === 'https:' ? process.getBuiltinModule('node:https') : httpModule();
}
