// Looks for codes, tokens, client secrets and values that were typed as secrets in what the run leaves behind: logs,
// settings, workspace and global storage, state databases, workspaces, pictures, the output of the suites. The browsers'
// own profiles are left out: as any browser, they remember the pages that were visited. What the editor keeps there is
// looked at while it is shown.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { issuedSecrets, typedSecrets } from '../../support/issuedSecrets.ts';
import { filesThatHold } from '../../support/secretScan.ts';
import { ground } from './ground.ts';

export async function requireNoSecretLeft(): Promise<void> {
  const secrets = [...issuedSecrets, ...typedSecrets];
  if (secrets.length === 0) return;
  const { folder, screenshots, trusted } = ground();
  const results = path.dirname(screenshots);
  // The scan is good for nothing if it does not come to these places, or does not see what is there.
  const planted = randomUUID();
  const controls = [
    path.join(trusted.profile, 'User', 'workspaceStorage', 'control', 'state.vscdb'),
    path.join(results, `control-${planted}.log`),
  ];
  try {
    for (const file of controls) {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, `\0\u0001key${planted}\0`);
    }
    const found = await filesThatHold([planted, ...secrets], [folder, results], isSkipped);
    assert.deepEqual(found, controls.toSorted(), 'a secret was left in a file');
  } finally {
    await Promise.all(controls.map((file) => rm(file, { force: true })));
  }
  if (issuedSecrets.size === 0) return;
  const ofSignIns = await filesThatHold(['was issued by http'], [folder], isSkipped);
  const logs = ofSignIns.filter((file) => file.endsWith('.log'));
  assert.ok(logs.length > 0, 'the log of a server that was signed in to is among what was scanned');
}

function isSkipped(file: string): boolean {
  return (
    path.basename(file) === 'browser' && path.basename(path.dirname(file)).startsWith('window-')
  );
}
