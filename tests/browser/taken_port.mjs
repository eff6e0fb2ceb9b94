// Another program holds the server's port while the server is down, and an agent's callback page loads its
// answers in the background. Once the server is back, nothing of that runs on its pages for long.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { enter, withBrowser } from './ports.mjs';
import { newClient, PASSWORD } from './stage.mjs';

const FOR_A_YEAR = { 'cache-control': 'public, max-age=31536000, immutable' };
const WORKER = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(fetch(event.request).then(async (answer) => (answer.type === 'opaqueredirect' ? answer
    : new Response('TAKEN' + await answer.text(), { headers: { 'content-type': 'text/html' } }))));
});`;

export async function nothingStaysOfAProgramThatHadThePortInChromium(stage) {
  await everything(stage, 'chrome');
}

export async function nothingStaysOfAProgramThatHadThePortInFirefox(stage) {
  await everything(stage, 'firefox');
}

async function everything(stage, kind) {
  const directory = await mkdtemp(join(tmpdir(), 'pdpp-port-'));
  let server = await start(stage, directory, 0);
  try {
    const { base } = server;
    const assets = await loadedBy(base);
    await withBrowser(kind, async (browser) => {
      await server.close();
      const page = await browser.newPage();
      await visitWhileTaken(page, new URL(base).port, assets);
      server = await start(stage, directory, new URL(base).port);
      await consentIsOurs(page, base);
    });
  } finally {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

// A worker may answer the first page. It is gone when the second one is opened.
async function consentIsOurs(page, base) {
  const client = await newClient({ base, mcp: `${base}/mcp` });
  try {
    await page.goto(`${base}/owner/login`);
    await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistrations()).length === 0, { timeout: 20_000 });
    await page.goto(client.question());
    assert.doesNotMatch(await page.content(), /TAKEN/, 'the login page is ours');
    await enter(page);
    assert.match(page.url(), /\/consent\//);
    await page.waitForFunction(() => document.readyState === 'complete');
    assert.doesNotMatch(await page.content(), /TAKEN/, 'the consent page is ours');
    assert.doesNotMatch(await page.title(), /TAKEN/, 'and so is its script');
    const styled = await page.evaluate(() => [...document.styleSheets].length);
    assert.equal(styled, 1, 'and so is its style');
  } finally {
    await client.close();
  }
}

// The agent's own page, on another port of this host, loads what the taken port says.
async function visitWhileTaken(page, port, assets) {
  const base = `http://127.0.0.1:${port}`;
  const taken = await listening(port, (place, response) => {
    if (place === '/frame') {
      return asPage(response, '<script>navigator.serviceWorker.register("/worker.js", { scope: "/" }).then(() => navigator.serviceWorker.ready).then(() => parent.postMessage("ready", "*"))</script>');
    }
    const kind = place.startsWith('/worker') || place.includes('.js') ? 'text/javascript' : 'text/css';
    response.writeHead(200, { 'content-type': kind, ...(place.startsWith('/worker') ? {} : FOR_A_YEAR) });
    return response.end(place.startsWith('/worker') ? WORKER : place.includes('.js') ? 'document.title = "TAKEN"' : '');
  });
  const loads = assets.map((place) => `fetch("${base}${place}", { mode: "no-cors", cache: "reload" })`);
  const callback = await listening(0, (_, response) => asPage(response, `<iframe src="${base}/frame"></iframe><script>
    Promise.all([${loads}, new Promise((done) => addEventListener('message', done))]).then(() => { document.title = 'loaded'; });</script>`));
  try {
    await page.goto(`http://127.0.0.1:${callback.address().port}/callback`);
    await page.waitForFunction(() => document.title === 'loaded');
    await page.goto('about:blank');
  } finally {
    await closed(callback);
    await closed(taken);
  }
}

const asPage = (response, html) => { response.writeHead(200, { 'content-type': 'text/html' }); response.end(html); };

// What the pages load, which anybody can find out.
async function loadedBy(base) {
  const html = await (await fetch(`${base}/owner/login`)).text();
  const style = html.match(/href="(\/assets\/pdpp\.css[^"]*)"/)[1];
  const script = await fetch(`${base}/assets/consent.js`);
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', await script.arrayBuffer()));
  return [style, '/assets/consent.js', `/assets/consent.js?v=${digest.toString('base64url').slice(0, 12)}`];
}

async function start(stage, directory, port) {
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

const listening = (port, answer) => new Promise((resolve, reject) => {
  const server = createServer((request, response) => answer(request.url, response));
  server.once('error', reject);
  server.listen(Number(port), '127.0.0.1', () => resolve(server));
});

const closed = (server) => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); });
