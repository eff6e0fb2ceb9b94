// The official conformance suite's authorization scenarios against the product's own endpoints.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Owner } from './owner.mjs';

const SUITE = fileURLToPath(new URL('node_modules/.bin/conformance', import.meta.url));

export async function check(demo) {
  const owner = new Owner(demo);
  await owner.signIn();
  const port = await freePort();
  const registered = await fetch(`${owner.base}/oauth/register`, {
    method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Conformance', redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
  });
  const { client_id: id } = await registered.json();
  const output = await mkdtemp(join(tmpdir(), 'pdpp-authorization-'));
  try {
    const args = [SUITE, 'authorization', '--url', owner.base, '--client-id', id, '--port', String(port), '-o', output];
    const child = spawn(process.execPath, args, { timeout: 120_000 });
    let said = '';
    let asked = false;
    const listen = async (bytes) => {
      said += bytes;
      const question = said.match(/http\S+\/oauth\/authorize\?[^\s'"]+/)?.[0];
      if (!question || asked) return;
      asked = true;
      await owner.allow(question);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.equal(code, 0, said);
    assert.ok(asked, said);
    return said.match(/\d+ passed[^\n]*/i)?.[0] ?? 'metadata and code grant';
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
