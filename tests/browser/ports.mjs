// Other ports of the same host: browsers send them the host's cookies, and agents' callbacks are such
// ports. Whatever one receives, in Chromium and in Firefox, opens nothing.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { enter, withBrowser } from './either_browser.mjs';
import { openWitness, serverAt } from './witness.mjs';

const HOSTS = ['127.0.0.1', 'localhost', '[::1]'];
// Places that an agent might choose for its callback, or lead the owner's browser to.
const VISITED = ['/', '/owner', '/owner/login', '/owner/access', '/owner/s/x/access', '/oauth/consent/x', '/device'];
const ROUTES = [
  '/owner', '/owner/access', '/owner/accounts', '/owner/activity', '/owner/activity/export', '/owner/connect', '/owner/settings',
  '/owner/s/x', '/owner/s/x/access', '/owner/s/x/settings', '/owner/s/x/authorize', '/owner/s/x/activity/export', '/device', '/oauth/consent/x',
];
const OWN_PAGE = /Who may read|<h1>Your data|Your accounts|<h1>Activity|wants to read your data|Sign out|type="application\/x-ndjson/;

export async function otherPortsOpenNothingInChromium(stage) {
  await everyHost(stage, 'chrome');
}

export async function otherPortsOpenNothingInFirefox(stage) {
  await everyHost(stage, 'firefox');
}

export async function plantedCookiesDoNoHarmInChromium(stage) {
  await planted(stage, 'chrome');
}

export async function plantedCookiesDoNoHarmInFirefox(stage) {
  await planted(stage, 'firefox');
}

async function everyHost(stage, kind) {
  await withBrowser(kind, async (browser) => {
    for (const host of HOSTS) await oneHost(stage, browser, host);
  });
}

async function oneHost(stage, browser, host) {
  const server = await serverAt(stage, host);
  const witness = await openWitness(host);
  try {
    const page = await browser.newPage();
    const addresses = [];
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await page.goto(`${server.base}/owner`);
    await enter(page);
    const home = page.url();
    for (const place of VISITED) await page.goto(`${witness.base}${place}`);
    await decisions(page, server, witness);
    await device(page, server, witness);
    await page.goto(home);
    assert.match(await text(page), /Who may read/, 'the owner is still signed in');

    const secrets = addresses.map((address) => address.match(/\/owner\/s\/([0-9a-f]{32})/)?.[1]).filter(Boolean);
    assert.ok(witness.received.length >= VISITED.length + 3, 'the witness was visited');
    for (const one of witness.received) {
      const all = JSON.stringify(one);
      for (const secret of secrets) assert.ok(!all.includes(secret), `${host}: a session's address reached another port: ${all}`);
      assert.ok(!one.headers.referer?.startsWith(`${server.base}/`), `${host}: ${all}`);
    }
    await replay(server, witness.received);
    await page.close();
  } finally {
    await witness.close();
    await server.close();
  }
}

// Allow, Refuse and an error: each ends at the client's own address.
async function decisions(page, server, witness) {
  const back = async (client, act) => {
    const came = witness.next('/callback');
    await page.goto(client);
    await enter(page);
    await act();
    const { url } = await came;
    await arrived(page, witness.base);
    return new URL(url, witness.base).searchParams;
  };
  const allowed = await back(await server.question(witness), async () => {
    await page.waitForSelector('input[name=stream]');
    await page.evaluate(() => {
      for (const one of document.querySelectorAll('details')) one.open = true;
      document.querySelector('input[name=stream]').click();
    });
    await page.waitForFunction(() => !document.querySelector('#consent[aria-busy]') && !document.querySelector('button[value=allow]').disabled);
    await page.click('button[value=allow]');
  });
  assert.ok(allowed.get('code'), 'allowed');
  const refused = await back(await server.question(witness), async () => {
    await page.waitForSelector('button[value=refuse]');
    await page.click('button[value=refuse]');
  });
  assert.equal(refused.get('error'), 'access_denied');
  const faulty = await back(await server.question(witness, { code_challenge_method: 'plain' }), async () => {
    // The owner sees our page first; a click tells the app.
    await page.waitForSelector('a[rel=noreferrer]');
    await page.click('a[rel=noreferrer]');
  });
  assert.equal(faulty.get('error'), 'invalid_request');
}

async function device(page, server, witness) {
  const code = await server.deviceCode();
  await page.goto(`${server.base}/device`);
  await enter(page);
  await page.waitForSelector('#user_code');
  await page.type('#user_code', code);
  await Promise.all([page.waitForSelector('button[value=refuse]'), page.click('button.main')]);
  await Promise.all([page.waitForFunction(() => /Access refused/.test(document.querySelector('h1')?.textContent)), page.click('button[value=refuse]')]);
  const came = witness.next('/after-the-device');
  // Followed from our page, as a link in it would be.
  await page.evaluate((url) => { location.href = url; }, `${witness.base}/after-the-device`);
  await came;
  await arrived(page, witness.base);
}

// Another port plants cookies of our names with every path it can think of.
async function planted(stage, kind) {
  await withBrowser(kind, async (browser) => {
    const server = await serverAt(stage, '127.0.0.1');
    const witness = await openWitness('127.0.0.1');
    try {
      const page = await browser.newPage();
      await page.goto(`${server.base}/owner`);
      await enter(page);
      const home = page.url();
      const junk = 'ab'.repeat(32);
      witness.plant = ['/', '/owner', '/owner/s', '/owner/login', '/device'].flatMap((path) => [
        `pdpp_owner_session=${junk}; Path=${path}`, `pdpp_owner_session=x; Path=${path}; Max-Age=0`,
        `pdpp_owner_browser=${junk}.${junk}; Path=${path}`, `__Secure-pdpp_owner_session=${junk}; Path=${path}; Secure`,
        ...Array.from({ length: 5 }, (_, n) => `other${n}=${junk}; Path=${path}`),
      ]);
      witness.plant.push(...['/', '/owner', '/owner/s', '/owner/login'].map((path) => `pdpp_owner_session=${junk}; Path=${path}`));
      await page.goto(`${witness.base}/`);
      await page.goto(home);
      assert.match(await text(page), /Who may read/, 'a planted cookie signs nobody out');
      await page.goto(`${server.base}/owner`);
      assert.ok(await page.$('#password'), 'and signs nobody in');
      await enter(page);
      assert.match(await text(page), /Who may read/, 'and keeps nobody out');
      await page.goto(`${witness.base}/`);
      await replay(server, witness.received);
      await page.close();
    } finally {
      await witness.close();
      await server.close();
    }
  });
}

// The page of another server is there, and nothing of ours is on its way any more.
const arrived = (page, base) => page.waitForFunction((url) => location.href.startsWith(url) && document.readyState === 'complete', {}, base);

const text = (page) => page.evaluate(() => document.body.textContent);

// Everything that was received, piece by piece and all of it together, against each route.
async function replay(server, received) {
  const cookies = received.flatMap((one) => (one.headers.cookie ?? '').split('; ')).filter(Boolean);
  const together = { cookie: [...new Set(cookies)].join('; ') };
  const sets = [together, ...received.map((one) => one.headers)];
  const seen = new Set();
  for (const headers of sets) {
    // Whoever replays leaves out what would have the request refused as a script's.
    const left = ['host', 'connection', 'content-length', 'accept-encoding', 'sec-fetch-dest', 'sec-fetch-mode'];
    const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => !left.includes(name)));
    const key = JSON.stringify(rest);
    if (seen.has(key)) continue;
    seen.add(key);
    for (const route of ROUTES) {
      for (const method of ['GET', 'POST']) {
        const sent = method === 'POST' ? { ...rest, origin: server.base, 'sec-fetch-site': 'same-origin' } : rest;
        const answer = await raw(`${server.base}${route}`, method, sent);
        const told = `${method} ${route} with ${key.slice(0, 400)}: ${answer.status} ${answer.body.slice(0, 200)}`;
        assert.doesNotMatch(answer.body, OWN_PAGE, told);
        const login = answer.status === 303 && /^\/owner\/login(\?|$)/.test(answer.location ?? '');
        assert.ok(login || (method === 'POST' && [403, 405].includes(answer.status)), told);
      }
    }
  }
}

function raw(url, method, headers) {
  const { hostname, port, pathname, host } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ host: hostname.replace(/[[\]]/g, ''), port, path: pathname, method, headers: { ...headers, host } }, (answer) => {
      let body = '';
      answer.on('data', (bytes) => { body += bytes; });
      answer.on('end', () => resolve({ status: answer.statusCode, location: answer.headers.location, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}
