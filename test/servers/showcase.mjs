// A stdio server with one of each thing that the editor shows, right and wrong. Its environment says more:
//   CALLS=<file>     appends each tool that is called, and each cancellation of such a call, one a line
//   PIDS=<file>      appends its process id, one a line
//   TOOLS=<number>   lists this many more tools; none: no tools at all
//   TOKEN=<secret>   the tool "token" tells its length and hash, never the value
//   LEAK=1           a tool tells the token itself
//   RICH=1           two more tools: one that takes all kinds of input, one that answers with all kinds of content
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { initializeResult, Refusal, send, serveAnswers, unanswered } from './lines.mjs';

const { CALLS, LEAK, PIDS, RICH, TOKEN = '', TOOLS = '0' } = process.env;
// A blue square on white, 64 by 64 pixels.
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAWUlEQVR42u3aQQ0AMAgEQfxgsS4riKoggXQua2D+F7V8AQAAAADQAshzRwUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA0Afw2AIAAAD4AvAARWc2/wq8F4EAAAAASUVORK5CYII=';

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const schema = (properties = {}, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});

const tools = [
  {
    name: 'add_note',
    title: 'Add a Note',
    description: 'Keeps a note.\nIts text is limited.',
    inputSchema: schema({ text: { type: 'string', minLength: 3 }, stars: { type: 'integer' } }, [
      'text',
    ]),
    annotations: { destructiveHint: false, openWorldHint: true },
    run: ({ text: note }) => text(`Kept: ${note}`),
  },
  {
    name: 'draw',
    description: 'Draws a square',
    annotations: { title: 'Draw', readOnlyHint: true },
    run: () => ({
      content: [
        { type: 'text', text: 'Here it is:' },
        { type: 'image', data: picture, mimeType: 'image/png' },
      ],
    }),
  },
  {
    name: 'refuse',
    description: 'Reports an error of its own',
    run: () => ({ ...text('The printer is out of paper.'), isError: true }),
  },
  {
    name: 'weather',
    description: 'Breaks the schema of its output',
    outputSchema: schema({ celsius: { type: 'number' } }),
    run: () => ({ ...text('warm'), structuredContent: { celsius: 'warm' } }),
  },
  {
    name: 'token',
    description: 'Length and hash of the token',
    run: () => text(`${TOKEN.length} ${createHash('sha256').update(TOKEN).digest('hex')}`),
  },
  { name: 'wait', description: 'Works until it is cancelled', run: undefined },
  {
    name: 'grow',
    description: 'Adds a tool and says so',
    run: () => {
      if (!tools.some(({ name }) => name === 'grown')) {
        tools.push({ name: 'grown', description: 'Came later', run: () => text('Grown up') });
        send({ method: 'notifications/tools/list_changed' });
      }
      return text('One more tool');
    },
  },
];
// A tenth of a second of silence.
const sound = () => {
  const wav = Buffer.alloc(844, 128);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(836, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(8000, 24);
  wav.writeUInt32LE(8000, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(800, 40);
  return wav.toString('base64');
};
const rooms = {
  rooms: [
    { name: 'Attic', beds: 2, free: true },
    { name: '<b>Cellar</b>', beds: 1 },
  ],
};
if (RICH === '1') {
  tools.push(
    {
      name: 'book',
      title: 'Book a Room',
      description: 'Books a room.',
      inputSchema: {
        type: 'object',
        properties: {
          breakfast: { type: 'boolean', description: 'Served at eight' },
          day: { type: 'string', format: 'date', description: 'Day of arrival' },
          kind: { enum: ['single', 'double'], default: 'double' },
          guests: {
            type: 'array',
            description: 'Who comes',
            items: {
              type: 'object',
              properties: {
                name: { type: 'string', description: 'As in the passport' },
                age: { type: 'integer' },
              },
              required: ['name'],
            },
          },
          doorCode: { type: 'string', format: 'password' },
        },
        required: ['day', 'guests'],
      },
      run: (input) => text(`Booked: ${JSON.stringify(input)}`),
    },
    {
      name: 'tour',
      title: 'Tour',
      description: 'Shows everything',
      run: () => ({
        content: [
          { type: 'text', text: '<img src=x onerror=alert(1)> [a](command:workbench.action.quit)' },
          { type: 'image', data: picture, mimeType: 'image/png' },
          { type: 'audio', data: sound(), mimeType: 'audio/wav' },
          {
            type: 'resource_link',
            uri: 'demo://notes/colours.json',
            name: 'colours.json',
            title: 'Colours',
            mimeType: 'application/json',
          },
          {
            type: 'resource',
            resource: {
              uri: 'demo://notes/inner.md',
              mimeType: 'text/markdown',
              text: '# Inner note',
            },
          },
          { type: 'text', text: JSON.stringify(rooms) },
        ],
        structuredContent: rooms,
      }),
    },
  );
}
if (LEAK === '1') {
  tools.push({ name: 'leak', description: 'Tells the token', run: () => text(`It is ${TOKEN}.`) });
}
for (let n = 1; n <= Number(TOOLS); n += 1) {
  tools.push({ name: `tool-${n}`, description: `Number ${n}`, run: () => text(String(n)) });
}

const prompts = [
  { name: 'greet', title: 'Greeting', description: 'Says hello' },
  { name: 'count', title: 'Count', description: 'Has other messages each time' },
];
const said = (role, content) => ({ role, content });
let counted = 0;
const messages = {
  greet: () => [
    said('user', { type: 'text', text: 'What is in this picture?' }),
    said('user', { type: 'image', data: picture, mimeType: 'image/png' }),
    said('assistant', { type: 'text', text: 'A blue square.' }),
    said('user', {
      type: 'resource_link',
      uri: 'demo://notes/colours.json',
      name: 'colours.json',
      title: 'Colours',
    }),
  ],
  count: () => [said('user', { type: 'text', text: `This is number ${(counted += 1)}.` })],
};

const resources = [
  {
    uri: 'demo://notes/colours.json',
    name: 'colours.json',
    title: 'Colours',
    description: 'Names and numbers',
    mimeType: 'application/json',
    size: 19,
  },
  { uri: 'demo://pictures/square.png', name: 'square.png', mimeType: 'image/png' },
  { uri: 'demo://secrets/plan.txt', name: 'plan.txt', mimeType: 'text/plain' },
];
const contents = {
  'demo://notes/colours.json': { mimeType: 'application/json', text: '{ "blue": "#0000ff" }\n' },
  'demo://pictures/square.png': { mimeType: 'image/png', blob: picture },
};

/** The calls that were not answered yet. */
const working = new Set();
const calls = new Set();
const note = (file, line) => file !== undefined && appendFileSync(file, `${line}\n`);

function work(id, token, step = 1) {
  if (working.has(id)) {
    const params = { progressToken: token, progress: step, total: 100, message: 'Sorting' };
    send({ method: 'notifications/progress', params });
    setTimeout(() => work(id, token, Math.min(99, step + 1)), 200);
  }
}

note(PIDS, process.pid);
process.stderr.write('showcase: listening on stdio\n');
serveAnswers({
  initialize: () =>
    initializeResult({
      serverInfo: { name: 'showcase', title: 'Showcase', version: '2.1.0' },
      instructions: 'Call "draw" for a picture.',
    }),
  // What JSON leaves out, such as functions, is not sent.
  'tools/list': () => ({
    tools: (TOOLS === 'none' ? [] : tools).map((tool) => ({ inputSchema: schema(), ...tool })),
  }),
  'tools/call': ({ name, arguments: input, _meta: meta }, id) => {
    note(CALLS, name);
    calls.add(id);
    const { run } = tools.find((each) => each.name === name);
    if (run !== undefined) return run(input);
    working.add(id);
    work(id, meta?.progressToken);
    return unanswered;
  },
  'notifications/cancelled': ({ requestId }) => {
    // A list that a client gave up is answered by now. For a call, that would be a fault of the host.
    if (calls.has(requestId)) {
      note(CALLS, working.delete(requestId) ? 'cancelled' : 'cancelled too late');
    }
  },
  'prompts/list': () => ({ prompts }),
  'prompts/get': ({ name }) => ({ messages: messages[name]() }),
  'resources/list': () => ({ resources }),
  'resources/templates/list': () => ({
    resourceTemplates: [{ uriTemplate: 'demo://notes/{name}', name: 'notes', title: 'Note' }],
  }),
  'resources/read': ({ uri }) => {
    if (!(uri in contents)) throw new Refusal(-32603, 'The archive is locked for today');
    return { contents: [{ uri, ...contents[uri] }] };
  },
});
