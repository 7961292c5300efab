// What the demo model says, as a pure function of the conversation: the same question gets the same answer.
// A tool that the question names is called; a tool's result is repeated; anything else is echoed.
// "find_tools rain then weather" is two steps, one after the other's result; "echo hi and weather" two calls in one answer.
// "What is attached?" repeats that, "How does the attachment end?" the last of it.
// A conversation to summarize was about whatever it says first that it is about.
// "What do the apps say?" repeats what follows that in the first message.

/**
 * @param {readonly { isUser: boolean, text: string, toolResults: readonly string[] }[]} messages
 * @param {readonly { name: string, inputSchema?: object }[]} tools
 * @returns {({ kind: 'text', text: string } | { kind: 'call', id: string, name: string, input: object })[]}
 */
exports.reply = function reply(messages, tools) {
  const asked = messages.findLastIndex(
    ({ isUser, toolResults }) => isUser && toolResults.length === 0,
  );
  if (asked < 0) return [{ kind: 'text', text: 'You said nothing.' }];
  const question = messages[asked].text.trim();
  if (question.startsWith('Summarize the conversation')) {
    return [{ kind: 'text', text: `It was ${/about \w+/.exec(question)?.[0]}.` }];
  }
  const answered = messages.slice(asked + 1).filter(({ toolResults }) => toolResults.length > 0);
  const step = question.split(/\s+then\s+/)[answered.length];
  const calls = step === undefined ? [] : namedCalls(step, tools);
  if (calls.length > 0) {
    return [
      { kind: 'text', text: `Calling ${calls.map(({ name }) => name).join(', ')}. ` },
      ...calls.map((call, index) => ({ ...call, id: `call-${messages.length}-${index}` })),
    ];
  }
  const results = answered.at(-1)?.toolResults ?? [];
  if (results.length > 0) {
    return [{ kind: 'text', text: `The tool answered: ${results.join(' | ')}` }];
  }
  if (/^what do the apps say/i.test(question)) {
    const said = messages[0].text.split('\nWhat apps of servers say')[1] ?? ': nothing';
    return [{ kind: 'text', text: `The apps say${said}` }];
  }
  const attached = messages
    .slice(0, asked)
    .findLast(({ isUser, text }) => isUser && /^(?:Attached by|Resource of) /.test(text));
  if (attached !== undefined && /^what is attached/i.test(question)) {
    return [{ kind: 'text', text: attached.text }];
  }
  return attached !== undefined && /^how does the attachment end/i.test(question)
    ? [{ kind: 'text', text: `It ends: ${attached.text.slice(-60)}` }]
    : [{ kind: 'text', text: `You said: ${question}` }];
};

/** One call for each part between "and"s if each names a tool, else one for all of the text. */
function namedCalls(text, tools) {
  const parts = text.split(/\s+and\s+/).map((part) => ({ part, tool: namedTool(part, tools) }));
  const single = { part: text, tool: namedTool(text, tools) };
  const named = parts.every(({ tool }) => tool !== undefined) ? parts : [single];
  return named
    .filter(({ tool }) => tool !== undefined)
    .map(({ part, tool }) => ({ kind: 'call', name: tool.name, input: inputFor(tool, part) }));
}

/** The longest tool name that stands in the text as a word; `server_echo` is also found by `echo`. */
function namedTool(text, tools) {
  const words = new Set(text.split(/[^\w.-]+/).filter(Boolean));
  const named = tools.filter(({ name }) => words.has(name) || words.has(shortName(name)));
  return named.toSorted((a, b) => b.name.length - a.name.length).at(0);
}

function shortName(name) {
  return name.slice(name.lastIndexOf('_') + 1);
}

/** The JSON object in the question; without one, what follows the tool's name goes to the first required text. */
function inputFor({ name, inputSchema }, question) {
  const json = /\{[^]*\}/.exec(question)?.[0];
  if (json !== undefined) {
    try {
      return JSON.parse(json);
    } catch {
      // Not JSON, so it is text.
    }
  }
  const { required = [], properties = {} } = inputSchema ?? {};
  const field = required.find((key) => properties[key]?.type === 'string');
  if (field === undefined) return {};
  const word = question.includes(name) ? name : shortName(name);
  const rest = question.slice(question.indexOf(word) + word.length).trim();
  return { [field]: rest === '' ? question : rest };
}
