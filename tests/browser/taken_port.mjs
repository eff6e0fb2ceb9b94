// Another program holds the server's port while the server is down, and an agent's callback page loads its
// answers in the background. Once the server is back, nothing of that runs on its pages for long.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enter, withBrowser } from './either_browser.mjs';
import { asPage, closed, FOR_A_YEAR, listening, start } from './same_port.mjs';
import { newClient } from './stage.mjs';

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
      await consentIsOurs(browser, page, base);
    });
  } finally {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

// A worker may answer the first page. It is gone when the second one is opened.
async function consentIsOurs(browser, first, base) {
  const client = await newClient({ base, mcp: `${base}/mcp` });
  try {
    await first.goto(`${base}/owner/login`);
    await first.waitForFunction(async () => (await navigator.serviceWorker.getRegistrations()).length === 0, { timeout: 20_000 });
    // In a tab of its own: the first one is being opened anew.
    const page = await browser.newPage();
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

// What the pages load, which anybody can find out.
async function loadedBy(base) {
  const html = await (await fetch(`${base}/owner/login`)).text();
  const style = html.match(/href="(\/assets\/pdpp\.css[^"]*)"/)[1];
  const script = await fetch(`${base}/assets/consent.js`);
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', await script.arrayBuffer()));
  return [style, '/assets/consent.js', `/assets/consent.js?v=${digest.toString('base64url').slice(0, 12)}`];
}
