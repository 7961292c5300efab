// What the model gets besides the question: attached files, tools that come while it works, tools that it has to search for.
import { scripted } from '../support/servers.ts';
import { inWindow, until } from '../support/workbench.ts';

describe('What the model gets in chat', () => {
  const workbench = inWindow({
    servers: { showcase: scripted('showcase.mjs', { TOOLS: '30' }) },
    userSettings: {
      'mcpHost.chat.maxTools': 4,
      'mcpHost.toolPresets': { drawing: { showcase: ['draw'] } },
    },
    files: { 'shopping.txt': 'Buy oat milk\n' },
    ready: ['showcase'],
  });
  const { editors, dialog, quickInput, chat } = workbench;

  before(() => chat.open());

  it('VSC-09: a file that the user attached reaches the model, by name and content', async () => {
    await workbench.openFile('shopping.txt');
    await editors.waitForText('Buy oat milk');
    await chat.attachActiveFile('shopping.txt');
    await chat.send('What is attached?');
    await chat.expectAnswer(/Attached by the user:\s+"shopping\.txt":[^]*Buy oat milk/);
  });

  it('TOOL-07: /tools says that there are more than a request may offer', async () => {
    await chat.send('/tools ');
    await chat.waitForAnswer('can search for the others');
  });

  it('VSC-04: beyond the limit, the model finds a tool by words and calls it', async () => {
    await chat.send('find_tools {"query": "number 17"} then tool-17');
    await dialog.answer('Run');
    await chat.waitForAnswer('The tool answered: 17');
    await chat.waitForAnswer(
      '37 tools are on, but a request can offer only 4. The model can search for the others:',
    );
    await chat.waitForAnswer('Select Tools…');
  });

  it('VSC-27, TOOL-01, SEC-13: a tool that a server adds during a run is told, and called in the next round', async () => {
    await chat.send('grow then grown');
    await dialog.answer('Run');
    await dialog.answer('Run', /"grown"/);
    await chat.waitForAnswer('The tool answered: Grown up');
    await chat.expandSteps();
    await chat.waitForAnswer('The model can now use new tools: "grown" (showcase)');
  });

  it('TOOL-08: an image of an earlier round stays in view below the answer', async () => {
    await chat.send('draw then draw');
    await dialog.answer('Run');
    await dialog.answer('Run');
    await chat.waitForAnswer('From "Draw" (showcase):');
    await until(
      'the images of both rounds',
      () => chat.images(),
      (count) => count === 2,
    );
  });

  it('VSC-20: what would go on for ever is stopped after a number of steps, and can go on', async () => {
    await chat.send(Array.from({ length: 30 }, () => 'grow').join(' then '));
    await dialog.answer('Run and Remember…');
    await quickInput.pick('This Session');
    await chat.waitForAnswer('Stopped after 25 steps', 90_000);
    await chat.clickButton('Continue');
    await chat.waitForAnswer('You said: Go on');
  });

  it('VSC-03, HOST-10: tools are selected by server, against the limit, and kept as presets', async () => {
    await workbench.runCommand('MCP Host: Select Tools…');
    await quickInput.expectTitle(/Select Tools: 38 of \d+/);
    await quickInput.expectMessage(/38 are more than the 4 that one request of @mcp takes/);
    await quickInput.pick('showcase');
    await quickInput.expectTitle(/Select Tools: 0 of \d+/);
    await quickInput.pick('Draw');
    await quickInput.expectTitle(/Select Tools: 1 of \d+/);
    await quickInput.pick('refuse');
    await quickInput.expectTitle(/Select Tools: 2 of \d+/);
    await quickInput.expectMessage(/the model gets all that are checked/);
    await quickInput.expectText('2 Selected');
    await quickInput.clickButton('Save this selection');
    await quickInput.expectTitle(/Save the Selection as a Preset/);
    await quickInput.enter('pictures');
    await quickInput.expectTitle(/Select Tools: 2 of \d+/);
    await quickInput.accept();
    await quickInput.waitForEnd();
    await chat.send('/tools ');
    await chat.waitForAnswer('left out: you switched it off');
    await workbench.runCommand('MCP Host: Select Tools…');
    await quickInput.expectTitle(/Select Tools: 2 of \d+/);
    await quickInput.clickButton('Presets');
    await quickInput.expectItem('pictures');
    await quickInput.pick('All Tools');
    await quickInput.expectTitle(/Select Tools: 38 of \d+/);
    await quickInput.clickButton('Presets');
    await quickInput.pick('drawing');
    await quickInput.expectTitle(/Select Tools: 1 of \d+/);
    await quickInput.clickButton('Presets');
    await quickInput.pick('pictures');
    await quickInput.expectTitle(/Select Tools: 2 of \d+/);
    await quickInput.cancel();
    await quickInput.waitForEnd();
  });
});
