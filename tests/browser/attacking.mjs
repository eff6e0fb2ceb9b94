// What others try: frames, forms from elsewhere, hostile names.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { ask, newClient, signedIn } from './stage.mjs';

// A page of another origin that frames or posts to the server.
async function foreignPage(html) {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(html);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // Another port of the same machine.
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); }),
  };
}

export async function framesAreRefused(stage) {
  const { context, page, root } = await signedIn(stage);
  const client = await newClient(stage);
  const foreign = await foreignPage(`<iframe src="${client.question()}"></iframe><iframe src="${root}/access"></iframe>`);
  await page.goto(foreign.url);
  for (const frame of page.frames().slice(1)) {
    assert.doesNotMatch(await frame.content().catch(() => ''), /wants to read|Who may read/);
  }
  await foreign.close();
  await client.close();
  await context.close();
}

export async function formsFromElsewhereAreRefused(stage) {
  const { context, page, root } = await signedIn(stage);
  const before = stage.run(['grant', 'list', '--json']);
  for (const place of [`${root}/access/stop-all`, `${root}/logout`, `${stage.base}/owner/login`]) {
    const foreign = await foreignPage(`<form method="post" action="${place}"><input name="csrf_token" value="x"><button>go</button></form>`);
    await page.goto(foreign.url);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url() === place), page.click('button'),
    ]);
    assert.equal(answer.status(), 403, place);
    await foreign.close();
  }
  assert.equal(stage.run(['grant', 'list', '--json']), before);
  await page.goto(`${root}/access`);
  assert.match(await page.textContent('h1'), /Who may read/, 'still signed in');
  await context.close();
}

export async function hostileNamesStayText(stage) {
  const { context, page } = await signedIn(stage);
  let alerts = 0;
  page.on('dialog', (dialog) => { alerts += 1; dialog.dismiss(); });
  const outside = [];
  page.on('request', (request) => { if (!request.url().startsWith(stage.base)) outside.push(request.url()); });
  const more = { logo_uri: 'https://logo.example/x.png', client_uri: 'https://home.example/' };
  const client = await newClient(stage, { name: '<img src=x onerror=alert(1)>\u202eVerified by pdpp', more });
  await ask(page, client.question());
  const heading = await page.textContent('h1');
  assert.ok(heading.includes('<img') && !heading.includes('\u202e'), heading);
  assert.match(await page.textContent('.asker'), /Not verified/);
  assert.equal(await page.locator('main img').count(), 0);
  assert.equal(alerts, 0);
  assert.deepEqual(outside, []);
  await client.close();
  await context.close();
}
