/** What a reader once took too long for, over and over: the fuzz target of the same name finds more. */
import { readInTime } from '../fuzz/repetitions.ts';

const found: Readonly<Record<string, readonly string[]>> = {
  iconExtension: ['<!---->', '<!--', ' ', '<?xml ?>', '-->', '<a'],
  instructionPatterns: ['<admin>', '<admin ', '</admin', 'ignore ', 'never tell ', '\t'],
  toWord: ['_', '-', '/', '_.', ' '],
  decodeContents: [' ', '=', 'A', '\n='],
  fileNameFor: ['.', ' ', '%20', '..a', '?', ':', '%', '\u{1f600}'],
  splitCommandLine: [String.raw`\\ `, String.raw`\"`, '\\', ' ', '"a', "'"],
  pastedCommand: ['-e '],
  imageName: ['1', '-1', '.1', '-rc', 'a/', ':'],
  imageTags: ['<', '<>;', '<>; ', 'a=b ', 'a="', 'Bearer ', 'realm=""'],
  risksOfScript: ['a|', 'curl x|sh;', 'curl|', '|sudo a', 'rm -rf $(curl x|sh);', 'x|curl y|'],
  certificatesIn: ['-----BEGIN CERTIFICATE-----', '-----BEGIN ', '-', '-----END '],
  yaml: [']', '!a ', '&a ', '#\n', '? a\n', '- ', '"a\n', '[', '%a\n', 'a: ', '? '],
  toml: ['[[a.b]]\n', '[a.', 'a.', '[', 'a=[', '"a".'],
  json: ['"\n', '[', '//\n', '/*', '{"a":', ':', ',', '{"mcpServers":{"a":{}},'],
};

describe('readers', () => {
  for (const [reader, pieces] of Object.entries(found)) {
    it(`${reader} takes as long as the text is, whatever is repeated in it`, async () => {
      for (const piece of pieces) {
        await readInTime(reader, `x "${piece.repeat(150_000 / piece.length)}!`);
        await readInTime(reader, piece.repeat(150_000 / piece.length));
      }
    });
  }

  it('yaml writes no keys that are objects, in each other, as texts', () =>
    readInTime('yaml', '? '.repeat(500)));
});
