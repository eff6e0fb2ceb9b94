// The pictures in README and docs, taken from the demo: the consent page in two parts, home and a search.
//
// usage: node picture.mjs PATH_TO_PDPP DIRECTORY

import { join } from 'node:path';
import { ask, call, newClient, openStage, PASSWORD, signedIn } from './stage.mjs';

const [program, directory] = process.argv.slice(2);
if (!directory) {
  console.error('usage: node picture.mjs PATH_TO_PDPP DIRECTORY');
  process.exit(64);
}
const stage = await openStage(program);
try {
  stage.run(['owner', 'password'], `${PASSWORD}\n`);
  const { context, page } = await signedIn(stage, { viewport: { width: 620, height: 900 }, colorScheme: 'light' });
  const client = await newClient(stage, { name: 'Claude Code' });
  await ask(page, client.question());
  const account = page.locator('details.account', { hasText: 'Personal mail' });
  await account.locator('> summary').click();
  const mail = account.locator('.stream', { has: page.locator('input[value$="/messages"]') });
  await mail.locator('input[name=stream]').check();
  await mail.locator('summary', { hasText: 'fields' }).click();
  for (const field of ['subject', 'from_name', 'sent_at']) await mail.locator(`input[value=${field}]`).check();
  await mail.locator('summary', { hasText: 'time' }).click();
  await mail.locator('input[type=date]').first().fill('2026-08-01');
  await page.waitForFunction(() => document.getElementById('sentence').textContent.includes('Aug 2026')
    && !document.querySelector('button[value=allow]').disabled);
  await account.locator('> summary').click();
  await page.evaluate(() => window.scrollTo(0, 0));
  const top = async (locator) => (await locator.boundingBox()).y;
  const picture = async (name, from, to) => page.screenshot({
    path: join(directory, name), fullPage: true, clip: { x: 0, y: from, width: 620, height: to - from },
  });
  const allow = await page.locator('button[value=allow]').boundingBox();
  await picture('consent-question.png', 0, await top(page.locator('h2', { hasText: 'Limits' })) - 8);
  await picture('consent-meaning.png', await top(page.locator('#preview')) - 8, allow.y + allow.height + 48);
  await client.close();
  await context.close();
  for (const query of ['boiler', 'lisbon']) await call(stage, stage.agentToken, 'search', { query });
  const wide = await signedIn(stage, { viewport: { width: 800, height: 720 }, colorScheme: 'light' });
  const show = async (name, place) => {
    await wide.page.goto(`${wide.root}/${place}`);
    await wide.page.screenshot({ path: join(directory, name) });
  };
  await show('home.png', 'home');
  await show('search.png', 'search?q=offer%20boiler');
  await wide.context.close();
} finally {
  await stage.close();
}
