// A demo server in a directory of its own, and how each transport reaches it.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export async function startDemo(program) {
  const directory = await mkdtemp(join(tmpdir(), 'pdpp-clients-'));
  const environment = { HOME: directory, PATH: process.env.PATH ?? '', PDPP_DATA_DIR: join(directory, 'data') };
  const child = spawn(program, ['demo', '--json', '--listen', '127.0.0.1:0'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A check that fails outside of its own promise ends this process at once.
  process.once('exit', () => child.kill());
  const ready = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)));
    child.once('exit', (code) => reject(new Error(`the demo ended with ${code}`)));
  });
  return {
    program,
    directory,
    environment,
    url: ready.mcp_url,
    token: ready.access_token,
    store: join(directory, 'data', 'demo'),
    stdio: ['mcp', '--client', 'demo-agent', '--data-dir', join(directory, 'data', 'demo')],
    async stop() {
      child.removeAllListeners('exit');
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

// A front door that adds the token, for a client that has no way to send one.
export async function withToken(demo) {
  const target = new URL(demo.url);
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${demo.token}` };
    const own = `127.0.0.1:${server.address().port}`;
    // Only our own name is translated; a forged one must reach the server as it is.
    if (headers.host === own || headers.host === own.replace('127.0.0.1', 'localhost')) {
      headers.host = target.host;
    }
    const passed = request(
      { host: target.hostname, port: target.port, path: incoming.url, method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    close: () => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); }),
  };
}
