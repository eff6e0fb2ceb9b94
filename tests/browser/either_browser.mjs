// Chromium or Firefox with a profile of its own, and how the owner signs in there.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { FLAGS, PASSWORD } from './stage.mjs';

export async function withBrowser(kind, act) {
  const profile = await mkdtemp(join(tmpdir(), 'pdpp-profile-'));
  const browser = await puppeteer.launch({
    browser: kind, headless: true, userDataDir: profile, ignoreDefaultArgs: false,
    executablePath: kind === 'firefox' ? process.env.PDPP_FIREFOX ?? '/usr/bin/firefox-esr' : process.env.PDPP_CHROMIUM ?? '/usr/bin/chromium',
    args: kind === 'firefox' ? [] : FLAGS,
    // A browser that talks to its maker would be seen by no test, and slows all of them.
    extraPrefsFirefox: { 'app.update.enabled': false, 'network.captive-portal-service.enabled': false },
  });
  try {
    await act(browser);
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

export async function enter(page) {
  if (!(await page.$('#password'))) return;
  await page.type('#password', PASSWORD);
  const before = page.url();
  await page.click('button.main');
  await page.waitForFunction((url) => location.href !== url && document.readyState === 'complete', {}, before);
}
