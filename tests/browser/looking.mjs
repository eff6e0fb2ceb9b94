// The owner looks at their own data: home, search, a timeline, a record and its files.

import assert from 'node:assert/strict';
import { signedIn } from './stage.mjs';

// With and without scripts the way is the same: links and forms.
export async function findAndReadARecord(stage) {
  for (const javaScriptEnabled of [true, false]) {
    const { context, page, root } = await signedIn(stage, { javaScriptEnabled });
    assert.match(await page.textContent('.lead'), /records in \d+ accounts, .+ on disk/);
    await page.fill('#q', 'boiler');
    await page.click('main button.main');
    await page.waitForURL(/\/search\?q=boiler/);
    const hit = page.locator('.hits li').first();
    assert.match(await hit.innerHTML(), /<mark>[^<]*boil/i);
    const title = await hit.locator('h2').textContent();
    await hit.locator('h2 a').click();
    assert.equal(await page.textContent('h1'), title);
    await page.click('.back a');
    assert.match(page.url(), new RegExp(`^${stage.base}${new URL(root).pathname}/accounts/cin_\\w+/timeline`));
    assert.ok(await page.locator('.rows li').count() > 0);
    await context.close();
  }
}

// Choosing an account leaves the hits of the others out, and the way back is a link.
export async function narrowASearch(stage) {
  const { context, page, root } = await signedIn(stage);
  await page.goto(`${root}/search?q=boiler`);
  const all = await page.locator('.hits li').count();
  const account = await page.locator('select[name=account] option').nth(1).textContent();
  await page.selectOption('select[name=account]', { label: account });
  await page.click('main button.main');
  const sources = await page.locator('.hits .note').allTextContents();
  assert.ok(sources.length <= all && sources.every((text) => text.startsWith(account)), sources.join());
  await page.goto(`${root}/search?q=boiler&time=2001`);
  await page.click('text=Search in everything');
  assert.equal(await page.locator('.hits li').count(), all);
  await context.close();
}

// On a phone the navigation is one row, and nothing is wider than the screen.
export async function onAPhone(stage) {
  const { context, page, root } = await signedIn(stage, { viewport: { width: 375, height: 700 } });
  for (const place of ['home', 'search?q=boiler', 'accounts', 'access', 'activity', 'settings']) {
    await page.goto(`${root}/${place}`);
    const tops = await page.locator('body > header nav a').evaluateAll((links) => links.map((one) => one.getBoundingClientRect().top));
    assert.equal(new Set(tops).size, 1, `${place}: one row`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 375, `${place}: ${wide} px wide`);
  }
  await context.close();
}
