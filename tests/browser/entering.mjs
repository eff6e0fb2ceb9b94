// Setting the first password, signing in, and the wait after wrong passwords.

import assert from 'node:assert/strict';
import { PASSWORD, signedIn } from './stage.mjs';

export async function firstLink(stage) {
  const page = await stage.browser.newPage();
  const link = stage.setupUrl();
  await page.goto(link);
  await page.fill('#password', PASSWORD);
  await page.fill('#password_again', `${PASSWORD}!`);
  await page.click('button.main');
  assert.match(await page.textContent('[role=alert]'), /do not match/);
  await page.fill('#password', PASSWORD);
  await page.fill('#password_again', PASSWORD);
  await page.click('button.main');
  await page.waitForURL(/\/owner\/s\/[0-9a-f]{32}\/connect$/);
  await page.context().clearCookies();
  await page.goto(link);
  assert.match(await page.textContent('h1'), /no longer valid/, 'the link works once');
  await page.close();
}

export async function wrongPasswordWaits(stage) {
  const page = await stage.browser.newPage();
  await page.goto(stage.base);
  assert.match(page.url(), /\/owner\/login\?next=\/owner$/, 'people are led to their pages');
  await page.goto(`${stage.base}/owner/accounts`);
  assert.match(page.url(), /\/owner\/login\?next=/);
  const attempt = async (password) => {
    await page.fill('#password', password);
    const [answer] = await Promise.all([page.waitForResponse((r) => r.request().method() === 'POST'), page.click('button.main')]);
    return answer;
  };
  for (let n = 0; n < 3; n += 1) assert.equal((await attempt('not the one')).status(), 401);
  const early = await attempt(PASSWORD);
  assert.equal(early.status(), 429, 'the right password has to wait as well');
  assert.ok(Number(early.headers()['retry-after']) >= 1);
  assert.match(await page.textContent('[role=alert]'), /Wait \d+ second/);
  // The owner on the machine itself is never kept out.
  stage.run(['owner', 'password'], `${PASSWORD}\n`);
  assert.equal((await attempt(PASSWORD)).status(), 303);
  await page.waitForURL(/\/owner\/s\/[0-9a-f]{32}\/accounts$/);
  const inside = page.url();
  await page.click('text=Sign out');
  await page.goto(inside);
  assert.match(page.url(), /\/owner\/login\?next=\/owner\/accounts$/, 'signed out, and the address is told to nobody');
  await page.close();
}

export async function everyPageOpens(stage) {
  const { context, page, root } = await signedIn(stage);
  for (const [name, heading] of [
    ['Access', 'Who may read your data'], ['Accounts', 'Your accounts'], ['Activity', 'Activity'],
    ['Connect an agent', 'Connect an agent'], ['Settings', 'Settings'],
  ]) {
    // A page that the navigation does not name is opened from others.
    if (name === 'Connect an agent') await page.goto(`${root}/connect`);
    else await page.click(`nav >> text="${name}"`);
    assert.equal(await page.textContent('h1'), heading);
    const size = (await page.content()).length;
    assert.ok(size < 30_000, `${name} has ${size} bytes`);
  }
  await context.close();
}
