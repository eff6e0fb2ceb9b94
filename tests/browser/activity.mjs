// Looking at what agents do and stopping them; pages for everybody.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { call, enter, newClient, signedIn } from './stage.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function stopAPartThenAllOfIt(stage) {
  const { context, page, root } = await signedIn(stage);
  const works = async () => (await call(stage, stage.agentToken, 'schema', {})).status;
  assert.equal(await works(), 200);
  await page.goto(`${root}/access`);
  await page.click('h2 >> text=demo-agent');
  assert.match(await page.textContent('main'), /Activity/);
  // Reads are noted off their own path, a moment later.
  const until = Date.now() + 10_000;
  while (!/Listed what it may read/.test(await page.textContent('main'))) {
    assert.ok(Date.now() < until, 'the read is told');
    await page.reload();
  }
  await page.click('button[aria-label="Stop this account: Notes"]');
  assert.match(await page.textContent('[role=status]'), /other accounts continues/);
  const gone = await call(stage, stage.agentToken, 'query_records', { stream: 'notes' });
  assert.doesNotMatch(gone.text, /retrospective/);
  assert.equal(await works(), 200);
  await page.click('text=Stop this access');
  assert.match(await page.textContent('[role=status]'), /no longer read anything/);
  assert.equal(await works(), 401);
  await page.click('nav >> text=Activity');
  assert.match(await page.textContent('table'), /Stopped access/);
  await page.click('text=Verify the log');
  assert.match(await page.textContent('[role=status]'), /Log verified/);
  await context.close();
}

// Sixteen agents read in a loop while the owner clicks.
export async function noReadAfterTheStop(stage) {
  const { context, page, root } = await signedIn(stage);
  const grant = ['grant', 'create', '--client', 'busy-agent', '--allow', 'personal-mail', '--json'];
  const { access_token: token, package_id: id } = JSON.parse(stage.run(grant));
  let ended = false;
  let answered = 0;
  let areReading;
  const reading = new Promise((resolve) => { areReading = resolve; });
  const agents = Array.from({ length: 16 }, async () => {
    for (let refused = 0; refused < 3;) {
      const after = ended;
      const answer = await call(stage, token, 'search', { query: 'boiler', limit: 3 });
      if (after) {
        assert.equal(answer.status, 401, answer.text);
        refused += 1;
      } else if (answer.status === 200) {
        assert.ok(answer.result.structuredContent.results.length, answer.text);
        answered += 1;
        if (answered === 64) areReading();
      }
    }
  });
  await Promise.race([reading, Promise.all(agents)]);
  await page.goto(`${root}/access/${id}`);
  const [clicked] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'), page.click('text=Stop this access'),
  ]);
  ended = true;
  assert.equal(clicked.status(), 303);
  await Promise.all(agents);
  await context.close();
}

export async function renameAndStopEverything(stage) {
  const { context, page, root } = await signedIn(stage);
  await page.goto(`${root}/accounts`);
  await page.click('a >> text=Calendar');
  await page.fill('#name', 'Family <b>calendar</b>');
  await page.click('text=Save');
  assert.equal(await page.textContent('h1'), 'Family <b>calendar</b>');
  await page.fill('#name', 'Calendar');
  await page.click('text=Save');
  await page.goto(`${root}/access`);
  const all = page.locator('button', { hasText: 'Stop all access' });
  if (await all.count()) {
    await all.click();
    assert.match(await page.textContent('main'), /No agent has access/);
  }
  await context.close();
}

export async function pagesForEverybody(stage) {
  const client = await newClient(stage, { name: 'An assistant whose name is longer than anybody would want to read' });
  for (const options of [
    { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
    { viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
  ]) {
    const { context, page, root } = await signedIn(stage, { ...options, bypassCSP: true });
    const account = await page.goto(`${root}/accounts`).then(() => page.getAttribute('tbody a', 'href'));
    const access = await page.goto(`${root}/access`).then(() => page.getAttribute('.card h2 a, .past a', 'href'));
    const pages = ['access', 'accounts', 'activity', 'connect', 'settings', 'device', 'confirm', 'nothing'].map((name) => `${root}/${name}`);
    const places = [...pages, access, account];
    // The question comes first, so that the log holds the long name.
    const faulty = client.question().replace('S256', 'plain');
    for (const place of [client.question(), faulty, ...places, '/owner/login', `/owner/login?next=/device`]) {
      // Folded parts are looked at as well.
      await page.goto(new URL(place, stage.base).href);
      if (place.includes('/oauth/authorize')) await enter(page);
      await page.evaluate(() => { for (const one of document.querySelectorAll('details')) one.open = true; });
      await page.evaluate(axe);
      const found = await page.evaluate(() => globalThis.axe.run());
      const serious = found.violations.filter((one) => ['serious', 'critical'].includes(one.impact));
      assert.deepEqual(serious.map((one) => [one.id, one.nodes.map((node) => node.html)]), [], `${place} ${JSON.stringify(options)}`);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(over <= 0, `${place} is ${over} pixels too wide at ${options.viewport.width}`);
      const squeezed = await page.evaluate(() => [...document.querySelectorAll('td')]
        .filter((cell) => cell.textContent.length > 20 && cell.getBoundingClientRect().width < 120)
        .map((cell) => cell.textContent));
      assert.deepEqual(squeezed, [], `${place} squeezes cells at ${options.viewport.width}`);
    }
    await context.close();
  }
  await client.close();
}
