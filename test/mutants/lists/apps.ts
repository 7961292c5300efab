/** MCP apps: what their pages may reach, what they may ask for, and what of them the bridge passes on. */
import type { Changes } from '../mutant.ts';

export const appMutants: Changes = {
  'src/host/apps/contentPolicy.ts': {
    'editors-own-origin: APP-24': `const code = [«→"'self'", »"'unsafe-inline'"`,
    'origins-without-tls: APP-25': `const isSafe = «scheme === 'https' || scheme === 'wss' || loopback.test(host)→true»;`,
    'all-of-a-top-domain: APP-25': '« || isTopDomain→» || host',
    'host-of-any-length: APP-25': '« || host.length > maxHostChars→»',
    'origins-without-end: APP-25': 'all«.slice(0, maxOrigins)→») {',
  },
  'src/host/apps/domainRules.ts': {
    'mistake-opens-all: APP-28': 'return { allow: «[]→undefined», deny: [], problem };',
    'denied-below-a-wildcard: APP-28': '« || (wildcard !== undefined && covers(host, domain))→»;',
    'domain-by-its-end: APP-28': 'host.endsWith(«`.${domain}`→domain»)',
  },
  'src/host/apps/toolUi.ts': {
    'view-of-any-scheme: APP-09': `isString(found) && «found.startsWith('ui://')→true»\n`,
    'visibility-ignored: APP-10':
      'return «!Array.isArray(visibility) || visibility.includes(who)→true»;',
  },
  'src/host/apps/uiResource.ts': {
    'page-of-any-size: APP-21': 'if («bytes > maxPageBytes→false») {',
    'permission-of-any-shape: APP-34': 'isObject(permissions)« && isObject(permissions[name])→»,',
    'page-of-older-rules: APP-28':
      'isOfSetting = «known?.domains === stableStringify(this.#domains() ?? null)→known !== undefined»;',
    'hash-without-policy: APP-20': '[html, «policyText(policy), →»asked,',
  },
  'src/host/apps/shownApps.ts': {
    'sites-of-one-list: APP-27': `«Object.values(app.policy.csp ?? {})→[app.policy.csp?.connectDomains ?? []]»`,
    'shown-for-any-program: APP-27': '«shown.launch === launch && →»',
    'shown-for-any-page: APP-20': 'shown.launch === launch« && shown.hash === app.hash→»',
    'shown-for-any-server: APP-27': '«shown.serverId === server.id && →»',
  },
  'src/host/apps/apps.ts': {
    'apps-go-on-when-off: APP-80': 'if («this.viewOf(server, call.tool) === undefined→false») {',
    'sites-taken-back-in-vain: APP-80': `return shownApps.consent(server.config, resource) === «'none'→'never'»`,
  },
  'src/host/apps/appRequests.ts': {
    'models-tools-for-apps: APP-12': 'if (tool === undefined« || !isForApps(tool)→») {',
    'models-tools-listed-for-apps: APP-12': 'tools: page.tools«.filter(isForApps)→» };',
    'apps-unapproved: APP-65':
      '«await services.approvals.require({ server: config, tool, input }, signal);→»',
    'link-of-any-scheme: APP-69': `(«url !== undefined && !['http:', 'https:'].includes(url.protocol)→false»)`,
    'app-questions-without-limit: HOST-08': '«services.approvals.admitQuestion(config);→»',
    'app-request-not-recorded: APP-77': `return «audited(
    services.audit,→audited(
    { record: () => undefined },»`,
    'links-without-limit: HOST-08':
      'done(await «asked(parts, { method, link: url }, () => ui.openLink(url, signal))→ui.openLink(url, signal)»)',
    'files-without-limit: HOST-08':
      '«asked(parts, { method }, async () => (await ui.saveFile?.(item, signal)) === true)→((await ui.saveFile?.(item, signal)) === true)»',
    'apps-sample-where-servers-may-not: APP-75':
      'return «server.config.sampling ? services.sampling : undefined→services.sampling»;',
  },
  'src/host/apps/appConversation.ts': {
    'served-after-the-end: APP-42': 'if («this.#isOver || →»!isObject(message)',
    'one-id-runs-twice: APP-42': `if («this.#open.has(id) && method !== 'ui/initialize'→false») {`,
    'bug-told-to-app: SEC-11': `message: «'Internal error'→String(error)» }`,
  },
  'src/host/toolApproval/appApprovals.ts': {
    'answer-of-any-definition: APP-65': 'tool.name, «definitionOf(server, tool)→0»]);',
    'apps-call-without-limit: HOST-08': `if («this.#rate.admit(server.id).kind === 'refused'→false») {`,
  },
  'src/bridge/requestForwarder.ts': {
    'apps-tools-for-the-editor: APP-10': 'if (!isOn« || (!showsApps && !isForModels(rest))→») {',
    'calls-of-apps-by-their-word: HOST-06':
      'request.showsApps && «served.hadApps && →»isOfApp(params) ?',
    'calls-of-apps-that-are-off: HOST-06': `if («caller === 'app' && !served.showsApps→false») {`,
    'denied-sites-in-lists: APP-28':
      "return «underDomainRules(server, 'resources', result)→result»;",
    'bridge-calls-unapproved: In the editor':
      '«await served.parts.approveTool({ server, tool, input, caller }, signal)→input»',
  },
  'src/bridge/servedServer.ts': {
    'apps-forgotten-with-the-connection: HOST-06': 'this.#hadApps «||→»= catalog',
  },
};
