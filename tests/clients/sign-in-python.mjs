// Signing in with the official Python SDK: it plays sign_in.py and hands the owner's part over.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openCallback } from './callback.mjs';
import { newOwner } from './chromium.mjs';

export async function check(demo) {
  const owner = newOwner(demo);
  const callback = await openCallback();
  try {
    await owner.signIn();
    return await play(demo, owner, callback);
  } finally {
    await callback.close();
    await owner.close();
  }
}

async function play(demo, owner, callback) {
  const interpreter = process.env.PDPP_CLIENTS_PYTHON ?? 'python3';
  const script = fileURLToPath(new URL('sign_in.py', import.meta.url));
  const child = spawn(interpreter, [script, demo.url, callback.url], { stdio: ['pipe', 'pipe', 'pipe'], timeout: 120_000 });
  let said = '';
  child.stderr.on('data', (bytes) => { said += bytes; });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let last = '';
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, rest] = line.split(/ (.*)/s);
    if (word === 'OWNER') child.stdin.write(`${await callback.during(() => owner.allow(rest))}\n`);
    else if (word === 'REVOKE') { await owner.end(rest); child.stdin.write('done\n'); }
    else last = line;
  }
  assert.equal(await ended, 0, said);
  return last;
}
