/**
 * `node:http` and `node:https`, loaded when a server is first spoken to over HTTP: to load both takes
 * longer than to load all of this client. They are looked up, and their functions called as their
 * properties, at each use: VS Code replaces these in the modules so that its settings for proxies and
 * certificates count.
 */
import type * as http from 'node:http';
import type * as https from 'node:https';

/** Kept, since to ask for them each time would cost each request microseconds. */
let loadedHttp: typeof http | undefined;
let loadedHttps: typeof https | undefined;

export function httpModule(): typeof http {
  loadedHttp ??= process.getBuiltinModule('node:http');
  return loadedHttp;
}

export function httpModuleFor({ protocol }: URL): typeof http | typeof https {
  if (protocol !== 'https:') {
    return httpModule();
  }
  loadedHttps ??= process.getBuiltinModule('node:https');
  return loadedHttps;
}
