/** All names that package.json and the code share. A unit test compares this table with package.json. */

export const extensionId = 'mcp-host.mcp-host';
export const walkthroughId = 'gettingStarted';
export const viewId = 'mcpHost.servers';
export const requestsViewId = 'mcpHost.requests';
export const historyViewId = 'mcpHost.history';
export const participantId = 'mcpHost.mcp';
/** The language model tools, for models that work outside of `@mcp`. */
export const toolNames = {
  find: 'mcp_find_tools',
  call: 'mcp_call_tool',
  readResource: 'mcp_read_resource',
  findSkills: 'mcp_find_skills',
  loadSkill: 'mcp_load_skill',
  getPrompt: 'mcp_get_prompt',
} as const;
/** The id of the provider that offers the servers to the editor's own chat. */
export const definitionProviderId = 'mcpHost.servers';
export const section = 'mcpHost';
export const inspectorViewType = 'mcpHost.inspector';
/** What the view types of apps begin with. */
export const appViewType = 'mcpHost.app.';
/** The scheme of resources and of tool results; `mcp-resource` is VS Code's own. */
export const resourceScheme = 'mcphost';

/** The names of the commands of this extension. */
export const commandNames = [
  'startServer',
  'stopServer',
  'restartServer',
  'stopAllServers',
  'switchServerOff',
  'switchServerOn',
  'choosePrompts',
  'showServers',
  'showServerLog',
  'showLog',
  'diagnoseServer',
  'inspectMessages',
  'copyError',
  'addServer',
  'checkForUpdate',
  'openSettings',
  'refreshServer',
  'goToResource',
  'attachToChat',
  'openResource',
  'openTemplate',
  'addResourceToChat',
  'saveResource',
  'copyResourceUri',
  'watchResource',
  'stopWatchingResource',
  'compareResource',
  'showRoots',
  'runTool',
  'openResultPart',
  'saveResultPart',
  'usePrompt',
  'useFileInPrompt',
  'useSelectionInPrompt',
  'useSkill',
  'showSkill',
  'manageApprovals',
  'chooseTools',
  'forgetConsents',
  'changeInput',
  'forgetInputs',
  'showQuestions',
  'manageSampling',
  'useEditedText',
  'discardEdits',
  'showDetails',
  'openAuditLog',
  'exportAuditLog',
  'signIn',
  'cancelSignIn',
  'signOut',
  'forgetRegistration',
  'showStoredSignIns',
  'manageAccountAccess',
  'showMore',
  'addFavorite',
  'removeFavorite',
  'filterList',
  'clearFilter',
  'viewResourcesAsTree',
  'viewResourcesAsList',
  'showRunningRequests',
  'cancelRequest',
  'keepWaiting',
  'showHistory',
  'openHistoryResult',
  'runAgain',
  'compareResults',
  'filterHistory',
  'clearHistoryFilter',
  'clearHistory',
  'openApp',
  'leaveOutApp',
  'reloadApp',
  'showAppSource',
  'openAppResult',
] as const;

export type CommandName = (typeof commandNames)[number];

/** The id of a command, as package.json has it. */
export function commandId<N extends CommandName>(name: N): `${typeof section}.${N}` {
  return `${section}.${name}`;
}

/** Context keys that `when` clauses and the walkthrough in package.json read. */
export const contextKeys = {
  hasErrors: 'mcpHost.hasErrors',
  hasServers: 'mcpHost.hasServers',
  /** The user asked for the view of running requests. */
  showsRequests: 'mcpHost.showsRequests',
  /** The view of the call history shows only what has the words of its filter. */
  filtersHistory: 'mcpHost.filtersHistory',
  /** The paths of documents that the user is asked to edit. */
  editedPaths: 'mcpHost.editedPaths',
  /** The folders of watched resources, in the editor's file system. */
  watchedFolders: 'mcpHost.watchedFolders',
} as const;
