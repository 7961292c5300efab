// The server that the scenarios of @modelcontextprotocol/conformance expect to find, on standard streams.
import { ask, initializeResult, send, serveAnswers } from './lines.mjs';

// One red pixel, and a WAV file without a sample.
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

const text = (value) => ({ type: 'text', text: value });
const image = { type: 'image', data: png, mimeType: 'image/png' };
const embed = (uri, mimeType, value) => ({
  type: 'resource',
  resource: { uri, mimeType, text: value },
});
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

const nothing = { type: 'object', properties: {} };
const schema2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const log = (data) => send({ method: 'notifications/message', params: { level: 'info', data } });

/** Asks whoever is connected; gives the answer as text. */
const askFor = async (method, params) => {
  const { result, error } = await ask(method, params);
  return [text(JSON.stringify(result ?? error))];
};
const elicit = (properties) =>
  askFor('elicitation/create', {
    message: 'Please say',
    requestedSchema: { type: 'object', properties },
  });

const tools = {
  test_simple_text: () => [text('This is a simple text response for testing.')],
  test_image_content: () => [image],
  test_audio_content: () => [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  test_embedded_resource: () => [
    embed('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: () => [
    text('Multiple content types test:'),
    image,
    embed('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  async test_tool_with_logging() {
    log('Tool execution started');
    await pause();
    log('Tool processing data');
    await pause();
    log('Tool execution completed');
    return [text('logged')];
  },
  async test_tool_with_progress(progressToken) {
    for (const progress of [0, 50, 100]) {
      send({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      await pause();
    }
    return [text('done')];
  },
  json_schema_2020_12_tool: () => [text('valid')],
  test_sampling: (_token, { prompt }) =>
    askFor('sampling/createMessage', {
      messages: [{ role: 'user', content: text(prompt) }],
      maxTokens: 100,
    }),
  test_elicitation: () => elicit({ response: { type: 'string' } }),
  test_elicitation_sep1034_defaults: () =>
    elicit({ name: { type: 'string', default: 'John Doe' } }),
  test_elicitation_sep1330_enums: () => elicit({ one: { type: 'string', enum: ['option1'] } }),
  test_reconnection: () => [text('answered at once')],
};
const failing = 'test_error_handling';

const prompts = {
  test_simple_prompt: () => [text('This is a simple prompt for testing.')],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    embed(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
    text('Please process the embedded resource above.'),
  ],
  test_prompt_with_image: () => [image, text('Please analyze the image above.')],
};
const argumentsOf = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
};

const contents = {
  'test://static-text': {
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  'test://static-binary': { mimeType: 'image/png', blob: png },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched resource content' },
};

function read(uri) {
  const id = /^test:\/\/template\/(?<id>[^/]+)\/data$/u.exec(uri)?.groups.id;
  return id === undefined
    ? contents[uri]
    : {
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      };
}

serveAnswers({
  initialize: () => initializeResult(),
  'tools/list': () => ({
    tools: [...Object.keys(tools), failing].map((name) => ({
      name,
      description: `The tool ${name}`,
      inputSchema: name === 'json_schema_2020_12_tool' ? schema2020 : nothing,
    })),
  }),
  'tools/call': async ({ name, arguments: args = {}, _meta: meta = {} }) =>
    name === failing
      ? { content: [text('This tool intentionally returns an error for testing')], isError: true }
      : { content: await tools[name](meta.progressToken, args) },
  'prompts/list': () => ({
    prompts: Object.keys(prompts).map((name) => ({
      name,
      description: `The prompt ${name}`,
      arguments: (argumentsOf[name] ?? []).map((argument) => ({
        name: argument,
        description: `The argument ${argument}`,
        required: true,
      })),
    })),
  }),
  'prompts/get': ({ name, arguments: args = {} }) => ({
    messages: prompts[name](args).map((content) => ({ role: 'user', content })),
  }),
  'resources/list': () => ({
    resources: Object.entries(contents).map(([uri, { mimeType }]) => ({
      uri,
      name: uri,
      description: `The resource ${uri}`,
      mimeType,
    })),
  }),
  'resources/templates/list': () => ({
    resourceTemplates: [
      {
        uriTemplate: 'test://template/{id}/data',
        name: 'template',
        description: 'A resource for each id',
        mimeType: 'application/json',
      },
    ],
  }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, ...read(uri) }] }),
  'completion/complete': () => ({ completion: { values: ['test'], total: 1, hasMore: false } }),
});
