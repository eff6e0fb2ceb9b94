// The official conformance suite's scenarios for clients that sign in, against `pdpp connect`. The
// list beside this file says which of them are not for it, and why.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const SUITE = file('node_modules/.bin/conformance');
const EXPECTED = file('expected-failures-connect.yml');

export async function check(demo) {
  const output = await mkdtemp(join(tmpdir(), 'pdpp-connect-'));
  try {
    const command = [process.execPath, file('connect-client.mjs'), demo.program].join(' ');
    const args = [SUITE, 'client', '--suite', 'auth', '--command', command, '--expected-failures', EXPECTED, '-o', output];
    // Nothing of the caller's environment: `connect` looks at all of it.
    const env = { HOME: output, PATH: process.env.PATH, PDPP_CONNECT_HOMES: output };
    const child = spawn(process.execPath, args, { timeout: 180_000, env });
    let said = '';
    child.stdout.on('data', (data) => { said += data; });
    child.stderr.on('data', (data) => { said += data; });
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.equal(code, 0, said);
    const left = (await readFile(EXPECTED, 'utf8')).match(/^  - /gm)?.length ?? 0;
    const passed = said.match(/^✓ /gm)?.length ?? 0;
    assert.ok(passed + left > 20, `the suite ran: ${said}`);
    return `${passed} scenarios of signing in pass, ${left} are not for us`;
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}
