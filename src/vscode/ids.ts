/** All names that package.json and the code share. A unit test compares this table with package.json. */

export const extensionId = 'mcp-host.mcp-host';
export const walkthroughId = 'gettingStarted';
export const viewId = 'mcpHost.servers';
export const requestsViewId = 'mcpHost.requests';
export const participantId = 'mcpHost.mcp';
/** The language model tools, for models that work outside of `@mcp`. */
export const toolNames = {
  find: 'mcp_find_tools',
  call: 'mcp_call_tool',
  readResource: 'mcp_read_resource',
  getPrompt: 'mcp_get_prompt',
} as const;
/** The id of the provider that offers the servers to the editor's own chat. */
export const definitionProviderId = 'mcpHost.servers';
export const section = 'mcpHost';
export const inspectorViewType = 'mcpHost.inspector';
/** The scheme of resources and of tool results; `mcp-resource` is VS Code's own. */
export const resourceScheme = 'mcphost';

export const commandIds = {
  startServer: 'mcpHost.startServer',
  stopServer: 'mcpHost.stopServer',
  restartServer: 'mcpHost.restartServer',
  stopAllServers: 'mcpHost.stopAllServers',
  showServers: 'mcpHost.showServers',
  showServerLog: 'mcpHost.showServerLog',
  showLog: 'mcpHost.showLog',
  diagnoseServer: 'mcpHost.diagnoseServer',
  inspectMessages: 'mcpHost.inspectMessages',
  copyError: 'mcpHost.copyError',
  addServer: 'mcpHost.addServer',
  openSettings: 'mcpHost.openSettings',
  refreshServer: 'mcpHost.refreshServer',
  goToResource: 'mcpHost.goToResource',
  attachToChat: 'mcpHost.attachToChat',
  openResource: 'mcpHost.openResource',
  openTemplate: 'mcpHost.openTemplate',
  addResourceToChat: 'mcpHost.addResourceToChat',
  saveResource: 'mcpHost.saveResource',
  copyResourceUri: 'mcpHost.copyResourceUri',
  watchResource: 'mcpHost.watchResource',
  stopWatchingResource: 'mcpHost.stopWatchingResource',
  compareResource: 'mcpHost.compareResource',
  showRoots: 'mcpHost.showRoots',
  runTool: 'mcpHost.runTool',
  openResultPart: 'mcpHost.openResultPart',
  saveResultPart: 'mcpHost.saveResultPart',
  usePrompt: 'mcpHost.usePrompt',
  manageApprovals: 'mcpHost.manageApprovals',
  chooseTools: 'mcpHost.chooseTools',
  forgetConsents: 'mcpHost.forgetConsents',
  forgetInputs: 'mcpHost.forgetInputs',
  showQuestions: 'mcpHost.showQuestions',
  manageSampling: 'mcpHost.manageSampling',
  useEditedText: 'mcpHost.useEditedText',
  discardEdits: 'mcpHost.discardEdits',
  showDetails: 'mcpHost.showDetails',
  openAuditLog: 'mcpHost.openAuditLog',
  exportAuditLog: 'mcpHost.exportAuditLog',
  signIn: 'mcpHost.signIn',
  cancelSignIn: 'mcpHost.cancelSignIn',
  signOut: 'mcpHost.signOut',
  forgetRegistration: 'mcpHost.forgetRegistration',
  showStoredSignIns: 'mcpHost.showStoredSignIns',
  manageAccountAccess: 'mcpHost.manageAccountAccess',
  showMore: 'mcpHost.showMore',
  filterList: 'mcpHost.filterList',
  clearFilter: 'mcpHost.clearFilter',
  viewResourcesAsTree: 'mcpHost.viewResourcesAsTree',
  viewResourcesAsList: 'mcpHost.viewResourcesAsList',
  showRunningRequests: 'mcpHost.showRunningRequests',
  cancelRequest: 'mcpHost.cancelRequest',
  keepWaiting: 'mcpHost.keepWaiting',
} as const;

export type CommandName = keyof typeof commandIds;

/** Context keys that `when` clauses and the walkthrough in package.json read. */
export const contextKeys = {
  hasErrors: 'mcpHost.hasErrors',
  hasServers: 'mcpHost.hasServers',
  /** The user asked for the view of running requests. */
  showsRequests: 'mcpHost.showsRequests',
  /** The paths of documents that the user is asked to edit. */
  editedPaths: 'mcpHost.editedPaths',
  /** The folders of watched resources, in the editor's file system. */
  watchedFolders: 'mcpHost.watchedFolders',
} as const;
