/**
 * Entry point of the bundle that adds servers to the settings: the wizard, and the import from other
 * programs with its parsers of JSON with comments, TOML and YAML. The extension loads it when a server
 * is first added, and imports it by type only.
 */
export { addServer } from './vscode/wizards/addServer.ts';
