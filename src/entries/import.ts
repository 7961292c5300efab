/** Adds servers to the settings: the wizard, links, registries, other programs with their JSON, TOML and YAML. */
export { setUnexpectedErrorHandler } from '../base/event.ts';
export { FollowedFiles } from '../vscode/follow/followedFiles.ts';
export { addFromLink } from '../vscode/wizards/addFromLink.ts';
export { addServer } from '../vscode/wizards/addServer.ts';
