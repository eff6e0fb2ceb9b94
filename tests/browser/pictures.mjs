// Pictures of every page, to be looked at: light and dark, wide and narrow.
//
// usage: node pictures.mjs PATH_TO_PDPP DIRECTORY

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ask, call, enter, newClient, openStage, signedIn, PASSWORD } from './stage.mjs';

const [program, directory] = process.argv.slice(2);
if (!directory) {
  console.error('usage: node pictures.mjs PATH_TO_PDPP DIRECTORY');
  process.exit(64);
}
mkdirSync(directory, { recursive: true });
const LOOKS = [
  ['light-wide', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
  ['dark-narrow', { viewport: { width: 375, height: 700 }, colorScheme: 'dark' }],
  ['dark-wide', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
  ['light-narrow', { viewport: { width: 375, height: 700 }, colorScheme: 'light' }],
];
const LONG = 'An assistant with a name that goes on for much longer than anybody would ever want to read it';

const stage = await openStage(program);
try {
  const setup = stage.setupUrl();
  for (const [look, options] of LOOKS) {
    const page = await (await stage.browser.newContext(options)).newPage();
    await page.goto(setup);
    await page.screenshot({ path: join(directory, `setup-${look}.png`), fullPage: true });
  }
  stage.run(['owner', 'password'], `${PASSWORD}\n`);
  stage.run(['grant', 'create', '--client', 'weekly-report', '--allow', 'team-chat/messages:text,sent_at@2026-01-01..', '--json']);
  stage.run(['grant', 'create', '--client', 'once-only', '--allow', 'notes', '--access', 'single_use', '--json']);
  for (const name of ['schema', 'search', 'search']) await call(stage, stage.agentToken, name, name === 'search' ? { query: 'boiler' } : {});
  await call(stage, stage.agentToken, 'query_records', { stream: 'nothing' });
  const client = await newClient(stage);
  const long = await newClient(stage, { name: LONG, redirect: 'https://a-host-with-a-rather-long-name.agents.example/callback' });
  for (const [look, options] of LOOKS) await everyPage(look, options, client, long);
  await client.close();
  await long.close();
} finally {
  await stage.close();
}

async function everyPage(look, options, client, long) {
  const { context, page, root } = await signedIn(stage, options);
  const take = async (name, place) => {
    if (place) await page.goto(new URL(place, stage.base).href);
    if (page.url().includes('/owner/login?next=/oauth/authorize')) await enter(page);
    // What sticks to the top would otherwise stand in the middle of the picture.
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    await page.screenshot({ path: join(directory, `${name}-${look}.png`), fullPage: true });
  };
  await take('home', `${root}/home`);
  await take('search-empty', `${root}/search`);
  await take('search', `${root}/search?q=boiler`);
  await take('record', await page.getAttribute('.hits a', 'href'));
  await page.goto(`${root}/accounts`);
  const mailbox = await page.getAttribute('tbody tr:has-text("Personal mail") a', 'href');
  await take('timeline', `${mailbox}/timeline`);
  await take('access', `${root}/access`);
  await take('access-detail', await page.getAttribute('.card:has-text("demo-agent") h2 a', 'href'));
  await take('accounts', `${root}/accounts`);
  await take('account', await page.getAttribute('tbody a', 'href'));
  for (const name of ['activity', 'connect', 'settings']) await take(name, `${root}/${name}`);
  await take('device', `${root}/device`);
  await take('fault', `${root}/nothing`);
  await take('consent-empty', long.question());
  await take('consent-refused-client', '/oauth/authorize?client_id=dcr_unknown');
  await ask(page, client.question());
  const mail = page.locator('details.account', { hasText: 'Personal mail' });
  await mail.locator('> summary').click();
  const messages = mail.locator('.stream', { has: page.locator('input[value$="/messages"]') });
  await messages.locator('input[name=stream]').check();
  await messages.locator('summary', { hasText: 'fields' }).click();
  for (const field of ['subject', 'sent_at']) await messages.locator(`input[value=${field}]`).check();
  await messages.locator('summary', { hasText: 'time' }).click();
  await messages.locator('input[type=date]').first().fill('2026-08-01');
  await page.waitForFunction(() => document.getElementById('sentence').textContent.includes('1 Aug'));
  await take('consent-chosen');
  await page.route('**/callback*', (route) => route.abort());
  await ask(page, `${long.question()}&prompt=consent`);
  await page.click('button[value=refuse]');
  await page.waitForSelector('a.main, main a');
  await take('decided');
  await take('faulty-request', long.question().replace('S256', 'plain'));
  await take('confirm', `${root}/confirm`);
  await take('login', '/owner/login');
  await take('login-for-an-app', '/owner/login?next=/device');
  await context.close();
}
