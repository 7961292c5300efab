// A stdio server with skills, in both eras. Its tool `change` gives both files another text, and the entry, too. Its
// environment says more:
//   READS=<file>   appends each URI that is read, one a line
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { initializeResult, Refusal, serveAnswers } from './lines.mjs';

const { READS } = process.env;
const folder = 'skill://forms/pdf-forms/';
const frontmatter = { name: 'pdf-forms', description: 'How to fill PDF forms for this office' };
const instructions = () =>
  `---\nname: ${frontmatter.name}\ndescription: ${frontmatter.description}\n---\n\nRead references/FORMS.md first. Then fill the form.\n`;
const files = {
  'SKILL.md': instructions(),
  'references/FORMS.md': 'Forms of the office: use black ink.\n',
};

const entryOf = (path) => ({
  uri: path + 'SKILL.md',
  frontmatter,
  resources: Object.entries(files).map(([name, text]) => ({
    uri: path + name,
    digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
    size: Buffer.byteLength(text),
  })),
});
const listed = () => [entryOf(folder)];
const tool = (name) => ({ name, description: `Does ${name}`, inputSchema: { type: 'object' } });
const text = (words) => ({ content: [{ type: 'text', text: words }] });

const skills = 'io.modelcontextprotocol/skills';
const capabilities = { tools: {}, resources: {}, extensions: { [skills]: {} } };

serveAnswers({
  initialize: () => ({ ...initializeResult(), capabilities }),
  'tools/list': () => ({ tools: [tool('change'), tool('fill')] }),
  'tools/call': ({ name }) => {
    if (name === 'change') {
      frontmatter.description = 'How forms are filled since May';
      files['SKILL.md'] = instructions();
      files['references/FORMS.md'] = 'Forms of the office: use red ink.\n';
    }
    return text(`${name} is done.`);
  },
  'skills/list': () => ({ skills: listed() }),
  'skills/get': ({ uri }) => {
    const skill = listed().find((one) => one.uri === uri);
    if (skill === undefined) {
      throw new Refusal(-32602, 'There is no such skill');
    }
    return { skill };
  },
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ uri }) => {
    if (READS !== undefined) {
      appendFileSync(READS, `${uri}\n`);
    }
    const name = Object.keys(files).find((one) => uri === folder + one);
    if (name === undefined) {
      throw new Refusal(-32002, 'There is no such file');
    }
    return { contents: [{ uri, mimeType: 'text/markdown', text: files[name] }] };
  },
});
