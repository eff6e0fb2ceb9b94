// The owner with a real browser: Chromium, and the pages as a person meets them.

import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { Owner, PASSWORD } from './owner.mjs';

// Without these, Chromium talks to its maker at every start.
const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

export class OwnerInChromium extends Owner {
  // Nobody is signed in yet: the first question leads over the login page.
  async signIn() {
    this.setPassword();
    this.browser = await chromium.launch({
      executablePath: process.env.PDPP_CHROMIUM ?? '/usr/bin/chromium', args: FLAGS,
    });
    this.page = await this.browser.newPage();
  }

  // Ends where the client's own page begins.
  async allow(question) {
    const { page } = this;
    await page.goto(String(question));
    await this.enter();
    await page.waitForURL(/\/owner\/s\/[0-9a-f]{32}\/consent\/areq_/);
    assert.match(await page.textContent('#sentence'), /may read\s+nothing/, 'nothing is chosen before the owner chooses');
    assert.ok(await page.isDisabled('button[value=allow]'));
    for (const account of await page.locator('details.account').all()) {
      await account.locator('> summary').click();
      for (const stream of await account.locator('input[name=stream]').all()) await stream.check();
    }
    await page.waitForFunction(() => !document.querySelector('#consent[aria-busy]')
      && !document.querySelector('button[value=allow]').disabled);
    await Promise.all([page.waitForURL(/\/callback\?|look=again/), page.click('button[value=allow]')]);
    // Whoever clicks faster than the page can follow is shown once more what was chosen.
    if (page.url().includes('look=again')) {
      await Promise.all([page.waitForURL(/\/callback\?/), page.click('button[value=allow]')]);
    }
  }

  // Stops an access on its own page.
  async end(packageId) {
    const { page } = this;
    await page.goto(`${this.base}/owner/access/${packageId}`);
    await this.enter();
    await page.click('text=Stop this access');
    assert.match(await page.textContent('[role=status]'), /no longer read anything/);
  }

  async enter() {
    if (!this.page.url().includes('/owner/login')) return;
    await this.page.fill('#password', PASSWORD);
    await Promise.all([this.page.waitForURL((url) => !url.pathname.startsWith('/owner/login')), this.page.click('button.main')]);
  }

  async close() {
    await this.browser?.close();
  }
}

// Chromium, unless the whole run was told to do without browsers.
export function newOwner(demo) {
  const without = (process.env.PDPP_TEST_WITHOUT ?? '').split(',');
  return without.includes('browser') ? new Owner(demo) : new OwnerInChromium(demo);
}
