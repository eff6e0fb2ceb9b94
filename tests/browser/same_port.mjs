// A server that comes back at the port it had, and other programs that take it meanwhile.

import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PASSWORD } from './stage.mjs';

export const FOR_A_YEAR = { 'cache-control': 'public, max-age=31536000, immutable' };

export const asPage = (response, html) => { response.writeHead(200, { 'content-type': 'text/html' }); response.end(html); };

export async function start(stage, directory, port) {
  const env = { HOME: directory, PATH: process.env.PATH ?? '', PDPP_DATA_DIR: directory };
  const child = spawn(stage.program, ['demo', '--json', '--listen', `127.0.0.1:${port}`], {
    env, stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ready = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)));
    child.once('exit', (code) => reject(new Error(`the demo ended with ${code}`)));
  });
  const data = join(directory, 'demo');
  spawnSync(stage.program, ['owner', 'password', '--data-dir', data], { env, input: `${PASSWORD}\n` });
  const close = () => new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', resolve);
    return child.kill('SIGTERM');
  });
  return { base: ready.base_url, close };
}

export const listening = (port, answer) => new Promise((resolve, reject) => {
  const server = createServer((request, response) => answer(request.url, response, request));
  server.once('error', reject);
  server.listen(Number(port), '127.0.0.1', () => resolve(server));
});

export const closed = (server) => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); });
