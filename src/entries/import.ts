/** Adds servers to the settings: the wizard, links, registries, other programs with their JSON, TOML and YAML. */
export { setUnexpectedErrorHandler } from '../base/event.ts';
export { setTranslator } from '../base/l10n.ts';
export { shareLastDialog } from '../host/questions/reading.ts';
export { FollowedFiles } from '../vscode/import/programFiles.ts';
export { addFromLink } from '../vscode/import/addServer.ts';
export { checkForUpdate } from '../vscode/import/checkForUpdate.ts';
export { addServer } from '../vscode/import/addServer.ts';
