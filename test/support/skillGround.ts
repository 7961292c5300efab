/** A server of one skill, whose files and entry a test changes, and a user who answers about it. */
import { createHash } from 'node:crypto';
import { Catalog } from '../../src/host/catalog/catalog.ts';
import { QuestionQueue } from '../../src/host/questions/questionQueue.ts';
import {
  type SkillAnswer,
  SkillApprovals,
  type SkillQuestion,
} from '../../src/host/skills/skillApprovals.ts';
import { type SkillServer, Skills } from '../../src/host/skills/skills.ts';
import type { AuditEntry } from '../../src/host/audit/audit.ts';
import { listAll } from '../../src/mcp/client/listing.ts';
import { rpcCodes, RpcError } from '../../src/mcp/errors.ts';
import { FakeMemory } from './fakeApprovals.ts';
import { FakeSession } from './fakeSession.ts';
import { stdioServer } from './serverConfigs.ts';
import { silentLog } from './silentLogs.ts';

export const folder = 'skill://pdf/';
export const skillUri = `${folder}SKILL.md`;
export const frontmatter = { name: 'pdf', description: 'Fills forms' };
const instructions = '---\nname: pdf\ndescription: Fills forms\n---\n\nRead references/FORMS.md.\n';
const extension = 'io.modelcontextprotocol/skills';

export class SkillGround {
  /** By path; what `resources/read` gives. */
  readonly files: Record<string, string> = {
    'SKILL.md': instructions,
    'references/FORMS.md': 'All about forms.\n',
  };
  /** What the lists and `skills/get` give. */
  entry: object;
  isListed = true;
  answer: SkillAnswer = { kind: 'allow', scope: 'once' };
  readonly asked: SkillQuestion[] = [];
  /** What happens while the question is open. */
  onAsked: (question: SkillQuestion) => Promise<void> = async () => undefined;
  readonly audit: AuditEntry[] = [];
  /** The URIs that were read. */
  readonly reads: string[] = [];
  readonly approvals: SkillApprovals;
  readonly skills: Skills;
  readonly session: FakeSession;
  readonly server: SkillServer;
  readonly #catalog = new Catalog({ listAll });

  constructor(memory = new FakeMemory(), globalMemory = new FakeMemory()) {
    this.entry = this.honestEntry();
    this.approvals = new SkillApprovals({
      prompt: {
        confirmSkill: async (question) => {
          this.asked.push(question);
          await this.onAsked(question);
          return this.answer;
        },
      },
      questions: new QuestionQueue(),
      memory,
      globalMemory,
      audit: { record: (entry) => this.audit.push(entry) },
      log: silentLog,
    });
    this.skills = new Skills(this.approvals);
    this.session = new FakeSession(
      { resources: {}, extensions: { [extension]: {} } },
      {
        'skills/list': () => ({ skills: this.isListed ? [this.entry] : [] }),
        'skills/get': ({ uri }) => {
          if (uri !== skillUri) {
            throw new RpcError(rpcCodes.invalidParams, 'No such skill');
          }
          return { skill: this.entry };
        },
        'resources/read': ({ uri }) => {
          this.reads.push(uri);
          return { contents: [{ uri, text: this.files[uri.slice(folder.length)] ?? '' }] };
        },
      },
    );
    const { session } = this;
    this.server = {
      config: stdioServer('docs'),
      catalog: this.#catalog,
      withSession: (use, signal) => use(session, signal),
      output: { log: silentLog },
    };
  }

  /** What the server declares of the extension from now on. */
  capabilities(settings: object): void {
    const { server } = this.session;
    const capabilities = { resources: {}, extensions: { [extension]: settings } };
    this.session.server = { ...server, capabilities };
  }

  /** The entry that fits the files as they are now. */
  honestEntry(): object {
    const resources = Object.entries(this.files).map(([path, text]) => ({
      uri: folder + path,
      digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
      size: Buffer.byteLength(text),
    }));
    return { uri: skillUri, frontmatter, resources };
  }

  /** The server connects, or lists again. */
  async list(): Promise<void> {
    this.#catalog.attach(this.session, new AbortController().signal);
    await this.#catalog.whenLoaded();
  }
}
