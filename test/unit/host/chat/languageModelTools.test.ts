import assert from 'node:assert/strict';
import { LanguageModelTools } from '../../../../src/host/chat/languageModelTools.ts';
import type { ModelPart } from '../../../../src/host/models/model.ts';
import type { Tool } from '../../../../src/mcp/types/lists.ts';
import { McpError } from '../../../../src/mcp/errors.ts';
import { Skills } from '../../../../src/host/skills/skills.ts';
import { createSchemaChecker } from '../../../../src/entries/schemas.ts';
import { FakeAgentServer } from '../../../support/fakeAgent.ts';
import { FakeApprovals } from '../../../support/fakeApprovals.ts';

const skills = new Skills({ isAllowed: async () => true });
const checker = createSchemaChecker();
const never = { signal: new AbortController().signal };
const createIssue: Tool = {
  name: 'create_issue',
  description: 'Creates an issue',
  inputSchema: {
    type: 'object',
    properties: { title: { type: 'string' } },
    required: ['title'],
  },
};

class Setup {
  readonly approvals = new FakeApprovals();
  readonly servers: FakeAgentServer[];
  readonly off = new Set<string>();
  readonly actingInEditor = new Set<string>();
  readonly tools: LanguageModelTools;

  constructor(...servers: FakeAgentServer[]) {
    this.servers = servers;
    this.tools = new LanguageModelTools({
      servers: () => this.servers,
      isOffered: ({ bridge }) => bridge,
      selection: { isOn: ({ tool }) => !this.off.has(tool) },
      approvals: this.approvals.approvals,
      checker: () => checker,
      skills,
      actingInEditor: this.actingInEditor,
      callServices: () => ({}),
    });
  }
}

function tracker(): FakeAgentServer {
  return new FakeAgentServer('tracker', [createIssue, 'list_users']);
}

function withLongSchema(name: string): Tool {
  const property = { type: 'string', description: 'A long description of this property' };
  const properties = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`property${index}`, property]),
  );
  return { name, inputSchema: { type: 'object', properties } };
}

function textOf(parts: readonly ModelPart[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : `<${part.kind}>`)).join('\n');
}

function jsonOf(parts: readonly ModelPart[]): unknown {
  return JSON.parse(textOf(parts));
}

describe('language model tools', () => {
  describe('mcp_find_tools', () => {
    it('tells what fits the words, with the schema of a tool', async () => {
      const server = tracker();
      server.prompts = [{ name: 'triage', description: 'Sort an issue', arguments: [] }];
      server.resourceList = [{ uri: 'issue://1', name: 'Issue 1' }];
      const { tools } = new Setup(server, new FakeAgentServer('weather', ['forecast']));
      assert.deepEqual(jsonOf(await tools.find({ query: 'create an issue' }, never)), {
        tools: [
          {
            server: 'tracker',
            tool: 'create_issue',
            description: 'Creates an issue',
            inputSchema: createIssue.inputSchema,
          },
        ],
        prompts: [
          { server: 'tracker', prompt: 'triage', description: 'Sort an issue', arguments: [] },
        ],
        resources: [{ server: 'tracker', uri: 'issue://1', name: 'Issue 1' }],
      });
    });

    it('counts what each server offers when nothing is asked', async () => {
      const { tools } = new Setup(tracker());
      assert.deepEqual(jsonOf(await tools.find({}, never)), {
        servers: [{ server: 'tracker', tools: 2, prompts: 0, resources: 0 }],
        hint: 'Search with "query", or "server" for all of one.',
      });
    });

    it('lists one server, whatever the case of its name', async () => {
      const { tools } = new Setup(tracker(), new FakeAgentServer('weather', ['forecast']));
      const answer = textOf(await tools.find({ server: 'Weather' }, never));
      assert.match(answer, /forecast/);
      assert.doesNotMatch(answer, /create_issue/);
    });

    it('says what there is in place of what there is not', async () => {
      const { tools, servers } = new Setup(tracker());
      assert.match(textOf(await tools.find({ query: 'volcano' }, never)), /Nothing fits/);
      assert.match(
        textOf(await tools.find({ server: 'x' }, never)),
        /No MCP server "x" is running. These are: "tracker"/,
      );
      servers.length = 0;
      assert.match(textOf(await tools.find({}, never)), /No MCP server is running/);
    });

    it('tells servers of the same name apart by their ids', async () => {
      const folder = { kind: 'folder', uri: 'file:///b', name: 'b' } as const;
      const { tools } = new Setup(
        tracker(),
        new FakeAgentServer('tracker', ['x'], { scope: folder }),
      );
      const answer = textOf(await tools.find({}, never));
      assert.match(answer, /"user\/tracker"/);
      assert.match(answer, /"folder:file:\/\/\/b\/tracker"/);
    });

    it('leaves schemas out rather than grow over what the model has room for', async () => {
      const { tools } = new Setup(
        new FakeAgentServer('big', [withLongSchema('one'), withLongSchema('two')]),
      );
      const answer = textOf(await tools.find({ server: 'big' }, { ...never, tokenBudget: 1_000 }));
      assert.match(answer, /"tool":"one","description":"","inputSchema":\{/);
      assert.match(answer, /"tool":"two","description":"","inputSchema":"left out/);
    });

    it('leaves out a prompt that says more than there is room for', async () => {
      const server = tracker();
      const names = Array.from({ length: 20_000 }, (_, index) => ({ name: `argument ${index}` }));
      server.prompts = [{ name: 'vast', arguments: names }, { name: 'small' }];
      const answer = textOf(await new Setup(server).tools.find({ server: 'tracker' }, never));
      assert.ok(answer.length < 10_000);
      assert.match(answer, /"prompt":"small"/);
    });

    it('leaves out, and does not start, what the user does not offer to the editor’s chat', async () => {
      const own = new FakeAgentServer('own', ['x'], { startup: 'onDemand', bridge: false });
      own.state = { kind: 'stopped' };
      const { tools } = new Setup(own, tracker());
      assert.doesNotMatch(textOf(await tools.find({}, never)), /"own"/);
      assert.match(textOf(await tools.call({ server: 'own', tool: 'x' }, never)), /No MCP server/);
      assert.equal(own.starts, 0);
    });

    it('starts the servers that run on demand', async () => {
      const lazy = new FakeAgentServer('lazy', ['nap'], { startup: 'onDemand' });
      lazy.state = { kind: 'stopped' };
      const { tools } = new Setup(lazy);
      assert.match(textOf(await tools.find({ query: 'nap' }, never)), /"nap"/);
      assert.equal(lazy.starts, 1);
    });
  });

  describe('mcp_call_tool', () => {
    const input = { title: 'It rains' };

    it('HOST-06: runs a tool after the same approval as any call of a model', async () => {
      const server = tracker();
      const { tools, approvals } = new Setup(server);
      const parts = await tools.call({ server: 'tracker', tool: 'create_issue', input }, never);
      assert.deepEqual(parts, [{ kind: 'text', text: 'done' }]);
      assert.deepEqual(server.called, [{ name: 'create_issue', input }]);
      const [question] = approvals.asked;
      assert.deepEqual(
        [question?.server.name, question?.tool.name, question?.input, question?.caller],
        ['tracker', 'create_issue', input, 'model'],
      );
    });

    it('SKL-53: asks about each call once a skill was loaded: nobody says in which conversation', async () => {
      const server = tracker();
      const uri = 'skill://pdf/SKILL.md';
      const frontmatter = { name: 'pdf', description: 'Fills forms' };
      server.skills = [{ uri, ...frontmatter, frontmatter, resources: 'dynamic' }];
      const text = '---\nname: pdf\ndescription: Fills forms\n---\nBody';
      server.session.answers['resources/read'] = () => ({ contents: [{ uri, text }] });
      const { tools, approvals } = new Setup(server);
      approvals.answer = ({ input: shown }) => ({ kind: 'allow', input: shown, scope: 'session' });
      const call = (): Promise<unknown> =>
        tools.call({ server: 'tracker', tool: 'create_issue', input }, never);
      await call();
      await call();
      assert.match(textOf(await tools.loadSkill({ skill: 'tracker.pdf' }, never)), /Body/u);
      await call();
      assert.deepEqual(
        approvals.asked.map(({ skills: acting }) => acting),
        [[], ['tracker.pdf']],
      );
    });

    it('says why a tool cannot be called', async () => {
      const setup = new Setup(tracker());
      setup.off.add('create_issue');
      const call = async (tool: string, server = 'tracker'): Promise<string> =>
        textOf(await setup.tools.call({ server, tool }, never));
      assert.match(await call('create_issue'), /the user has switched it off/);
      assert.match(await call('creat_issue'), /does not exist. mcp_find_tools/);
      assert.match(await call('create_issue', 'trakcer'), /No MCP server "trakcer" is running/);
    });
  });

  describe('mcp_read_resource', () => {
    it('gives what is in a resource', async () => {
      const server = tracker();
      server.contents = [{ kind: 'text', uri: 'issue://1', text: 'It rains' }];
      const { tools } = new Setup(server);
      const parts = await tools.readResource({ server: 'tracker', uri: 'issue://1' }, never);
      assert.deepEqual(parts, [{ kind: 'text', text: 'It rains' }]);
      assert.deepEqual(server.read, ['issue://1']);
    });

    it('RES-09: gives nothing of a resource that is for the user alone', async () => {
      const server = tracker();
      server.resourceList = [
        { uri: 'issue://1', name: 'Issue 1', annotations: { audience: ['user'] } },
      ];
      const { tools } = new Setup(server);
      const parts = await tools.readResource({ server: 'tracker', uri: 'issue://1' }, never);
      assert.match(textOf(parts), /to the user only/);
      assert.deepEqual(server.read, []);
    });

    it('tells the model of a failure in words', async () => {
      const server = tracker();
      server.resources.read = async () => {
        throw new McpError('closed', 'The server "tracker" does not run');
      };
      const { tools } = new Setup(server);
      assert.match(
        textOf(await tools.readResource({ server: 'tracker', uri: 'x:' }, never)),
        /does not run/,
      );
    });
  });

  describe('mcp_get_prompt', () => {
    it('gives the messages with their roles', async () => {
      const server = tracker();
      server.prompts = [{ name: 'triage', arguments: [{ name: 'id', required: true }] }];
      server.session.answers['prompts/get'] = ({ arguments: args }) => ({
        description: 'Sorts',
        messages: [
          { role: 'user', content: { type: 'text', text: `Look at ${args?.['id']}` } },
          { role: 'assistant', content: { type: 'image', data: 'AQ==', mimeType: 'image/png' } },
        ],
      });
      const { tools } = new Setup(server);
      const prompt = { server: 'tracker', prompt: 'triage' };
      assert.equal(
        textOf(await tools.getPrompt({ ...prompt, arguments: { id: '7' } }, never)),
        'Description: Sorts\nuser: Look at 7\nassistant:\n<data>',
      );
      assert.match(textOf(await tools.getPrompt(prompt, never)), /needs a value for: id/);
      assert.match(
        textOf(await tools.getPrompt({ ...prompt, prompt: 'x' }, never)),
        /has no prompt "x"/,
      );
    });
  });
});
