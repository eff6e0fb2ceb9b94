// A program that held the server's port left a service worker in the browser, under a script that the
// browser keeps. The owner signs in as soon as the server is back. The worker tells its program all that it
// sees: no page, no address of a session and no CSRF token is among it.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enter, withBrowser } from './either_browser.mjs';
import { asPage, closed, FOR_A_YEAR, listening, start } from './same_port.mjs';
import { newClient } from './stage.mjs';

// What a worker does with a request, by the part of the server that it answers for.
const TELLING = "const tell = async (answer) => { const copy = answer.clone(); report(answer.url + ' ' + await answer.text()); return copy; };";
const WORKERS = {
  passesOn: ['/', `${TELLING} event.respondWith(fetch(event.request).then(tell));`],
  asksAnew: ['/', `${TELLING} if (event.request.method === 'GET') event.respondWith(fetch(event.request.url, { credentials: 'include' }).then(tell));`],
  loadsAhead: ['/', `${TELLING} if (event.preloadResponse) event.respondWith(event.preloadResponse.then((answer) => (answer ? tell(answer) : fetch(event.request))));`],
  watches: ['/', ''],
  watchesSessions: ['/owner/s/', `${TELLING} event.respondWith(fetch(event.request).then(tell));`],
};

export async function aWorkerLeftBehindLearnsNothingInChromium(stage) {
  for (const name of Object.keys(WORKERS)) await everything(stage, 'chrome', name);
}

export async function aWorkerLeftBehindLearnsNothingInFirefox(stage) {
  for (const name of Object.keys(WORKERS)) await everything(stage, 'firefox', name);
}

async function everything(stage, kind, name) {
  const directory = await mkdtemp(join(tmpdir(), 'pdpp-worker-'));
  const told = [];
  const program = await listening(0, (place, response, request) => {
    let text = '';
    request.on('data', (bytes) => { text += bytes; });
    request.on('end', () => { told.push(text); response.end(); });
  });
  let server = await start(stage, directory, 0);
  try {
    const { base } = server;
    await withBrowser(kind, async (browser) => {
      await server.close();
      const page = await browser.newPage();
      await leaveWorker(page, new URL(base).port, name, program.address().port);
      server = await start(stage, directory, new URL(base).port);
      const before = told.length;
      await signInAtOnce(browser, base, name);
      const learned = told.slice(before).join('\n');
      assert.doesNotMatch(learned, /\/owner\/s\/[0-9a-f]{32}/, `${name}: no address of a session`);
      assert.doesNotMatch(learned, /csrf_token|owner password|wants to read/, `${name}: no page`);
    });
  } finally {
    await server.close();
    await closed(program);
    await rm(directory, { recursive: true, force: true });
  }
}

// The owner follows an app's question, types the password where it is asked for, and decides.
async function signInAtOnce(browser, base, name) {
  const client = await newClient({ base, mcp: `${base}/mcp` });
  try {
    let page = await browser.newPage();
    await page.goto(client.question());
    const until = Date.now() + 30_000;
    while (!(await page.$('#password')) && Date.now() < until) {
      await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistrations()).length === 0, { timeout: 20_000 });
      // In a tab of its own: the first one is being opened anew.
      page = await browser.newPage();
      await page.goto(client.question());
    }
    await enter(page);
    assert.match(page.url(), /\/consent\//, name);
    await page.goto(page.url());
    assert.ok(await page.$('#consent'), `${name}: the owner can decide`);
  } finally {
    await client.close();
  }
}

async function leaveWorker(page, port, name, program) {
  const [scope, act] = WORKERS[name];
  const script = `const report = (text) => fetch('http://127.0.0.1:${program}/', { method: 'POST', mode: 'no-cors', body: text });
    self.addEventListener('install', () => self.skipWaiting());
    self.addEventListener('activate', (event) => event.waitUntil((async () => {
      if (${name === 'loadsAhead'}) await self.registration.navigationPreload?.enable();
      await self.clients.claim();
      await report('here');
    })()));
    self.addEventListener('fetch', (event) => { report(event.request.method + ' ' + event.request.url); ${act} });`;
  const register = `navigator.serviceWorker.register('/worker.js', { scope: '${scope}', updateViaCache: 'all' })
    .then(({ installing: worker }) => new Promise((done) => { worker.onstatechange = () => worker.state === 'activated' && done(); }))
    .then(() => { document.title = 'left'; })`;
  const taken = await listening(port, (place, response) => {
    if (place !== '/worker.js') return asPage(response, `<script>${register}</script>`);
    response.writeHead(200, { 'content-type': 'text/javascript', ...FOR_A_YEAR, 'service-worker-allowed': '/' });
    return response.end(script);
  });
  try {
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.waitForFunction(() => document.title === 'left');
    await page.goto('about:blank');
  } finally {
    await closed(taken);
  }
}
