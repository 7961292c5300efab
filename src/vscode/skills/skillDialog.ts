/**
 * The question before a skill is loaded: whose it is, what it says of itself, which files it has. Show All reads
 * SKILL.md, checked, and shows it beside them; that loads nothing. host/skills decides whether to ask.
 */
import * as vscode from 'vscode';
import { toError } from '../../base/async.ts';
import type { ApprovalScope } from '../../host/config/serverConfig.ts';
import type { Turn } from '../../host/questions/questionQueue.ts';
import type {
  SkillAnswer,
  SkillChanges,
  SkillPrompt,
  SkillQuestion,
} from '../../host/skills/skillApprovals.ts';
import { pathInSkill } from '../../mcp/skillEntries.ts';
import type { Skill } from '../../mcp/types/skills.ts';
import { scopeText } from '../config/scopeText.ts';
import { askReviewed } from '../questions/modal.ts';
import { countText, sizeText } from '../resources/annotationText.ts';
import { fenced, inline } from '../text/contentMarkdown.ts';
import { excerpt, oneLine, quoted } from '../text/labelText.ts';
import { type ResultFile, safeFileName } from '../text/resultFiles.ts';
import type { KeepFile } from '../text/wholeText.ts';

const maxDescription = 600;
const maxFiles = 12;

export function skillDialog(keepFile: KeepFile): SkillPrompt {
  return { confirmSkill: (question, turn) => confirm(question, keepFile, turn) };
}

async function confirm(
  question: SkillQuestion,
  keepFile: KeepFile,
  turn: Turn,
): Promise<SkillAnswer> {
  const { server, skill, scopes } = question;
  const answer = await askReviewed<ApprovalScope | 'later' | 'deny'>(
    {
      message: headline(question),
      lines: detail(question),
      isWarning: question.changes !== undefined,
      isCut: true,
      whole: {
        title: `${oneLine(server.name, 60)}: ${skill.name}`,
        placeHolder: vscode.l10n.t('Nothing has been loaded yet'),
        file: async () => skillFile(server.name, skill, await textOf(question, turn.signal)),
      },
      buttons: [
        { title: vscode.l10n.t('Load'), answer: 'once', commits: true },
        { title: vscode.l10n.t('Later'), answer: 'later' },
        { title: vscode.l10n.t('Deny'), answer: 'deny', isCloseAffordance: true },
      ],
      remember: {
        button: vscode.l10n.t('Load and Remember…'),
        scopes,
        title: vscode.l10n.t('For how long may "{0}" be loaded without this question?', skill.name),
        placeHolder: vscode.l10n.t(
          'With exactly these files. Manage Approvals… takes it back; a change of any file asks again.',
        ),
      },
    },
    keepFile,
    turn,
  );
  return answer === undefined || answer === 'deny' || answer === 'later'
    ? { kind: answer ?? 'deny' }
    : { kind: 'allow', scope: answer };
}

function headline({ server, skill, caller }: SkillQuestion): string {
  const name = oneLine(server.name, 100);
  return caller === 'model'
    ? vscode.l10n.t(
        'The model wants to load instructions of "{0}" into this conversation: the skill "{1}".',
        name,
        skill.name,
      )
    : vscode.l10n.t(
        'Load instructions of "{0}" into this conversation: the skill "{1}"?',
        name,
        skill.name,
      );
}

function detail({ server, skill, changes }: SkillQuestion): readonly string[] {
  const description = excerpt(skill.description, maxDescription, 10).text;
  const claimed = skill.frontmatter['allowed-tools'];
  return [
    ...(changes === undefined ? [] : [...changeLines(skill, changes), '']),
    vscode.l10n.t('Server: {0} ({1})', oneLine(server.name, 100), scopeText(server.scope)),
    vscode.l10n.t('Skill: {0}', oneLine(skill.uri, 200)),
    ...fileLines(skill),
    ...(claimed === undefined
      ? []
      : [
          vscode.l10n.t(
            'It claims tools for itself, which changes nothing: {0}',
            oneLine(JSON.stringify(claimed), 200),
          ),
        ]),
    '',
    vscode.l10n.t('Description by the server:'),
    quoted(description),
    '',
    vscode.l10n.t(
      'The model follows what a skill says as it follows you. While it does, you are asked before each call of an MCP tool.',
    ),
  ];
}

function changeLines({ uri }: Skill, { changed, added, removed }: SkillChanges): readonly string[] {
  const listed = (files: readonly string[]): string =>
    oneLine(files.map((file) => pathInSkill(uri, file) ?? file).join(', '), 400);
  return [
    `⚠ ${vscode.l10n.t('It has changed since you allowed it.')}`,
    ...(changed.length === 0 ? [] : [vscode.l10n.t('Changed: {0}', listed(changed))]),
    ...(added.length === 0 ? [] : [vscode.l10n.t('Added: {0}', listed(added))]),
    ...(removed.length === 0 ? [] : [vscode.l10n.t('Removed: {0}', listed(removed))]),
  ];
}

function fileLines({ uri, resources }: Skill): readonly string[] {
  if (resources === 'dynamic') {
    return [`⚠ ${vscode.l10n.t('Its content is made for each read and cannot be checked.')}`];
  }
  const size = sizeText(resources.reduce((sum, file) => sum + file.size, 0));
  const names = resources.slice(0, maxFiles).map((file) => pathInSkill(uri, file.uri) ?? file.uri);
  const more = resources.length - names.length;
  const rest = more > 0 ? [vscode.l10n.t('and {0} more', countText(more))] : [];
  return [
    resources.length === 1
      ? vscode.l10n.t('1 file, {0}: {1}', size, names.join(', '))
      : vscode.l10n.t(
          '{0} files, {1}: {2}',
          countText(resources.length),
          size,
          oneLine([...names, ...rest].join(', '), 600),
        ),
  ];
}

/** What is wrong stands in place of the text. */
async function textOf({ read }: SkillQuestion, signal: AbortSignal): Promise<string> {
  try {
    return await read(signal);
  } catch (error) {
    return `⚠ ${toError(error).message}`;
  }
}

/** A Markdown document in which the server's text stays data. */
export function skillFile(server: string, skill: Skill, text: string): ResultFile {
  const { uri, name, frontmatter, resources } = skill;
  const lines = [
    `# ${inline(name)}`,
    '',
    `- ${vscode.l10n.t('Server')}: ${inline(server)}`,
    `- URI: ${inline(uri, 2_000)}`,
    '',
    '## SKILL.md',
    '',
    fenced(text),
    '',
    `## ${vscode.l10n.t('Files')}`,
    '',
    ...(resources === 'dynamic'
      ? [vscode.l10n.t('Made for each read: their content cannot be checked.')]
      : resources.map(
          (file) =>
            `- ${inline(pathInSkill(uri, file.uri) ?? file.uri, 2_000)}, ${file.size} B, \`${file.digest}\``,
        )),
    '',
    `## ${vscode.l10n.t('What the server says of it')}`,
    '',
    fenced(JSON.stringify(frontmatter, undefined, 2), 'json'),
    '',
  ];
  return { name: `${safeFileName(name)}-skill.md`, bytes: Buffer.from(lines.join('\n')) };
}
