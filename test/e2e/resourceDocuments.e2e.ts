// A document of a template, and the preview of a prompt.
import { scripted } from './support/servers.ts';
import { inWindow } from './support/workbench.ts';

describe('A document', () => {
  const workbench = inWindow({
    servers: { documents: scripted('documents.mjs') },
    ready: ['documents'],
  });
  const { tree, editors, quickInput } = workbench;

  it('RES-05, RES-06, COMP-03: a template asks for its variables with suggestions, and shows the URI', async () => {
    await tree.expand('documents', 'Templates');
    await tree.clickRow('Row of a Table');
    await quickInput.expectTitle(/\(1\/3\)/);
    await quickInput.expectItem('countries');
    await quickInput.pick('cities');
    await quickInput.expectTitle(/\(2\/3\)/);
    await quickInput.expectItem('lisbon');
    await quickInput.fill('lon');
    // The suggestions for what was typed before go with the answer to what is typed now.
    await quickInput.waitForItems(
      'what fits',
      (items) => items.includes('london') && !items.includes('lisbon'),
    );
    await quickInput.pick('london');
    await quickInput.expectTitle(/\(3\/3\)/);
    await quickInput.fill('name, size');
    await quickInput.expectItem('name, size');
    await quickInput.accept();
    await quickInput.expectItem('Change Values');
    await quickInput.expectText('demo://tables/cities/rows/london?columns=name&columns=size');
    await quickInput.pick('Open');
    await editors.waitForTab('london.json');
    await editors.waitForText('"query": "?columns=name&columns=size"');
  });

  it('HOST-15, PROM-05, RES-09: the preview of a prompt says what is not for the model', async () => {
    await workbench.closeEditors();
    await workbench.runCommand('MCP Host: Attach Prompt or Resource…');
    await quickInput.fill('summary documents');
    await quickInput.waitForItems('the prompt', ([first]) => first === 'Summary');
    await quickInput.pick('Summary');
    await quickInput.expectItem('Use in Chat');
    await quickInput.expectText('1 of 4 messages');
    await editors.waitForText('Not for the model');
    await quickInput.pick('Open as Document');
    await quickInput.waitForEnd();
  });
});
