// The licences of the packages in the bundles, which have to come with them.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * The text of a file with all of them, from what esbuild says of its inputs.
 * @throws {Error} that names a package without a licence
 */
export async function noticesOf({ inputs }, root) {
  const folders = new Set(
    Object.keys(inputs).flatMap(
      (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u.exec(input) ?? [],
    ),
  );
  const parts = [];
  for (const folder of [...folders].toSorted()) parts.push(await noticeOf(path.join(root, folder)));
  return parts.join(`\n${'-'.repeat(80)}\n\n`);
}

async function noticeOf(folder) {
  const { name, version, license } = JSON.parse(
    await readFile(path.join(folder, 'package.json'), 'utf8'),
  );
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|notice)\b/iu.test(file));
  if (license === undefined || files.length === 0) {
    throw new Error(`${name} ${version} has no licence that could be packed with it`);
  }
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  return `${name} ${version} (${license})\n\n${texts.map((text) => `${text.trim()}\n`).join('\n')}`;
}
