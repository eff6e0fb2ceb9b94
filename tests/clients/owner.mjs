// The owner with plain HTTP instead of a browser: signs in, picks, allows, ends. For the checks that
// are about clients' words; those about people have Chromium.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const PASSWORD = 'three quiet words';

export class Owner {
  constructor(demo) {
    this.demo = demo;
    this.base = new URL(demo.url).origin;
    this.cookies = new Map();
  }

  // What the owner does on the machine itself.
  run(args, input) {
    const { program, directory, environment } = this.demo;
    const all = [...args, '--data-dir', join(directory, 'data', 'demo')];
    const done = spawnSync(program, all, { env: environment, input, encoding: 'utf8' });
    assert.equal(done.status, 0, done.stderr);
    return done.stdout;
  }

  // Nobody is signed in yet: every question leads over the login page.
  async signIn() {
    this.setPassword();
  }

  // Types the password on the login page that a place leads to; answers where that leads.
  async enter(place) {
    const asked = await this.open(place);
    const login = asked.headers.get('location');
    assert.match(login, /^\/owner\/login\?next=/);
    const page = await this.open(login);
    const answer = await this.send('/owner/login', { ...hidden(await page.text()), password: PASSWORD });
    assert.equal(answer.status, 303, await answer.text());
    return answer.headers.get('location');
  }

  setPassword() {
    this.run(['owner', 'password'], `${PASSWORD}\n`);
  }

  async open(place) {
    const headers = { cookie: this.cookie() };
    return this.kept(await fetch(new URL(place, this.base), { headers, redirect: 'manual' }));
  }

  async send(place, fields) {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) {
      for (const one of [value].flat()) body.append(name, one);
    }
    const headers = { cookie: this.cookie(), origin: this.base };
    const options = { method: 'POST', body, headers, redirect: 'manual' };
    return this.kept(await fetch(new URL(place, this.base), options));
  }

  // Opens an agent's question, allows everything that is offered, and goes where that leads.
  async allow(question) {
    return fetch(await this.answerTo(question));
  }

  async end(packageId) {
    this.run(['grant', 'revoke', packageId]);
  }

  async close() {}

  async answerTo(question) {
    const asked = await this.open(await this.enter(question));
    assert.equal(asked.status, 303, await asked.text());
    const place = asked.headers.get('location');
    assert.match(place, /^\/owner\/s\/[0-9a-f]{32}\/consent\/areq_/);
    return this.decide(place, 'allow');
  }

  async decide(place, decision) {
    const first = await (await this.open(place)).text();
    assert.ok(!/name="stream"[^>]* checked/.test(first), 'nothing is chosen before the owner chooses');
    const streams = [...first.matchAll(/name="stream" value="([^"]+)"/g)].map((match) => unescaped(match[1]));
    assert.ok(streams.length > 3, first);
    const fields = Object.fromEntries(streams.map((stream) => [`all:${stream}`, 'yes']));
    const chosen = { ...hidden(first), ...fields, stream: streams, mode: 'on', life: '90d' };
    const drafted = await this.send(`${place}/draft`, chosen);
    const shown = drafted.status === 303 ? await (await this.open(drafted.headers.get('location'))).text() : await drafted.text();
    const decided = await this.send(`${place}/decision`, { ...chosen, ...hidden(shown), decision });
    const page = await decided.text();
    assert.equal(decided.status, 200, page);
    const link = [...page.matchAll(/href="([^"]+)"/g)].map((match) => unescaped(match[1]));
    const back = link.find((address) => /[?&](code|error)=/.test(address));
    return back ? new URL(back) : page;
  }

  cookie() {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  kept(answer) {
    for (const line of answer.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0].split(/=(.*)/s);
      this.cookies.set(name, value);
    }
    return answer;
  }
}

function hidden(page) {
  const fields = {};
  for (const [tag] of page.matchAll(/<input type="hidden"[^>]*>/g)) {
    const name = tag.match(/name="([^"]*)"/)?.[1];
    if (name) fields[name] = unescaped(tag.match(/value="([^"]*)"/)?.[1] ?? '');
  }
  return fields;
}

function unescaped(text) {
  const entities = { amp: '&', lt: '<', gt: '>', quot: '"', '#34': '"', '#38': '&', '#39': "'", '#60': '<', '#62': '>' };
  return text.replace(/&([a-z]+|#\d+);/g, (whole, name) => entities[name] ?? whole);
}
