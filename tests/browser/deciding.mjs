// The consent page: choosing, refusing, changing one's mind, without scripts, by keyboard.

import assert from 'node:assert/strict';
import { ask, call, newClient, signedIn } from './stage.mjs';

const box = (page, account, stream) =>
  page.locator('details.account', { hasText: account }).locator('.stream', { has: page.locator(`input[value$="/${stream}"]`) });

const open = async (page, account) => {
  const details = page.locator('details.account', { hasText: account });
  if (!(await details.evaluate((one) => one.open))) await details.locator('> summary').click();
};

// The script replaces the buttons when the server has answered.
const settled = (page) => page.waitForFunction(() => !document.querySelector('#consent[aria-busy]')
  && !document.querySelector('button[value=allow]').disabled);

export async function chooseNarrowly(stage) {
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  const client = await newClient(stage, { name: 'Narrow agent' });
  await ask(page, client.question());
  assert.match(page.url(), /\/owner\/s\/[0-9a-f]{32}\/consent\/areq_/);
  assert.match(await page.textContent('#sentence'), /may read\s+nothing/, 'nothing is preselected');
  assert.ok(await page.isDisabled('button[value=allow]'));
  assert.equal(await page.locator('input[name=stream]:checked').count(), 0);
  assert.ok(await page.isChecked('input[name=codes]'), 'codes are left out unless the owner says so');
  assert.match(await page.textContent('.asker'), /Not verified/);

  await open(page, 'Personal mail');
  const mail = box(page, 'Personal mail', 'messages');
  await mail.locator('input[name=stream]').check();
  await mail.locator('summary', { hasText: 'fields' }).click();
  await mail.locator('input[value=subject]').check();
  await mail.locator('input[value=sent_at]').check();
  await mail.locator('summary', { hasText: 'time' }).click();
  await mail.locator('input[type=date]').first().fill('2026-08-01');
  await box(page, 'Personal mail', 'threads').locator('input[name=stream]').check();
  await settled(page);
  await page.waitForFunction(() => document.getElementById('sentence').textContent.includes('threads'));
  const sentence = await page.textContent('#sentence');
  assert.match(sentence, /Personal mail/);
  assert.match(sentence, /only\s+subject and sent at/);
  assert.match(sentence, /from\s+1 Aug 2026/);
  const preview = await page.textContent('#preview');
  assert.match(preview, /What it will see/);
  assert.match(preview, /body text/, 'the hidden field is named');
  assert.match(preview, /too old/, 'a record outside the time is shown as hidden');

  await Promise.all([page.waitForURL(/\/callback/), page.click('button[value=allow]')]);
  const answer = await client.answer;
  assert.equal(answer.method, 'GET');
  assert.equal(answer.headers.referer, undefined);
  assert.equal(answer.url.searchParams.get('state'), 'the state');
  assert.equal(answer.url.searchParams.get('iss'), stage.base);
  const { access_token: token } = await client.token(answer.url.searchParams.get('code'));
  const schema = await call(stage, token, 'schema', {});
  assert.equal(schema.status, 200, schema.text);
  const said = JSON.stringify(schema.result);
  assert.ok(said.includes('threads') && !said.includes('body_text') && !said.includes('calendar'), said);
  const list = await call(stage, token, 'query_records', { stream: 'messages', limit: 50 });
  assert.ok(!list.text.includes('body_text') && !/2026-0[1-7]-/.test(list.text), list.text.slice(0, 500));
  await client.close();
  await context.close();
}

export async function refuse(stage) {
  const { context, page } = await signedIn(stage);
  const client = await newClient(stage);
  await ask(page, client.question());
  await Promise.all([page.waitForURL(/\/callback/), page.click('button[value=refuse]')]);
  const { url } = await client.answer;
  assert.equal(url.searchParams.get('error'), 'access_denied');
  assert.equal(url.searchParams.get('iss'), stage.base);
  await client.close();
  await context.close();
}

export async function reloadTwoTabsAndTwoClicks(stage) {
  const { context, page } = await signedIn(stage);
  const client = await newClient(stage);
  await ask(page, client.question());
  const place = page.url();
  const second = await context.newPage();
  await second.goto(place);
  assert.match(await second.textContent('h1'), /wants to read/, 'the same request in a second tab');
  await second.close();
  await page.reload();
  await open(page, 'Notes');
  await box(page, 'Notes', 'notes').locator('input[name=stream]').check();
  await settled(page);
  // The answer page is held, so that the same decision can be sent again.
  await page.route('**/callback*', (route) => route.abort());
  const form = await page.evaluate(() => new URLSearchParams(new FormData(document.getElementById('consent'))).toString());
  // No script of a page may send it, so it is sent past the page, with the same cookies.
  const decide = async () => {
    const headers = { origin: stage.base, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await context.request.post(`${place}/decision`, { headers, data: `${form}&decision=allow`, maxRedirects: 0 });
    return [answer.status(), (await answer.text()).match(/code=([^&"]+)/)?.[1]];
  };
  const [once, twice] = [await decide(), await decide()];
  assert.equal(once[0], 200);
  assert.ok(once[1]);
  assert.deepEqual(twice, once, 'the same decision has the same answer');
  await client.close();
  await context.close();
}

export async function staleReview(stage) {
  const { context, page } = await signedIn(stage, { javaScriptEnabled: false });
  const client = await newClient(stage);
  await ask(page, client.question());
  await page.locator('details.account', { hasText: 'Team chat' }).locator('summary').first().click();
  await box(page, 'Team chat', 'messages').locator('input[name=stream]').check();
  await page.click('text=Preview');
  assert.match(await page.textContent('#sentence'), /Team chat/);
  stage.run(['connection', 'remove', 'team-chat', '--yes']);
  await page.click('button[value=allow]');
  assert.match(await page.textContent('main'), /request has changed/);
  const listed = JSON.parse(stage.run(['grant', 'list', '--json']));
  assert.ok(!JSON.stringify(listed).includes(client.id), 'nothing was issued');
  await client.close();
  await context.close();
}

export async function withoutScriptsAndOnAPhone(stage) {
  const { context, page } = await signedIn(stage, { javaScriptEnabled: false, viewport: { width: 340, height: 700 } });
  const client = await newClient(stage);
  await ask(page, client.question());
  assert.ok(await page.isDisabled('button[value=allow]'));
  await page.locator('details.account', { hasText: 'Calendar' }).locator('summary').first().click();
  await box(page, 'Calendar', 'events').locator('input[name=stream]').check();
  await page.click('text=Preview');
  assert.match(await page.textContent('#sentence'), /Calendar/);
  // A choice that was changed and not shown is shown before it counts.
  await page.locator('details.account', { hasText: 'Notes' }).locator('summary').first().click();
  await box(page, 'Notes', 'notes').locator('input[name=stream]').check();
  await page.click('button[value=allow]');
  assert.match(await page.textContent('[role=alert]'), /selection has changed/);
  assert.match(await page.textContent('#sentence'), /Notes/);
  await Promise.all([page.waitForURL(/\/callback/), page.click('button[value=allow]')]);
  const { url } = await client.answer;
  assert.ok(url.searchParams.get('code'));
  await client.close();
  await context.close();
}

export async function byKeyboard(stage) {
  const { context, page } = await signedIn(stage);
  const client = await newClient(stage);
  await ask(page, client.question());
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to main content');
  const reach = async (fits) => {
    for (let n = 0; n < 200; n += 1) {
      if (await page.evaluate(fits)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`not reached: ${fits}`);
  };
  await reach(() => document.activeElement.matches('details.account > summary') && document.activeElement.textContent.includes('Calendar'));
  await page.keyboard.press('Enter');
  await reach(() => document.activeElement.matches('input[name=stream][value$="/events"]'));
  await page.keyboard.press('Space');
  await settled(page);
  await reach(() => document.activeElement.matches('button[value=allow]'));
  await Promise.all([page.waitForURL(/\/callback/), page.keyboard.press('Enter')]);
  assert.ok((await client.answer).url.searchParams.get('code'));
  await client.close();
  await context.close();
}

export async function anotherDevice(stage) {
  const { context, page } = await signedIn(stage);
  const client = await newClient(stage, { name: 'Terminal' });
  const body = new URLSearchParams({ client_id: client.id });
  const device = await (await fetch(`${stage.base}/oauth/device_authorization`, { method: 'POST', body })).json();
  await ask(page, `${stage.base}/device`);
  await page.fill('#user_code', 'BBBB-BBBB');
  await page.click('button.main');
  assert.match(await page.textContent('[role=alert]'), /code is not valid/);
  await page.fill('#user_code', device.user_code.toLowerCase().replace('-', ' '));
  await page.click('button.main');
  await page.waitForURL(/\/consent\/areq_/);
  assert.match(await page.textContent('.asker'), /Requested from this computer/);
  await open(page, 'Calendar');
  await box(page, 'Calendar', 'events').locator('input[name=stream]').check();
  await settled(page);
  await page.click('button[value=allow]');
  assert.match(await page.textContent('main'), /Return to your device/);
  const asked = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: device.device_code, client_id: client.id,
  });
  const token = await (await fetch(`${stage.base}/oauth/token`, { method: 'POST', body: asked })).json();
  assert.ok(token.access_token, JSON.stringify(token));
  await client.close();
  await context.close();
}

export async function programsWantAClick(stage) {
  const { context, page } = await signedIn(stage);
  const reports = [];
  page.on('console', (message) => { if (/Content Security Policy/.test(message.text())) reports.push(message.text()); });
  const client = await newClient(stage, { name: 'Cursor', redirect: 'cursor://anysphere.cursor-mcp/oauth/callback' });
  await ask(page, client.question());
  await open(page, 'Calendar');
  await box(page, 'Calendar', 'events').locator('input[name=stream]').check();
  await settled(page);
  await page.click('button[value=allow]');
  await page.waitForSelector('text=Return to Cursor');
  const link = await page.getAttribute('a.main', 'href');
  assert.match(link, /^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=/);
  assert.equal(await page.locator('meta[http-equiv=refresh]').count(), 0);
  assert.deepEqual(reports, []);
  await client.close();
  await context.close();
}

export async function sitesAreLedBackWithoutAForm(stage) {
  const { context, page } = await signedIn(stage);
  const client = await newClient(stage, { name: 'Web agent', redirect: 'https://agent.example/callback?kept=1' });
  await page.route('https://agent.example/**', (route) => route.fulfill({ body: 'back at the site' }));
  await ask(page, client.question());
  assert.match(await page.textContent('.asker'), /agent\.example/);
  await open(page, 'Calendar');
  await box(page, 'Calendar', 'events').locator('input[name=stream]').check();
  await settled(page);
  const [back] = await Promise.all([
    page.waitForRequest((request) => request.url().startsWith('https://agent.example/')),
    page.click('button[value=allow]'),
  ]);
  assert.equal(back.method(), 'GET');
  assert.equal((await back.allHeaders()).referer, undefined);
  assert.match(back.url(), /\?kept=1&code=.+&state=the\+?(%20)?state&iss=/);
  await client.close();
  await context.close();
}

export async function askingAgainShowsWhatChanges(stage) {
  const { context, page, root } = await signedIn(stage);
  const client = await newClient(stage, { name: 'Returning agent' });
  await page.route('**/callback*', (route) => route.abort());
  await ask(page, client.question());
  await open(page, 'Calendar');
  await box(page, 'Calendar', 'events').locator('input[name=stream]').check();
  await settled(page);
  await page.click('button[value=allow]');
  await page.waitForSelector('text=Return to Returning agent');
  await ask(page, `${client.question()}&prompt=consent`);
  assert.match(await page.textContent('main'), /Existing access/);
  assert.match(await page.textContent('#sentence'), /nothing/, 'nothing is preselected the second time either');
  await open(page, 'Notes');
  await box(page, 'Notes', 'notes').locator('input[name=stream]').check();
  await settled(page);
  const changes = await page.textContent('.changes');
  assert.match(changes, /New Notes, notes: body/);
  assert.match(changes, /No longer Calendar, events: title/);
  await page.click('button[value=allow]');
  await page.waitForSelector('text=Return to Returning agent');
  await page.goto(`${root}/access`);
  assert.equal(await page.locator('.card', { hasText: 'Returning agent' }).count(), 1, 'the earlier access ended');
  await client.close();
  await context.close();
}

// A faulty request leads nowhere by itself: the owner sees why, and a click tells the app.
export async function aFaultyRequestIsShownFirst(stage) {
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  const outside = [];
  page.on('request', (request) => { if (!request.url().startsWith(stage.base)) outside.push(request.url()); });
  const client = await newClient(stage, { name: 'Faulty agent' });
  await ask(page, client.question().replace('S256', 'plain'));
  assert.match(await page.textContent('main'), /could not be connected.*code_challenge_method must be S256/s);
  assert.deepEqual(outside, []);
  await page.click('text=Return to 127.0.0.1');
  assert.equal((await client.answer).url.searchParams.get('error'), 'invalid_request');
  assert.equal((await client.answer).headers.referer, undefined);
  await client.close();
  await context.close();
}
