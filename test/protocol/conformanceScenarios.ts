/** What the client does in each scenario of the conformance suite, with the calls that the extension makes. */
import assert from 'node:assert/strict';
import { Catalog } from '../../src/host/catalog/catalog.ts';
import { Skills, type SkillServer } from '../../src/host/skills/skills.ts';
import { callTool } from '../../src/host/tools/callTool.ts';
import type { Session } from '../../src/mcp/session/session.ts';
import { listAll } from '../../src/mcp/client/listing.ts';
import type { JsonSchema, Tool } from '../../src/mcp/types/lists.ts';
import type { CallToolResult } from '../../src/mcp/types/methods.ts';
import { createSchemaChecker } from '../../src/entries/schemas.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { silentLog } from '../support/silentLogs.ts';

/** `context`: what the suite says beyond the name of the scenario. */
export type Scenario = (session: Session, context: Context) => Promise<unknown>;

export interface Context {
  readonly toolCalls?: readonly {
    readonly name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
  }[];
}

type UseOf<T> = (session: Session, signal: AbortSignal) => Promise<T>;

const checker = createSchemaChecker();

async function toolsOf(session: Session): Promise<readonly Tool[]> {
  const { items, truncated } = await listAll(session, 'tools');
  assert.equal(truncated, undefined);
  return items;
}

async function toolNamed(session: Session, name: string): Promise<Tool> {
  const tool = (await toolsOf(session)).find((each) => each.name === name);
  assert.ok(tool, `the server offers no tool ${name}`);
  return tool;
}

async function call(session: Session, tool: Tool, input = {}): Promise<CallToolResult> {
  const { signal } = new AbortController();
  const target = { withSession: <T>(use: UseOf<T>): Promise<T> => use(session, signal) };
  const outcome = await callTool(target, checker, { tool, input, signal });
  assert.ok(outcome.kind === 'result', `"${tool.name}": ${JSON.stringify(outcome)}`);
  return outcome.result;
}

const listAndCall =
  (name: string, input = {}): Scenario =>
  async (session) =>
    call(session, await toolNamed(session, name), input);

/** Each kind of item that the server offers, listed; the first one used. */
async function useEverything(session: Session): Promise<void> {
  for (const tool of (await toolsOf(session)).slice(0, 1)) {
    await call(session, tool);
  }
  for (const { uri } of (await listAll(session, 'resources')).items) {
    await session.call('resources/read', { uri });
  }
  for (const { name } of (await listAll(session, 'prompts')).items) {
    await session.call('prompts/get', { name });
  }
}

/** `null` for an argument is against the schema of these tools: sent as it is, unchecked. */
async function callAsTold(session: Session, { toolCalls }: Context): Promise<void> {
  await toolsOf(session);
  assert.ok(toolCalls && toolCalls.length > 0, 'no calls were told');
  for (const params of toolCalls) {
    await session.call('tools/call', params);
  }
}

async function callWhatIsLeft(session: Session): Promise<void> {
  const { items, dropped } = await listAll(session, 'tools');
  assert.deepEqual(
    items.map(({ name }) => name),
    ['valid_tool'],
  );
  assert.equal(new Set(dropped.map(({ name }) => name)).size, 11, 'each of the others is named');
  for (const tool of items) {
    await call(session, tool, { region: 'eu' });
  }
}

/** A schema that leads elsewhere is unusable, also when a value is checked against it. */
async function checkWithoutFetching(session: Session): Promise<void> {
  const { inputSchema } = await toolNamed(session, 'lookup_user');
  await assert.rejects(checker.check(inputSchema, { id: 'a', profile: {} }), {
    code: 'unsupported',
  });
}

async function sendSchemaBack(session: Session): Promise<void> {
  const { inputSchema } = await toolNamed(session, 'json_schema_2020_12_tool');
  const schema: JsonSchema = inputSchema;
  await call(session, await toolNamed(session, 'json_schema_echo'), { schema });
}

async function answerQuestions(session: Session): Promise<void> {
  const tools = new Map((await toolsOf(session)).map((tool) => [tool.name, tool]));
  const run = async (name: string): Promise<unknown> => {
    const tool = tools.get(name);
    assert.ok(tool, name);
    return call(session, tool);
  };
  // At once, so that what belongs to one could reach another.
  await Promise.all(['test_mrtr_echo_state', 'test_mrtr_unrelated', 'test_mrtr_no_state'].map(run));
  await run('test_mrtr_no_result_type');
}

async function skillServer(session: Session): Promise<SkillServer> {
  const catalog = new Catalog({ listAll });
  catalog.attach(session, new AbortController().signal);
  await catalog.whenLoaded();
  return {
    config: stdioServer('conformance'),
    catalog,
    withSession: (use, signal) => use(session, signal),
    output: { log: silentLog },
  };
}

/** Loads each skill for a user who allows it, and reads all its files. */
async function useSkill(session: Session): Promise<void> {
  const { signal } = new AbortController();
  const server = await skillServer(session);
  const skills = new Skills({ isAllowed: async () => true });
  for (const { uri } of server.catalog.items('skills')) {
    const skill = await skills.load(server, uri, { caller: 'model', signal });
    for (const path of skill.files ?? []) {
      await skill.readFile(path, signal);
    }
  }
}

/** What needs a token is done twice: a server may have moved, or want more, at the second. */
async function useSignedIn(session: Session): Promise<void> {
  for (const tool of await toolsOf(session)) {
    await call(session, tool);
  }
}

/** The client has to stop: the server, or who answers for it, is not who it should be. */
export const refused: ReadonlySet<string> = new Set(
  [
    'scope-retry-limit',
    'resource-mismatch',
    'iss-supported-missing',
    'iss-wrong-issuer',
    'iss-unexpected',
    'iss-normalized',
    'metadata-issuer-mismatch',
  ]
    .map((name) => `auth/${name}`)
    // Skills that are not what their entries say.
    .concat(['digest', 'size', 'frontmatter'].map((name) => `sep-2640-client-verify-${name}`)),
);

/** What the client does, unless the scenario is new. */
export function scenarioOf(name: string): Scenario | undefined {
  return name.startsWith('auth/') ? useSignedIn : scenarios[name];
}

const scenarios: Readonly<Record<string, Scenario>> = {
  // The opening is all there is.
  initialize: async () => undefined,
  tools_call: listAndCall('add_numbers', { a: 5, b: 3 }),
  'elicitation-sep1034-client-defaults': listAndCall('test_client_elicitation_defaults'),
  'sse-retry': listAndCall('test_reconnection'),
  // The opening is the first request, is refused, and is made again.
  'request-metadata': async () => undefined,
  'sep-2322-client-request-state': answerQuestions,
  'http-standard-headers': useEverything,
  'sep-2640-client-no-prefetch': async (session) => void (await skillServer(session)),
  'sep-2640-client-verify-digest': useSkill,
  'sep-2640-client-verify-size': useSkill,
  'sep-2640-client-verify-frontmatter': useSkill,
  'http-custom-headers': callAsTold,
  'http-invalid-tool-headers': callWhatIsLeft,
  'json-schema-ref-no-deref': checkWithoutFetching,
  'json-schema-2020-12-preservation': sendSchemaBack,
};
