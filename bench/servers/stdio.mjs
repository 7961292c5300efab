// A minimal stdio server: one write for all answers to a chunk.
//   node stdio.mjs [tools | outputSchemas]    has its tools ready before it answers
import { prepareTools, progressOf, replyTo } from './answers.mjs';

const hasOutput = process.argv[2] === 'outputSchemas';
if (process.argv[2] !== undefined) {
  prepareTools(hasOutput);
}
let rest = '';

process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  let answers = '';
  for (const line of lines) {
    const reply = replyTo(line, hasOutput);
    if (reply !== undefined) {
      // The last progress shares a write with the result.
      answers += [...progressOf(line), reply, ''].join('\n');
    }
  }
  if (answers !== '') {
    process.stdout.write(answers);
  }
});
