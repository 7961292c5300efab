/** The schemas that the editor underlines the settings by. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { JsonObject } from '../../src/base/json.ts';

interface Manifest {
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly configuration: {
      readonly properties: Readonly<Record<string, JsonObject>>;
    };
  };
}

export const manifestText = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
export const manifest: Manifest = JSON.parse(manifestText);
export const { properties } = manifest.contributes.configuration;

const ajv = new Ajv({ strict: false });
export const serversSchema = ajv.compile(properties['mcpHost.servers'] ?? false);
export const inputsSchema = ajv.compile(properties['mcpHost.inputs'] ?? false);
