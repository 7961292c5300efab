// Skills of a server: seen in the tree, loaded into a conversation after a question, and taken back when they change.
import assert from 'node:assert/strict';
import { newFile } from '../support/ground.ts';
import { expectLines, scripted } from '../support/servers.ts';
import { inWindow } from '../support/workbench.ts';

const uri = 'skill://forms/pdf-forms/SKILL.md';

describe('Skills', () => {
  const reads = newFile('reads.txt');
  const workbench = inWindow({
    servers: { office: scripted('skills.mjs', { READS: reads }) },
    ready: ['office'],
  });
  const { tree, editors, dialog, quickInput, chat } = workbench;

  it('SKL-24, SKL-30, SKL-31: one stands in the tree, and a click shows it checked; nothing is loaded by that', async () => {
    await tree.expand('Skills');
    await tree.expectRow('pdf-forms', 'How to fill PDF forms for this office');
    await expectLines(reads, []);
    await tree.clickRow('pdf-forms');
    await editors.waitForTab('pdf-forms-skill.md');
    const text = await editors.text();
    assert.match(text, /Read references\/FORMS\.md first/);
    assert.match(text, /`references\/FORMS\.md`, 36 B/);
    await expectLines(reads, [uri]);
  });

  it('SKL-32, SKL-57: the model finds it and wants it: a no reads nothing', async () => {
    await chat.open();
    await chat.send('load_skill {"skill": "office.pdf-forms"}');
    const { message, detail } = await dialog.expect();
    assert.match(
      message,
      /The model wants to load instructions of "office" into this conversation: the skill "pdf-forms"/,
    );
    assert.match(detail, /Server: office \(user settings\)/);
    assert.match(detail, /2 files, .*SKILL\.md, references\/FORMS\.md/);
    await dialog.answer('Deny');
    await chat.waitForAnswer('did not allow this skill');
    await expectLines(reads, [uri]);
  });

  it('SKL-50, SKL-57: Show All has its text; allowed and remembered, the model gets it with its origin', async () => {
    await chat.send('load_skill {"skill": "office.pdf-forms"}');
    await dialog.answer('Show All…');
    await editors.waitForTab('pdf-forms-skill.md');
    await quickInput.pick('Back to the Question');
    await dialog.answer('Load and Remember…');
    await quickInput.pick('This Workspace');
    await chat.waitForAnswer('Loaded the skill office.pdf-forms');
    await chat.waitForAnswer('text of the MCP server "office"');
  });

  it('SKL-53: a tool that is called while it acts is asked about, and no longer yes is offered', async () => {
    await chat.send('office_fill {}');
    const { detail, buttons } = await dialog.expect();
    assert.match(detail, /follows instructions of a server here.*office\.pdf-forms/);
    assert.ok(!buttons.includes('Run and Remember…'), buttons.join());
    await dialog.answer('Run');
    await chat.waitForAnswer('fill is done');
  });

  it('SKL-58: a changed file takes the answer back, and the question says which it is', async () => {
    await chat.send('office_change {}');
    await dialog.answer('Run');
    await chat.waitForAnswer('change is done');
    await workbench.runCommand('MCP Host: Refresh Lists');
    await quickInput.pick('office');
    await tree.expectRow('pdf-forms', 'How forms are filled since May');
    await chat.send('/skill office.pdf-forms What now?');
    const { message, detail } = await dialog.expect();
    assert.match(message, /Load instructions of "office" into this conversation/);
    assert.match(detail, /⚠ It has changed since you allowed it/);
    assert.match(detail, /Changed: SKILL\.md, references\/FORMS\.md/);
    await dialog.answer('Load');
    await chat.waitForAnswer('Loaded the skill office.pdf-forms');
    await chat.send('load_skill {"skill": "office.pdf-forms", "file": "references/FORMS.md"}');
    await chat.waitForAnswer('use red ink');
  });
});
