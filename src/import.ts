/**
 * Entry point of the bundle that adds servers to the settings: the wizard, install links, and the import
 * from other programs with its parsers of JSON with comments, TOML and YAML. The extension loads it when a
 * server is first added or a program is followed, and imports it by type only.
 */
export { setUnexpectedErrorHandler } from './base/event.ts';
export { FollowedFiles } from './vscode/follow/followedFiles.ts';
export { addFromLink } from './vscode/wizards/addFromLink.ts';
export { addServer } from './vscode/wizards/addServer.ts';
