// What each command does, for docs/commands.md, by its id. package.json has its title and its places.

export const commandGroups = [
  {
    title: 'Servers',
    commands: {
      'mcpHost.addServer':
        'adds a server from a command, URL, npm package, pasted text, registry or other program; see [Adding a server](adding-servers.md)',
      'mcpHost.checkForUpdate':
        'asks npm, PyPI or the registry of a container image for a newer version of what runs at an exact one; shows what would run, and writes it to the settings',
      'mcpHost.startServer': 'starts a server; asks for what it needs',
      'mcpHost.stopServer': 'stops a server',
      'mcpHost.restartServer': 'stops a server and starts it again',
      'mcpHost.stopAllServers': 'stops every server of this window',
      'mcpHost.switchServerOff':
        'switches a server off in this workspace alone; its entry stays as it is',
      'mcpHost.switchServerOn': 'switches it on again, or one on that its entry switches off',
      'mcpHost.showServers': 'opens the picker behind the status bar item',
      'mcpHost.refreshServer': 'asks a server again for what it offers',
      'mcpHost.showDetails': 'shows all that a server says of itself, or of a row of the view',
      'mcpHost.showRoots': 'shows the folders that servers are told of',
      'mcpHost.openSettings': 'opens settings.json at the servers',
    },
  },
  {
    title: 'Lists',
    commands: {
      'mcpHost.filterList':
        'shows only what has all the words that you type; for each list of each server',
      'mcpHost.clearFilter': 'shows the whole list again',
      'mcpHost.viewResourcesAsTree': 'shows resources in folders by the path of their URIs',
      'mcpHost.viewResourcesAsList': 'shows resources one below the other',
    },
  },
  {
    title: 'Tools and prompts',
    commands: {
      'mcpHost.runTool': 'runs a tool by hand; see [Tools](tools.md)',
      'mcpHost.reloadApp': 'starts the app of a result anew, with the same input and result',
      'mcpHost.openAppResult': 'shows the result without its app',
      'mcpHost.showAppSource': 'shows the HTML of an app',
      'mcpHost.useSkill':
        'begins a message to `@mcp` that uses a skill of a server; see [Skills](skills.md)',
      'mcpHost.showSkill': 'shows the instructions and files of a skill; loads nothing',
      'mcpHost.chooseTools': 'selects the tools that models get in this workspace; has presets',
      'mcpHost.usePrompt':
        'asks for the arguments of a prompt, shows its messages, then puts them into chat, copies them, or opens them as a document; takes arguments from a [key](chat.md#mcp)',
      'mcpHost.useFileInPrompt': 'the same with the path of a file, or of the files selected',
      'mcpHost.useSelectionInPrompt': 'the same with the text selected in the editor',
      'mcpHost.addFavorite': 'puts a prompt above the servers of the view, in this workspace',
      'mcpHost.removeFavorite': 'takes it away again',
      'mcpHost.choosePrompts':
        "selects the servers whose prompts the editor's chat gets in this workspace",
    },
  },
  {
    title: 'Resources',
    commands: {
      'mcpHost.goToResource':
        'finds a resource or template of any server; see [Resources](resources.md)',
      'mcpHost.attachToChat': "finds a resource or prompt for the editor's chat",
      'mcpHost.openResource': 'opens a resource as a document',
      'mcpHost.openTemplate': 'asks for the values of a template, then opens the resource',
      'mcpHost.addResourceToChat': "attaches a resource to the editor's chat",
      'mcpHost.saveResource': 'writes the bytes of a resource to a file',
      'mcpHost.copyResourceUri': 'copies the URI of a resource',
      'mcpHost.watchResource': 'marks a resource when it has changed',
      'mcpHost.stopWatchingResource': 'ends that',
      'mcpHost.compareResource': 'shows what changed in a watched resource since you looked last',
    },
  },
  {
    title: 'Questions and approvals',
    commands: {
      'mcpHost.showQuestions':
        'lists every question that you have put off, or opens it where there is one; the number in the status bar opens it, too',
      'mcpHost.manageApprovals':
        'lists the tools, skills, apps and extensions that need no question and the servers that you trust; takes them back',
      'mcpHost.manageSampling':
        'lists the servers that may use language models without a question, with their model; takes them back',
      'mcpHost.useEditedText': 'takes the text that a question has opened as a document',
      'mcpHost.discardEdits': 'drops the changes of that text',
      'mcpHost.forgetConsents': 'takes back which servers may start',
      'mcpHost.changeInput': 'asks for another value of an `${input:…}` that a server uses',
      'mcpHost.forgetInputs': 'forgets the values that you typed for `${input:…}`',
      'mcpHost.openAuditLog':
        'shows what was allowed, denied and called; see [Audit log](audit-log.md)',
      'mcpHost.exportAuditLog': 'writes all of the audit log to one file',
    },
  },
  {
    title: 'Signing in',
    commands: {
      'mcpHost.signIn': 'signs in to a server that wants it; see [Signing in](signing-in.md)',
      'mcpHost.cancelSignIn': 'ends the wait for your browser',
      'mcpHost.signOut': "deletes the server's tokens and stops it",
      'mcpHost.forgetRegistration': 'has the editor register as a new client at the next sign-in',
      'mcpHost.showStoredSignIns':
        'lists tokens, registrations and accounts by name, never by value; forgets them',
      'mcpHost.manageAccountAccess':
        'lists the servers that use an account of the editor; takes it back',
    },
  },
  {
    title: 'Requests, logs and messages',
    commands: {
      'mcpHost.showRunningRequests':
        'shows what runs on which server, for how long and how far; see [Running requests](troubleshooting.md#running-requests)',
      'mcpHost.cancelRequest': 'cancels a running request, also without the view',
      'mcpHost.keepWaiting': 'gives a running request more time, also without the view',
      'mcpHost.showHistory':
        'shows the calls of tools that were kept; offers to turn it on; see [Call history](history.md)',
      'mcpHost.openHistoryResult': 'opens the input and result of a kept call as a document',
      'mcpHost.runAgain': 'runs a kept call again; asks for what was masked in its input',
      'mcpHost.compareResults': 'shows what differs between the results of two kept calls',
      'mcpHost.filterHistory':
        'shows only the kept calls that have all the words that you type, in inputs and results, too',
      'mcpHost.clearHistoryFilter': 'shows all kept calls again',
      'mcpHost.clearHistory': 'deletes all kept calls from this machine',
      'mcpHost.showServerLog': 'opens the log of a server',
      'mcpHost.showLog': 'opens the log of MCP Host itself',
      'mcpHost.copyError': 'copies the error of a server, with the last lines that it wrote',
      'mcpHost.diagnoseServer': 'reports why a server does not run, and what to try',
      'mcpHost.inspectMessages':
        'shows what goes to a server and comes back; see [Messages of a server](troubleshooting.md#messages-of-a-server)',
    },
  },
];
