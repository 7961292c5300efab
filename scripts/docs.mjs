// `npm run docs`: writes the pages of docs/ that are made from package.json, constants and names of tests.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { references } from './docs/references.mjs';
import { root } from './support/project.mjs';

await Promise.all(
  Object.entries(references()).map(([file, text]) => writeFile(path.join(root, file), text)),
);
