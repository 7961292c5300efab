/**
 * `node:http` and `node:https`, loaded at the first request over HTTP: loading both takes longer than
 * loading this whole client. Each use takes the module and calls its functions as properties, because VS
 * Code replaces them in the modules to apply its settings for proxies and certificates.
 */
import type * as http from 'node:http';
import type * as https from 'node:https';

/** Cached: a lookup each time would cost each request microseconds. */
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
