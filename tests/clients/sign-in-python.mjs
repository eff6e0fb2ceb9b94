// Signing in with the official Python SDK: it plays sign_in.py and hands the owner's part over.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Owner } from './owner.mjs';

export async function check(demo) {
  const owner = new Owner(demo);
  await owner.signIn();
  const interpreter = process.env.PDPP_CLIENTS_PYTHON ?? 'python3';
  const script = fileURLToPath(new URL('sign_in.py', import.meta.url));
  const child = spawn(interpreter, [script, demo.url], { stdio: ['pipe', 'pipe', 'pipe'], timeout: 120_000 });
  let said = '';
  child.stderr.on('data', (bytes) => { said += bytes; });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let last = '';
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, rest] = line.split(/ (.*)/s);
    if (word === 'OWNER') child.stdin.write(`${(await owner.allow(rest)).href}\n`);
    else if (word === 'REVOKE') { owner.run(['grant', 'revoke', rest]); child.stdin.write('done\n'); }
    else last = line;
  }
  assert.equal(await ended, 0, said);
  return last;
}
