/**
 * `node:http` and `node:https`, loaded at the first request over HTTP: loading both takes longer than
 * loading this whole client. Each use takes the module and calls its functions as properties, because VS
 * Code replaces them in the modules to apply its settings for proxies and certificates.
 */
import type * as http from 'node:http';
import type * as https from 'node:https';
import { lazily } from '../../../base/lazily.ts';

export const httpModule = lazily(() => process.getBuiltinModule('node:http'));
const httpsModule = lazily(() => process.getBuiltinModule('node:https'));

export function httpModuleFor({ protocol }: URL): typeof http | typeof https {
  return protocol === 'https:' ? httpsModule() : httpModule();
}
