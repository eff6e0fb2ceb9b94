// The official conformance suite against the product's own listener, in both requirement sets.
// Scenarios that need tools of the suite's own fixture server are expected to fail; the lists
// beside this file say why for each, and a scenario that begins to pass must leave its list.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withToken } from './demo.mjs';
import { spawn } from 'node:child_process';

const SUITE = fileURLToPath(new URL('node_modules/.bin/conformance', import.meta.url));

export async function check(demo) {
  const front = await withToken(demo);
  const output = await mkdtemp(join(tmpdir(), 'pdpp-conformance-'));
  try {
    for (const requirements of ['2025-11-25', '2026-07-28']) {
      const expected = fileURLToPath(new URL(`expected-failures-${requirements}.yml`, import.meta.url));
      const ran = await run(['server', '--url', front.url, '--requirements', requirements,
        '--expected-failures', expected, '-o', join(output, requirements)]);
      if (ran.code !== 0) throw new Error(`${requirements}\n${ran.said}`);
    }
  } finally {
    await front.close();
    await rm(output, { recursive: true, force: true });
  }
  return 'both requirement sets, with the expected failures and no other';
}

// Not a synchronous run: the front door lives in this process.
function run(rest) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [SUITE, ...rest], { timeout: 180_000 });
    let said = '';
    child.stdout.on('data', (data) => { said += data; });
    child.stderr.on('data', (data) => { said += data; });
    child.on('close', (code) => resolve({ code, said }));
  });
}
