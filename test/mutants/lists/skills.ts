/** Skills: what is checked before one is used, and what an answer about one counts for. */
import type { Changes } from '../mutant.ts';

export const skillMutants: Changes = {
  'src/mcp/skillEntries.ts': {
    'skill-of-any-path: SKL-18': "«!['', '.', '..'].includes(segment) && →»!/[/",
    'skill-with-encoded-slash: SKL-18':
      'includes(segment)« && !/[/\\\\?#\\p{Cc}\\u2028\\u2029]/u.test(segment)→»;',
    'skill-of-513-files: SKL-21': 'if («resources.length > skillLimits.files→false») {',
    'skill-of-any-size: SKL-21': 'return «bytes > skillLimits.bytes→false»',
    'skill-without-its-own-file: SKL-18': "if («!seen.has('SKILL.md')→false») {",
    'skill-of-another-name: SKL-17': 'if («!folderOf(uri).endsWith(`/${name}/`)→false») {',
    'short-digest: SKL-18': '/^sha256:[\\da-f]«{64}→+»$/u',
  },
  'src/host/skills/skills.ts': {
    'digest-not-checked: SKL-33': 'if («digest !== file.digest→false») {',
    'size-not-checked: SKL-34': 'if («bytes.length !== file.size→false») {',
    'frontmatter-not-compared: SKL-36': 'if («differences.length > 0→false») {',
    'unlisted-file-read: SKL-39':
      "if (place === undefined« || (file === undefined && resources !== 'dynamic')→») {",
    'content-of-another-file: SKL-34': '«content.uri !== uri || →»contents.length',
    'held-after-a-change: SKL-58': 'return «isSame ? held : undefined→held»;',
    'entry-asked-without-end: SKL-41':
      'if («JSON.stringify(fresh.resources) === JSON.stringify(held.resources)→false») {',
    'skill-without-a-question: SKL-32':
      'if («!(await this.#approvals.isAllowed(request, signal))→false») {',
    'folder-of-the-server: SKL-47': 'const below =\n      «files ?? →»(await',
    'any-child-of-a-folder: SKL-48': '«&& folderOf(child.uri) === `${uri}/`→») {',
  },
  'src/host/skills/skillApprovals.ts': {
    'skill-answer-for-any-server: SKL-58': '«approval.launch === launchHash(server) &&→»',
    'skill-answer-by-uri: SKL-58': '«serverId === server.id && →»uri === skill.uri',
    'skill-answer-of-another-replaced: SKL-58': 'return JSON.stringify([«serverId, →»uri])',
    'removed-file-not-shown: SKL-58':
      'removed: «Object.keys(before).filter((uri) => !Object.hasOwn(now, uri))→[]»',
    'skill-answer-for-any-files: SKL-58':
      '«changed.length + added.length + removed.length→0» === 0',
    'dynamic-skill-remembered: SKL-59':
      "skill.resources === 'dynamic' ? «[]→rememberedScopes(server)» :",
  },
  'src/host/skills/frontmatter.ts': {
    'field-too-many: SKL-36': '«Object.keys(entry), ...Object.keys(file)→Object.keys(entry)»',
    'odd-yaml: SKL-37': '[...document.errors«, ...document.warnings→»]',
  },
  'src/host/chat/skillTools.ts': {
    'file-of-another-server: SKL-39':
      '«one?.server === used.server && one.uri→one?.uri» === used.uri',
  },
  'src/host/chat/agentCalls.ts': {
    'acting-skill-forgotten: SKL-38': 'new Set(«loadedIn(services.history)→»)',
    'read-at-another-server: SKL-55':
      'if («skill !== undefined→false») {\n      return failure(`While',
  },
  'src/host/toolApproval/approvals.ts': {
    'old-answer-while-a-skill-acts: SKL-53': '«|| (request.skills ?? []).length > 0→») {',
  },
};
