/** Starting a server: review and consent, what it takes from a workspace, its sandbox and variables. */
import type { Changes } from '../mutant.ts';

export const launchMutants: Changes = {
  'src/host/launch/startConsent.ts': {
    'consent-for-anything: SEC-01': '?.hash «=== description.hash→!== undefined»;',
    'restricted-mode-starts: VSC-01': 'if («!this.#workspace.isTrusted→false») {',
    'folder-servers-start-unasked: SEC-01': `return server.scope.kind «!== 'user→=== 'workspace»';`,
    'remote-servers-start-unasked: SEC-01': `return server.scope.kind !== 'user'«→ && server.scope.kind !== 'remote'»;`,
    'starts-after-no: SEC-01': '    if («!answer→false») {\n',
    'trust-lost-while-asked: VSC-01': '  «  this.requireTrust(server);\n  →»}\n',
    'changes-not-shown: SEC-01':
      '{ added: «without(facts, before.facts), removed: without(before.facts, facts)→[], removed: []» }',
    'all-consents-forgotten: SEC-14':
      '«id === undefined ? consents.clear() : consents.delete(id→consents.clear(»)',
    'environment-file-may-change: SEC-01':
      'return «this.#read().get(server.id)?.openedHash === opened.hash→true»;',
    'later-content-not-asked: SEC-01': 'const isFirst = «kept.openedHash === undefined→true»;',
    'risk-in-file-not-asked: SEC-02':
      'if (!isFirst« || opened.risks.length > closed.risks.length→») {',
  },
  'src/host/launch/describeLaunch.ts': {
    'consent-without-roots: ROOT-06': '    «roots,\n    →»fromWorkspace,\n',
    'consent-without-inputs: SEC-01': '«    inputs: variables.inputs,\n→»',
    'sent-variable-shown-as-local: HOST-03': `«staysHere(field) ? 'variable' : 'variableSent→'variable»'`,
    'consent-without-what-is-taken: Before a server starts': '    roots,\n«    fromWorkspace,\n→»',
    'hidden-character-in-root: SEC-01': '`${visible(name)} (${«visible(path)→path»})`',
    'hidden-character-in-question: SEC-01': '[fact(label, «visible(what + fields)→what + fields»)]',
    'taken-paths-not-shown: Before a server starts': `«...fromWorkspace.map((text) => ({ kind: 'workspace', what: 'taken', text }) as const),→»`,
  },
  'src/host/launch/describing.ts': {
    'hidden-character-in-path: SEC-01': 'target === path ? «visibleWhole(path)→path» :',
    'hidden-character-in-linked-path: SEC-01': '`${«visibleWhole(path)→path»} →',
    'hidden-character-in-target: SEC-01': '→ ${«visibleWhole(target)→target»}',
    'hidden-character-in-unread-path: SEC-01': 'this.unread.push(«visibleWhole(path)→path»)',
  },
  'src/host/launch/describeStdio.ts': {
    'hidden-character-in-command: SEC-01': `fact('command', «visibleWhole(command)→command»)`,
    'hidden-character-in-changeable-file: SEC-01': `paths«.map(visible)→».join(', ')`,
    'hidden-character-in-pinned-file: SEC-01': `fact('pinnedFile', «visibleWhole(path)→path»)`,
    'hidden-character-in-sandbox: SEC-01':
      'write: ${«visibleWhole(describing.known(path))→describing.known(path)»}',
    'hidden-character-in-removed-variable: SEC-01': `fact('environmentRemoved', «visibleWhole(name)→name»)`,
    'arguments-not-shown: SEC-01': `«...args.map((text) => fact('argument', visibleWhole(text))),→»`,
    'content-of-file-not-bound: SEC-01': 'text: «envFile.text→undefined» }',
    'link-not-bound: SEC-01': '«links: files.map(({ shown }) => shown),→»',
    'pinned-content-not-bound: Before a server starts':
      '«...(pinned.content && { files: pinned.content }),→»',
    'command-as-run-not-bound: SEC-01': '      «command,\n→»      args,\n      env,\n      cwd',
    'arguments-as-run-not-bound: SEC-01': '      command,\n      «args,\n→»',
    'folder-behind-link-not-bound: SEC-01': '«      cwd: shownCwd,\n→»',
    'sandbox-not-shown: SEC-03': '«    ...sandboxFacts(server.sandbox, describing),\n→»',
    'pinned-file-read-once: SEC-01': 'machine.«digest→readFile»(path)',
  },
  'src/host/config/managedAccess.ts': {
    'rule-with-a-path-allows-all: HOST-05':
      "rule.endsWith('*')« && beginning.exec(rule)?.[2] === ''→»;",
    'list-of-urls-allows-programs: Before a server starts':
      'url === undefined« && command === undefined→»)',
    'denied-server-allowed: Before a server starts':
      'if («rulesIn(deniedServers)?.some((rule) => fits(rule, identity)) === true→false») {',
  },
  'src/host/config/globalScopes.ts': {
    'remote-settings-are-the-users: SEC-01': '{ user: «globalLocalValue→globalValue», remote:',
  },
  'src/host/config/parseConfig.ts': {
    'remote-hides-own-servers: Before a server starts': 'remote: «0→2»,',
    'name-with-unseen-characters: Before a server starts':
      'if («name.search(hidden) !== -1→false») {',
  },
  'src/host/launch/describeHttp.ts': {
    'hidden-character-in-url: SEC-01': `fact('url', «visibleWhole(url.shown)→url.shown»)`,
    'hidden-character-in-header: SEC-01': ': ${«visible(value)→value»}`',
    'hidden-character-in-subject: SEC-01': `«visible(subjects.join('; '))→subjects.join('; ')»`,
    'hidden-character-in-authority: SEC-01': `'PEM' : «visible(describing.known(text))→describing.known(text)»)`,
    'hidden-character-in-proxy: SEC-01': `risk('proxy', «visible(describing.known(proxy))→describing.known(proxy)»)`,
    'hidden-character-in-sign-in: SEC-01':
      'return «visibleWhole(describing.known(text))→describing.known(text)»;',
    'variable-over-plain-http-unmarked: SEC-02': `return «reference.kind === 'env'→false»;`,
    'input-in-plain-url-unmarked: SEC-02': `url.parameters.some(looksSecret)« || carriesSecret('', url.shown, describing)→»`,
    'headers-not-shown: SEC-01':
      "«...headers.map(([name, value]) => fact('header', `${visible(name)}: ${visible(value)}`)),→»",
    'links-of-sign-in-not-bound: SEC-01': 'connection: [«...signIn.facts, →»...connection.facts],',
    'url-not-bound: SEC-01': '«      launch,\n      url: url.shown,\n→»',
    'headers-as-sent-not-bound: SEC-01': '«      headers: Object.fromEntries(headers),\n→»',
    'authorities-not-bound: SEC-01':
      '«...(connection.authorities && { authorities: connection.authorities }),→»',
    'secret-over-plain-http-unmarked: SEC-02':
      '.filter((«[name, value]) => carriesSecret(name, value, describing)→) => false»)',
    'sign-in-settings-not-shown: SEC-01': "fact('signIn', «`${field}: ${shown}`→field»)",
    'sent-file-unmarked: SEC-02': `.filter(({ field }) => «field === 'oauth.assertionFile'→false»)`,
  },
  'src/host/config/textFile.ts': {
    'digest-of-text: SEC-01':
      '.update(«await readBytes(path, fileLimitMs)→await readTextFile(path)»)',
  },
  'src/host/launch/launchPreparation.ts': {
    'change-while-asked: SEC-01':
      'if («known?.startsWith(description.hash) !== true→known === undefined») {',
    'change-while-input-asked: SEC-01':
      '«      await this.#requireConsent(server, context, noLook, signal, allowed);\n→»',
    'content-of-file-not-asked: SEC-01': '      if («description.unread.length > 0→false») {\n',
    'restart-asks-nobody: Before a server starts': `return '«needsConsent→ready»';`,
    'restart-without-input: Before a server starts': `return «lacksInput ? 'needsInput' : →»'ready';`,
    'file-read-twice: SEC-01': '«files.set(path, text);→»',
    'environment-read-twice: SEC-01': 'env: «{ ...env }→env»,',
    'organization-sees-the-sandbox: Before a server starts':
      '«run === server ? resolution : await resolveLaunch(server, resolving)→resolution»',
    'organization-not-asked: Before a server starts': 'if («setting !== undefined→false») {',
    'own-servers-take-unasked: Before a server starts': 'if («(await look()).length > 0→false») {',
  },
  'src/host/launch/fromWorkspace.ts': {
    'encoded-path-unseen: Before a server starts':
      '«.flatMap((word) => [word, percentDecoded(word)])→»',
    'program-on-path-unseen: Before a server starts': '«...files.flatMap((file) => file ?? []), →»',
    'path-and-loaders-unseen: Before a server starts': `const loads = «variableKey(platform, name) === 'PATH' || isLoaderVariable(name, platform)→false»;`,
    'writable-places-unseen: Before a server starts': '«[...texts, ...writes]→texts»',
    'certificate-files-unseen: Before a server starts':
      '.filter((«{ field }) => fileFields.test(field)→) => false»)',
    'socket-in-folder-unseen: Before a server starts':
      '«...(socket === undefined ? [] : [{ text: socket, isPrivate: isPrivateText(entry.url) }]),→»',
    'quoted-path-unseen: Before a server starts':
      '«found.push(...inside.namedIn(named.text).map(visible));→»',
    'private-path-shown: SEC-11': 'visible(«isPrivate ? folder : →»path)',
  },
  'src/host/launch/folderPaths.ts': {
    'link-into-folder-unseen: Before a server starts':
      'const real = await «this.#machine.programs.realPath(at)→at»;',
  },
  'src/host/launch/risks.ts': {
    'hidden-character-in-origin: SEC-02': 'origin: «visible(origin)→origin» }',
    'plain-http-unmarked: SEC-02':
      'if («!/^(?:http|ws):\\/\\//iu.test(origin) || isOnThisMachine(origin)→true») {',
    'elevation-unmarked: SEC-02': `commandRule('elevation', «isElevating→() => false»`,
    'recursive-delete-unmarked: SEC-02': `commandRule('recursiveDelete', «isDeleting→() => false»`,
    'elevation-in-powershell-unmarked: SEC-02': 'isElevating, «runsAsAdministrator→() => false»',
    'delete-in-powershell-unmarked: SEC-02': 'isDeleting, «removesItems→() => false»',
    'places-unmarked: SEC-02': '«  pathsOutside,\n→»',
    'containers-unmarked: SEC-02': '«  containerRisks,\n→»',
    'downloads-unmarked: SEC-02': '«  ({ commands }) => downloads(commands),\n→»',
    'download-to-shell-unmarked: SEC-02': `found(«isRun ? 'downloadToShell' : →»'networkFetch'`,
    'run-in-powershell-unmarked: SEC-02': '«powerShellRun.test(script)→false»',
    'encoded-command-unmarked: SEC-02':
      '«  ({ commands }) => commands.flatMap(encodedCommand),\n→»',
    'variables-unmarked: SEC-02': '«  variableRisks,\n→»',
    'mounted-docker-socket-unmarked: SEC-02': `«path.endsWith('docker.sock') ||\n    →»`,
    'host-network-unmarked: SEC-02': `|network|net|cgroupns)=host«→never»$)`,
    'preload-unmarked: SEC-02': '«LD_PRELOAD|→»',
    'loader-in-another-case: SEC-02': '« || loaders.test(variableKey(platform, name))→»',
  },
};
