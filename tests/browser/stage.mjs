// A server with invented data, an agent's client that signs in, and a browser in front of both.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

export const PASSWORD = 'three quiet words';

// Without these, Chromium talks to its maker at every start.
export const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

export async function openStage(program) {
  const directory = await mkdtemp(join(tmpdir(), 'pdpp-browser-'));
  const data = join(directory, 'data');
  const env = { HOME: directory, PATH: process.env.PATH ?? '', PDPP_DATA_DIR: data, TZ: 'Europe/Berlin' };
  const child = spawn(program, ['demo', '--json', '--listen', '127.0.0.1:0'], {
    env, stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (bytes) => { said += bytes; });
  const ready = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)));
    child.once('exit', (code) => reject(new Error(`the demo ended with ${code}: ${said}`)));
  });
  const browser = await chromium.launch({
    executablePath: process.env.PDPP_CHROMIUM ?? '/usr/bin/chromium', args: FLAGS,
  });
  return {
    base: ready.base_url,
    mcp: ready.mcp_url,
    program,
    agentToken: ready.access_token,
    browser,
    setupUrl: () => said.match(/http\S+\/owner\/setup\?code=\S+/)?.[0],
    // What the owner does on the machine itself.
    run(args, input) {
      const done = spawnSync(program, [...args, '--data-dir', join(data, 'demo')], { env, input, encoding: 'utf8' });
      if (done.status !== 0) throw new Error(`pdpp ${args.join(' ')}: ${done.stderr}`);
      return done.stdout;
    },
    async close() {
      await browser.close();
      child.removeAllListeners('exit');
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

// A client that registers itself and waits for its answer on this machine, as agents do.
export async function newClient(stage, { name = 'Test agent', redirect, more = {} } = {}) {
  let answered;
  const answer = new Promise((resolve) => { answered = resolve; });
  const server = createServer((request, response) => {
    if (request.url.startsWith('/callback')) {
      answered({ method: request.method, headers: request.headers, url: new URL(request.url, 'http://x') });
    }
    response.setHeader('content-type', 'text/html');
    response.end('<h1>back at the client</h1>');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const here = redirect ?? `http://127.0.0.1:${server.address().port}/callback`;
  const registered = await post(`${stage.base}/oauth/register`, {
    client_name: name, redirect_uris: [here], token_endpoint_auth_method: 'none', ...more,
  });
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const question = () => {
    const url = new URL('/oauth/authorize', stage.base);
    url.search = new URLSearchParams({
      response_type: 'code', client_id: registered.client_id, redirect_uri: here, state: 'the state',
      code_challenge: challenge, code_challenge_method: 'S256', resource: stage.mcp,
    });
    return url.href;
  };
  return {
    id: registered.client_id,
    question,
    answer,
    origin: `http://127.0.0.1:${server.address().port}`,
    async token(code) {
      const body = new URLSearchParams({
        grant_type: 'authorization_code', code, client_id: registered.client_id,
        redirect_uri: here, code_verifier: verifier,
      });
      const response = await fetch(`${stage.base}/oauth/token`, { method: 'POST', body });
      return response.json();
    },
    close: () => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); }),
  };
}

export async function post(url, body, headers = {}) {
  const response = await fetch(url, {
    method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers },
  });
  return response.json();
}

// One tool call at /mcp; answers the status too, because a dead access is a 401.
export async function call(stage, token, name, args) {
  const response = await fetch(stage.mcp, {
    method: 'POST',
    headers: {
      'content-type': 'application/json', accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`, 'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  const text = await response.text();
  return { status: response.status, text, result: response.ok ? JSON.parse(text).result : undefined };
}

// Types the password where it is asked for. Every question of an agent asks for it.
export async function enter(page) {
  await page.fill('#password', PASSWORD);
  await Promise.all([page.waitForURL(/\/owner\/s\/[0-9a-f]{32}\//), page.click('button.main')]);
}

// Opens an agent's question and gives the password for it.
export async function ask(page, question) {
  await page.goto(question);
  await enter(page);
}

// A browser of its own, signed in; `root` is what the addresses of its session begin with.
export async function signedIn(stage, options = {}) {
  const context = await stage.browser.newContext(options);
  const page = await context.newPage();
  await page.goto(`${stage.base}/owner/login`);
  await enter(page);
  assert.match(page.url(), /\/home$/);
  return { context, page, root: page.url().replace(/\/home$/, '') };
}
