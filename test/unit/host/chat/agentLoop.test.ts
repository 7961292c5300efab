import assert from 'node:assert/strict';
import type { AgentEvent, CallEnd } from '../../../../src/host/chat/agentEvents.ts';
import { type AgentEnd, agentLimits, runAgent } from '../../../../src/host/chat/agentLoop.ts';
import type { Turn } from '../../../../src/host/chat/modelContext.ts';
import type { Summary } from '../../../../src/host/chat/summary.ts';
import type { ToolSelection } from '../../../../src/host/chat/toolSelection.ts';
import type { EditorTool, EditorTools } from '../../../../src/host/chat/editorTools.ts';
import type { ModelMessage, ModelPart } from '../../../../src/host/models/model.ts';
import type { ResourceAddress } from '../../../../src/host/resources/resourceAddress.ts';
import { isCancelled, McpError, RpcError } from '../../../../src/mcp/errors.ts';
import type { Tool } from '../../../../src/mcp/types/lists.ts';
import { Skills } from '../../../../src/host/skills/skills.ts';
import { createSchemaChecker } from '../../../../src/entries/schemas.ts';
import { deferred } from '../../../support/deferred.ts';
import { calls, FakeAgentServer, FakeModel, says } from '../../../support/fakeAgent.ts';
import { FakeApprovals } from '../../../support/fakeApprovals.ts';
import { untilAborted } from '../../../support/fakeSession.ts';
import { turns, waitUntil } from '../../../support/waitUntil.ts';

const noSkills = new Skills({ isAllowed: async () => false });
const checker = createSchemaChecker();
const echo: Tool = {
  name: 'echo',
  inputSchema: {
    type: 'object',
    properties: { message: { type: 'string' } },
    required: ['message'],
  },
};

type Event = AgentEvent;

class Run {
  readonly events: Event[] = [];
  readonly approvals = new FakeApprovals();
  readonly controller = new AbortController();
  model: FakeModel;
  servers: readonly FakeAgentServer[];
  maxTools = 128;
  history: readonly Turn[] = [];
  summary: Summary | undefined;
  links: readonly ResourceAddress[] = [];
  /** With the question, after it. */
  messages: readonly ModelMessage[] = [];
  skills = noSkills;
  isOn: ToolSelection['isOn'] = () => true;
  editorTools: EditorTools = { all: () => [], call: () => assert.fail('no tool of the editor') };

  constructor(model: FakeModel, ...servers: readonly FakeAgentServer[]) {
    this.model = model;
    this.servers = servers;
  }

  go(question = 'Please'): Promise<AgentEnd> {
    return runAgent({
      model: this.model,
      servers: () => this.servers,
      selection: { isOn: this.isOn },
      approvals: this.approvals.approvals,
      checker: () => checker,
      callServices: () => ({}),
      skills: this.skills,
      editorTools: this.editorTools,
      maxTools: this.maxTools,
      apps: [],
      history: this.history,
      summary: this.summary,
      links: this.links,
      messages: [{ role: 'user', parts: says(question) }, ...this.messages],
      emit: (event) => this.events.push(event),
      signal: this.controller.signal,
    });
  }

  get kinds(): readonly string[] {
    return this.events.map(({ kind }) => kind);
  }

  /** The parts of the newest tool result that the model got. */
  get fed(): readonly ModelPart[] {
    const part = this.model.requests
      .at(-1)
      ?.messages.flatMap(({ parts }) => parts)
      .findLast(({ kind }) => kind === 'toolResult');
    return part?.kind === 'toolResult' ? part.parts : [];
  }

  get fedText(): string {
    return this.fed.map((part) => (part.kind === 'text' ? part.text : `<${part.kind}>`)).join('\n');
  }

  get ends(): readonly CallEnd['kind'][] {
    return this.events.flatMap((event) => (event.kind === 'callEnded' ? [event.end.kind] : []));
  }

  /** The names of the tools that each request offered. */
  get offered(): readonly (readonly string[])[] {
    return this.model.requests.map(({ tools }) => tools.map(({ name }) => name));
  }
}

const hi = { message: 'hi' };

/** What user and server do. */
interface Play {
  readonly answer?: FakeApprovals['answer'];
  readonly onCall?: FakeAgentServer['onCall'];
}

const deny: Play = { answer: () => ({ kind: 'deny' }) };

function edit(message: unknown): Play {
  return { answer: () => ({ kind: 'allow', input: { message }, scope: 'once' }) };
}

function fail(error: Error): Play {
  return {
    onCall: () => {
      throw error;
    },
  };
}

/** A model that makes one call, or what it says then. */
function echoRun(...replies: readonly (readonly ModelPart[])[]) {
  const server = new FakeAgentServer('notes', [echo]);
  const model = new FakeModel(
    replies.length === 0 ? [[calls('notes_echo', hi)], says('Done')] : replies,
  );
  return { run: new Run(model, server), server };
}

describe('runAgent', () => {
  it('HOST-09, TOOL-04, TOOL-07, VSC-24: calls by exact name on the right server, tells its progress, feeds the result back', async () => {
    const a = new FakeAgentServer('a', ['go']);
    const b = new FakeAgentServer('b', ['go']);
    b.onCall = (_call, options) => {
      options?.onProgress?.({ progress: 1, total: 2 });
      return { content: [{ type: 'text', text: 'done' }] };
    };
    const run = new Run(new FakeModel([[calls('b_go', hi)], says('Done')]), a, b);
    const end = await run.go();
    assert.deepEqual(run.offered[0], ['a_go', 'b_go']);
    assert.deepEqual([a.called, b.called], [[], [{ name: 'go', input: hi }]]);
    assert.deepEqual(run.kinds, [
      'callRequested',
      'callStarted',
      'callProgress',
      'callEnded',
      'text',
    ]);
    assert.equal(run.fedText, 'done');
    assert.deepEqual(
      end.transcript.map(({ role }) => role),
      ['assistant', 'user', 'assistant'],
    );
    assert.deepEqual([end.kind, end.used], ['answered', [b]]);
  });

  const content = [{ type: 'text', text: 'no paper' }] as const;
  const report: Play = { onCall: () => ({ content, isError: true }) };
  const edited = { message: 'edited' };
  const refused = new RpcError(-32602, 'unknown tool');
  for (const [what, { answer, onCall }, sent, end, fed] of [
    ['TOOL-05: refused by the user', deny, [], 'denied', /did not allow/u],
    ['HOST-11: edited', edit('edited'), [edited], 'result', /input to \{"message":"edited"\}/u],
    ['edited to what does not fit', edit(7), [], 'invalidInput', /does not fit/u],
    ['TOOL-13: an error of the tool', report, [hi], 'result', /reports an error:\nno paper/u],
    ['TOOL-14: an error of the protocol', fail(refused), [hi], 'failed', /: unknown tool\.$/u],
    ...(['timeout', 'closed', 'cancelled'] as const).map((code) => {
      const play = fail(new McpError(code, 'gone'));
      return [`its outcome unknown: ${code}`, play, [hi], 'failed', /unknown whether/u] as const;
    }),
  ] as const) {
    it(`${what}: the call is made once at most, and the model is told`, async () => {
      const { run, server } = echoRun();
      run.approvals.answer = answer ?? run.approvals.answer;
      server.onCall = onCall ?? server.onCall;
      await run.go();
      const inputs = server.called.map(({ input }) => input);
      assert.deepEqual([inputs, run.ends], [sent, [end]]);
      assert.match(run.fedText, fed);
    });
  }

  it('TOOL-04: an input that does not fit is given back without a question', async () => {
    const { run, server } = echoRun([calls('notes_echo', {})], says('Done'));
    await run.go();
    assert.deepEqual([run.approvals.asked, server.called], [[], []]);
    assert.match(run.fedText, /required property 'message'/u);
    assert.deepEqual(run.ends, ['invalidInput']);
  });

  describe('several calls of one answer', () => {
    const all = ['1', '2', '3'].map((message) => calls('notes_echo', { message }));

    it('run side by side after one question, and are answered in the order of the calls', async () => {
      const { run, server } = echoRun(all, says('Done'));
      const ends = all.map(() => deferred<void>());
      server.onCall = async ({ input }) => {
        await ends[server.called.length - 1]?.promise;
        return { content: [{ type: 'text', text: JSON.stringify(input) }] };
      };
      const going = run.go();
      await waitUntil('all to run', () => server.called.length === 3);
      for (const end of ends.toReversed()) {
        end.resolve();
        await turns();
      }
      const { transcript } = await going;
      assert.deepEqual(
        run.approvals.askedJointly.map((questions) => questions.map(({ input }) => input)),
        [[{ message: '1' }, { message: '2' }, { message: '3' }]],
      );
      assert.deepEqual(run.approvals.asked, []);
      assert.deepEqual(
        run.events.flatMap((event) =>
          event.kind === 'callEnded' && event.end.kind === 'result' ? [event.input['message']] : [],
        ),
        ['3', '2', '1'],
      );
      assert.deepEqual(
        transcript[1]?.parts.map(
          (part) => part.kind === 'toolResult' && [part.callId, part.parts[0]],
        ),
        all.map(
          (part, index) =>
            part.kind === 'toolCall' && [
              part.callId,
              { kind: 'text', text: `{"message":"${index + 1}"}` },
            ],
        ),
      );
    });

    it('one that fails, and one with a wrong input, do not stop the others', async () => {
      const wrong = calls('notes_echo', { message: 4 });
      const { run, server } = echoRun([wrong, ...all], says('Done'));
      server.onCall = ({ input }) => {
        if (JSON.stringify(input).includes('1')) {
          throw new McpError('closed', 'gone');
        }
        return { content: [] };
      };
      await run.go();
      assert.deepEqual(run.ends.toSorted(), ['failed', 'invalidInput', 'result', 'result']);
      assert.equal(run.approvals.askedJointly[0]?.length, 3);
      assert.equal(server.called.length, 3);
    });

    it('VSC-20: a stop cancels all that run', async () => {
      const { run, server } = echoRun(all);
      let cancelled = 0;
      server.onCall = async (_call, options) => {
        options?.signal?.addEventListener('abort', () => {
          cancelled += 1;
        });
        return untilAborted(options?.signal);
      };
      const going = run.go();
      await waitUntil('all to run', () => server.called.length === 3);
      run.controller.abort(new McpError('cancelled', 'stopped'));
      await assert.rejects(going, isCancelled);
      assert.deepEqual([cancelled, run.model.requests.length], [3, 1]);
    });

    it('TRAP-52: a stop while the question is open sends none', async () => {
      const { run, server } = echoRun(all);
      run.approvals.answerJointly = (_questions, signal) => untilAborted(signal);
      const going = run.go();
      await waitUntil('the question', () => run.approvals.askedJointly.length === 1);
      run.controller.abort(new McpError('cancelled', 'stopped'));
      await assert.rejects(going, isCancelled);
      assert.deepEqual(server.called, []);
    });
  });

  it('a round limit ends what would go on for ever, and says so', async () => {
    const { run, server } = echoRun([calls('notes_echo', { message: 'again' })]);
    const end = await run.go();
    assert.equal(end.kind, 'roundLimit');
    assert.equal(run.model.requests.length, agentLimits.maxRounds);
    assert.equal(server.called.length, agentLimits.maxRounds);
  });

  it('VSC-20, VSC-24: a stop cancels the call that is under way and asks nothing more', async () => {
    const { run, server } = echoRun();
    let wasCancelled = false;
    server.onCall = async (_call, options) => {
      options?.signal?.addEventListener('abort', () => {
        wasCancelled = true;
      });
      return untilAborted(options?.signal);
    };
    const going = run.go();
    await waitUntil('the call', () => server.called.length === 1);
    run.controller.abort(new McpError('cancelled', 'stopped'));
    await assert.rejects(going, isCancelled);
    assert.equal(wasCancelled, true);
    assert.equal(run.model.requests.length, 1);
  });

  it('VSC-20: what a model says after a stop is not told, and its end is no answer', async () => {
    for (const late of [['late'], []]) {
      const run = new Run(new FakeModel([]));
      const { controller } = run;
      const send = async function* (): AsyncIterable<ModelPart> {
        yield* says('early');
        controller.abort(new McpError('cancelled', 'stopped'));
        yield* late.flatMap(says);
      };
      run.model = Object.assign(run.model, { send });
      await assert.rejects(run.go(), isCancelled);
      assert.deepEqual(
        run.events.filter(({ kind }) => kind === 'text'),
        [{ kind: 'text', text: 'early' }],
      );
    }
  });

  it('TRAP-52: a stop while the question is open sends nothing at all', async () => {
    const { run, server } = echoRun();
    run.approvals.answer = (_question, signal) => untilAborted(signal);
    const going = run.go();
    await waitUntil('the question', () => run.approvals.asked.length === 1);
    run.controller.abort(new McpError('cancelled', 'stopped'));
    await assert.rejects(going, isCancelled);
    assert.deepEqual(server.called, []);
  });

  it('TOOL-01, VSC-27, SEC-13: a change that a call announced is waited for, told, and in the next request', async () => {
    const { run, server } = echoRun();
    const fetched = deferred<void>();
    server.onCall = () => {
      server.settled = fetched.promise;
      return { content: [] };
    };
    const going = run.go();
    await waitUntil('the call', () => server.called.length === 1);
    await turns();
    assert.equal(run.model.requests.length, 1);
    server.tools = [...server.tools, { name: 'later', inputSchema: {} }];
    fetched.resolve();
    await going;
    assert.deepEqual(run.offered, [['notes_echo'], ['notes_echo', 'notes_later']]);
    const added = run.events.flatMap((event) => (event.kind === 'toolsAdded' ? event.tools : []));
    assert.deepEqual(
      added.map(({ tool }) => tool.name),
      ['later'],
    );
  });

  it('a tool that is gone when it is called is answered as missing', async () => {
    const { run, server } = echoRun(
      [calls('notes_echo', hi)],
      [calls('notes_echo', hi)],
      says('Done'),
    );
    server.onCall = () => {
      server.tools = [];
      return { content: [] };
    };
    await run.go();
    assert.match(run.fedText, /no tool with the name "notes_echo"/u);
    assert.equal(server.called.length, 1);
  });

  it('passes the instructions of servers on, marked as theirs and capped', async () => {
    const { run, server } = echoRun();
    server.instructions = `Use echo.${'x'.repeat(5_000)}`;
    await run.go();
    const [first] = run.model.requests[0]?.messages[0]?.parts ?? [];
    assert.ok(first?.kind === 'text');
    assert.match(first.text, /"notes" \(cut\): "Use echo\.x+"/u);
    assert.ok(first.text.length < 3_000);
  });

  it('images go to the model, and are left out for one that refuses them', async () => {
    const data = Buffer.from('png').toString('base64');
    const image = { type: 'image', data, mimeType: 'image/png' } as const;
    const { run, server } = echoRun();
    server.onCall = () => ({ content: [image] });
    await run.go();
    assert.equal(run.fedText, '<data>');

    const blind = new FakeModel([
      [calls('notes_echo', { message: 'hi' })],
      () => {
        throw new McpError('unsupported', 'no images');
      },
      says('Done'),
    ]);
    const second = new Run(blind, server);
    await second.go();
    assert.match(second.fedText, /cannot see/u);
    assert.ok(second.kinds.includes('imagesLeftOut'));
  });

  it('TOOL-10, VSC-25: a linked resource can be read, any other cannot', async () => {
    const { run, server } = echoRun(
      [calls('notes_echo', hi)],
      [calls('read_resource', { uri: 'demo://secret' })],
      [calls('read_resource', { uri: 'demo://1' })],
      says('Done'),
    );
    const long = `demo://${'x'.repeat(2_000)}`;
    server.onCall = () => ({
      content: [
        { type: 'resource_link', uri: 'demo://1', name: 'one', mimeType: 'text/plain' },
        { type: 'resource_link', uri: long, name: 'long' },
      ],
    });
    server.contents = [{ kind: 'text', uri: 'demo://1', text: 'contents of one' }];
    const { links } = await run.go();
    assert.deepEqual(server.read, ['demo://1']);
    const results = run.model.requests
      .at(-1)
      ?.messages.flatMap(({ parts }) => parts)
      .filter((part) => part.kind === 'toolResult');
    assert.match(JSON.stringify(results?.[0]), /demo:\/\/1 \(one, text\/plain\)/u);
    assert.match(JSON.stringify(results?.[1]), /cannot be read/u);
    assert.match(JSON.stringify(results?.[2]), /contents of one/u);
    assert.equal(run.kinds.filter((kind) => kind === 'resourceRead').length, 1);
    assert.deepEqual(run.offered[0], ['notes_echo']);
    assert.deepEqual(links, [{ serverId: server.id, uri: 'demo://1' }]);
    const next = new Run(
      new FakeModel([[calls('read_resource', { uri: 'demo://1' })], says('Done')]),
      server,
    );
    next.links = [...links, { serverId: 'user/gone', uri: 'demo://2' }];
    assert.deepEqual((await next.go()).links, links);
    assert.deepEqual(server.read, ['demo://1', 'demo://1']);
  });

  it('HOST-12 (2026): beyond the limit of tools, it offers those that fit the question, and a search for others', async () => {
    const tools = Array.from({ length: 300 }, (_, n): Tool => ({
      name: `tool_${n}`,
      description: `does ${n}`,
      inputSchema: {},
    }));
    const weather: Tool = { name: 'getWeather', description: 'forecasts', inputSchema: {} };
    const mail: Tool = { name: 'send_mail', inputSchema: {} };
    const server = new FakeAgentServer('big', [...tools, weather, mail]);
    const run = new Run(
      new FakeModel([
        [calls('find_tools', { query: 'mails' })],
        [calls('big_send_mail')],
        says('Done'),
      ]),
      server,
    );
    run.maxTools = 20;
    await run.go('What is the weather?');
    assert.deepEqual(run.offered[0], ['find_tools', 'big_getWeather']);
    assert.deepEqual(run.offered[1], ['find_tools', 'big_getWeather', 'big_send_mail']);
    assert.deepEqual(server.called, [{ name: 'send_mail', input: {} }]);
    assert.ok(run.kinds.includes('toolsFound'));
    const told = run.events.filter((event) => event.kind === 'toolsOverLimit');
    assert.deepEqual(
      told.map(({ count, limit, leftOut }) => [count, limit, leftOut.length]),
      [[tools.length + 2, 20, tools.length + 1]],
    );
    assert.ok(told[0]?.leftOut.some(({ tool }) => tool.name === 'send_mail'));
  });

  describe('with a skill', () => {
    const skillUri = 'skill://pdf/SKILL.md';
    const frontmatter = { name: 'pdf', description: 'Fills forms' };
    const load = calls('load_skill', { skill: 'docs.pdf' });
    const readsSkill = {
      uri: skillUri,
      text: '---\nname: pdf\ndescription: Fills forms\n---\nBody',
    };

    function skilled(...replies: ConstructorParameters<typeof FakeModel>[0]): Run {
      const server = new FakeAgentServer('docs', [echo]);
      server.skills = [{ uri: skillUri, ...frontmatter, frontmatter, resources: 'dynamic' }];
      server.session.answers['resources/read'] = () => ({ contents: [readsSkill] });
      const run = new Run(new FakeModel(replies), server);
      run.skills = new Skills({ isAllowed: async () => true });
      run.approvals.answer = ({ input }) => ({ kind: 'allow', input, scope: 'session' });
      return run;
    }

    it('SKL-30, SKL-32: the model is told of it, loads it, and follows it', async () => {
      const run = skilled([load], says('I will fill it'));
      const { used } = await run.go();
      assert.deepEqual(run.offered[0], ['load_skill', 'docs_echo']);
      assert.match(run.fedText, /text of the MCP server "docs"[\s\S]*\nBody\n/u);
      assert.deepEqual(run.kinds, ['skillUsed', 'text']);
      assert.deepEqual(
        used.map(({ config }) => config.name),
        ['docs'],
      );
    });

    it('SKL-52, SKL-53, SKL-54: each call is asked about while it acts, also in later turns', async () => {
      const call = calls('docs_echo', hi);
      const run = skilled([call], [call], [load], [call], [call], says('done'));
      const { transcript } = await run.go();
      const acting = run.approvals.asked.map(({ skills }) => skills);
      assert.deepEqual(acting, [[], ['docs.pdf'], ['docs.pdf']]);
      const later = skilled([call], says('done'));
      later.history = [transcript];
      await later.go();
      assert.deepEqual(later.approvals.asked[0]?.scopes, []);
    });

    it('SKL-38, SKL-53: one that the user has loaded with the question acts in its answer', async () => {
      const call = calls('docs_echo', hi);
      const run = skilled([call], says('done'));
      await run.go();
      assert.ok(load.kind === 'toolCall');
      const result = { kind: 'toolResult', callId: load.callId, parts: [] } as const;
      run.messages = [
        { role: 'assistant', parts: [load] },
        { role: 'user', parts: [result] },
      ];
      run.model = new FakeModel([[call], says('done')]);
      await run.go();
      assert.deepEqual(
        run.approvals.asked.map(({ skills }) => skills),
        [[], ['docs.pdf']],
      );
    });

    it('SKL-53: one that was refused, or that there is not, acts in no later turn', async () => {
      const run = skilled([load, calls('load_skill', { skill: 'docs.none' })], says('no skill'));
      run.skills = new Skills({ isAllowed: async () => false });
      const { transcript } = await run.go();
      const later = skilled([calls('docs_echo', hi)], says('done'));
      later.history = [transcript];
      await later.go();
      assert.deepEqual(later.approvals.asked[0]?.skills, []);
    });

    it('SKL-53: what is called in the same answer is asked about as well, whatever was allowed before', async () => {
      const call = calls('docs_echo', hi);
      const run = skilled([call], [call, load, calls('docs_echo', hi)], says('done'));
      await run.go();
      assert.deepEqual(
        run.approvals.askedJointly.map((questions) => questions.map(({ skills }) => skills)),
        [[['docs.pdf'], ['docs.pdf']]],
      );
    });

    it('SKL-53: a tool of the editor, which nobody may be asked about, is not called', async () => {
      const run = skilled([calls('look')], [load, calls('look')], says('done'));
      let count = 0;
      run.editorTools = {
        all: () => [editorTool('look')],
        call: async () => {
          count += 1;
          return says('seen');
        },
      };
      await run.go();
      assert.equal(count, 1, 'before the skill acts');
      assert.match(run.fedText, /tools of the editor are not called/u);
    });

    it('SKL-55: it reads no resource of another server', async () => {
      const other = new FakeAgentServer('notes', ['find']);
      const uri = 'n:1';
      other.onCall = () => ({ content: [{ type: 'resource_link', uri, name: 'one' }] });
      other.contents = [{ uri, kind: 'text', text: 'private' }];
      const read = calls('read_resource', { uri });
      const run = skilled([calls('notes_find')], [read], [load], [read], says('done'));
      run.servers = [...run.servers, other];
      await run.go();
      assert.deepEqual(other.read, [uri]);
      assert.match(run.fedText, /While the skill docs\.pdf acts/u);
    });
  });

  it('with little room, a search offers what fits best, and promises no more than it offers', async () => {
    const others = Array.from({ length: 20 }, (_, n): Tool => ({
      name: `number_${n}`,
      inputSchema: {},
    }));
    const wanted: Tool = { name: 'number_square', description: 'root', inputSchema: {} };
    const server = new FakeAgentServer('big', [...others, wanted]);
    const find = [calls('find_tools', { query: 'number square root' })];
    const run = new Run(new FakeModel([find, says('Done')]), server);
    run.maxTools = 4;
    await run.go('please');
    const [, second] = run.offered;
    assert.deepEqual(second?.slice(0, 2), ['find_tools', 'big_number_square']);
    assert.equal(second?.length, 4, 'never more than the limit');
    const promised = run.fedText.match(/big_number_\w+/gu) ?? [];
    assert.deepEqual(promised.toSorted(), second?.slice(1).toSorted());
  });

  it('VSC-27: beyond the limit, a tool that comes while it runs is offered at once', async () => {
    const server = new FakeAgentServer(
      'big',
      Array.from({ length: 20 }, (_, n) => `tool_${n}`),
    );
    server.onCall = () => {
      server.tools = [...server.tools, { name: 'later', inputSchema: {} }];
      return { content: [] };
    };
    const run = new Run(new FakeModel([[calls('big_tool_1')], says('Done')]), server);
    run.maxTools = 4;
    await run.go('please');
    assert.deepEqual(run.offered.at(-1), ['find_tools', 'big_tool_1', 'big_later']);
  });

  describe('with a conversation that is too long for the model', () => {
    const longTurns: readonly Turn[] = Array.from({ length: 20 }, (_, n) => [
      { role: 'user', parts: says(`${n}. ${'x'.repeat(10_000)}`) },
      { role: 'assistant', parts: says(`Yes ${'y'.repeat(10_000)}`) },
    ]);

    it('has the model summarize the oldest turns, and goes on with that', async () => {
      const run = new Run(new FakeModel([says('They agreed on x'), says('Done')]));
      run.history = longTurns;
      const { summary } = await run.go();
      const [asked, answered, ...more] = run.model.requests.map(({ messages }) => messages);
      assert.equal(more.length, 0);
      assert.match(
        JSON.stringify(asked),
        /Summarize the conversation below.*User: 0\. x.*Model: Yes/u,
      );
      assert.ok(JSON.stringify(asked).length < 80_000);
      assert.match(JSON.stringify(answered?.[1]), /Summary of the conversation.*They agreed on x/u);
      const count = summary?.turns ?? 0;
      assert.ok(count >= 15 && count < 20, `${count} turns`);
      assert.match(JSON.stringify(answered?.[2]), new RegExp(`"${count}\\. x`, 'u'));
      assert.deepEqual(run.kinds, ['summarizing', 'summarized', 'text']);
    });

    it('keeps the beginning of a summary that is too long', async () => {
      const run = new Run(new FakeModel([says('z'.repeat(9_000)), says('Done')]));
      run.history = longTurns;
      assert.equal((await run.go()).summary?.text.length, 8_000);
    });

    it('uses the summary of before, and has it written anew when it is too long again', async () => {
      const before = { text: 'Earlier words', turns: 17 };
      const run = new Run(new FakeModel([says('Done')]));
      run.history = longTurns;
      run.summary = before;
      assert.equal((await run.go()).summary, before);
      assert.deepEqual(run.kinds, ['text']);
      const next = new Run(new FakeModel([says('All words'), says('Done')]));
      next.history = [...longTurns, ...longTurns];
      next.summary = before;
      const { summary } = await next.go();
      assert.match(JSON.stringify(next.model.requests[0]), /came before: Earlier words/u);
      assert.ok(summary !== undefined && summary.turns > 30 && summary.text === 'All words');
    });

    it('leaves out old turns when the model cannot do that, and says so', async () => {
      const model = new FakeModel([
        () => {
          throw new McpError('unsupported', 'too long');
        },
        says('Done'),
      ]);
      const run = new Run(model);
      run.history = longTurns;
      await run.go();
      const { messages = [] } = model.requests[0] ?? {};
      assert.ok(JSON.stringify(messages).length < 150_000);
      assert.equal(messages[1]?.role, 'user');
      assert.deepEqual(run.kinds, ['summarizing', 'historyCut', 'text']);
    });
  });

  it('cuts a result that is too long for the model, and says so', async () => {
    const { run, server } = echoRun();
    server.onCall = () => ({ content: [{ type: 'text', text: 'x'.repeat(500_000) }] });
    await run.go();
    assert.ok(run.fedText.length < 40_000);
    assert.match(run.fedText, /\d+ more characters were left out\]$/u);
    const [end] = run.events.flatMap((event) => (event.kind === 'callEnded' ? [event.end] : []));
    assert.ok(end?.kind === 'result' && end.cutChars > 400_000);
  });

  it('cuts what a server says of a failure', async () => {
    const { run, server } = echoRun();
    server.onCall = () => {
      throw new RpcError(-32603, 'x'.repeat(1_000_000));
    };
    await run.go();
    assert.match(run.fedText, /The call failed: x{1000}/u);
    assert.ok(run.fedText.length < 40_000);
  });

  it('passes on what the model fails with', async () => {
    const model = new FakeModel([
      () => {
        throw new McpError('denied', 'no access');
      },
    ]);
    await assert.rejects(new Run(model).go(), /no access/u);
  });
});

function editorTool(name: string, more: Partial<EditorTool> = {}): EditorTool {
  return { name, description: `Does ${name}`, isOfServer: false, ...more };
}

describe('runAgent with tools of the editor', () => {
  it('VSC-04: offers those that are chosen, runs them side by side with those of servers, and feeds the results', async () => {
    const server = new FakeAgentServer('notes', [echo]);
    const atServer = deferred<void>();
    server.onCall = () => {
      atServer.resolve();
      return { content: [{ type: 'text', text: 'from the server' }] };
    };
    const run = new Run(
      new FakeModel([[calls('look', { at: 1 }), calls('notes_echo', hi)], says('Done')]),
      server,
    );
    run.isOn = ({ tool: name }) => name !== 'hidden';
    const got: unknown[] = [];
    run.editorTools = {
      all: () => [editorTool('look'), editorTool('hidden')],
      call: async (name, input) => {
        await atServer.promise; // the server's call does not wait for this one
        got.push([name, input]);
        return [...says('from'), ...says('the editor')];
      },
    };
    await run.go();
    assert.deepEqual(run.offered[0], ['look', 'notes_echo']);
    assert.deepEqual(got, [['look', { at: 1 }]]);
    assert.deepEqual(
      run.model.requests
        .at(-1)
        ?.messages.at(-1)
        ?.parts.map((part) => 'parts' in part && part.parts),
      [says('from\nthe editor'), says('from the server')],
    );
  });

  it('tells the model of one that fails or is refused, and goes on', async () => {
    const run = new Run(new FakeModel([[calls('look')], says('Done')]));
    run.editorTools = {
      all: () => [editorTool('look')],
      call: () => Promise.reject(new Error('User chose to skip')),
    };
    assert.equal((await run.go()).kind, 'answered');
    assert.equal(run.fedText, 'The call failed: User chose to skip');
  });

  it('offers no tool twice: what the editor knows of a server of ours is left out, and a name goes to the editor first', async () => {
    const server = new FakeAgentServer('notes', [{ ...echo, description: 'Echoes' }]);
    const run = new Run(new FakeModel([says('Done')]), server);
    run.editorTools = {
      all: () => [
        editorTool('mcp_notes_echo', { description: 'Echoes', isOfServer: true }),
        editorTool('mcp_other_echo', { description: 'Echoes otherwise', isOfServer: true }),
        editorTool('notes_echo'),
      ],
      call: () => assert.fail(),
    };
    await run.go();
    const [offered = []] = run.offered;
    assert.deepEqual(offered.slice(0, 2), ['mcp_other_echo', 'notes_echo']);
    assert.match(String(offered[2]), /^notes_echo_[0-9a-f]{8}$/u);
    assert.equal(offered.length, 3);
  });
});
