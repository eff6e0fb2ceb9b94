// `pdpp setup` in a home of its own: each agent is healthy after it, and has never heard of us after --remove.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appServer } from './codex.mjs';

const BIN = fileURLToPath(new URL('node_modules/.bin', import.meta.url));

// The command of each agent, the name that setup knows it by, and what healthy looks like.
const AGENTS = {
  claude: ['claude-code', /pdpp: .*Connected/],
  gemini: ['gemini', /pdpp: .* - Connected/],
  opencode: ['opencode', /pdpp\s.*connected/],
  codex: ['codex', /pdpp\s.*enabled/],
};

// What Codex reads. Several calls in a row: the log gathers those that follow each other closely.
const CALLS = ['boiler', 'spare key', 'invoice'];

export async function check(demo, name) {
  const [client, healthy] = AGENTS[name];
  const home = await mkdtemp(join(tmpdir(), 'agent-home-'));
  const environment = {
    HOME: home, PATH: `${BIN}${delimiter}${process.env.PATH}`, TERM: 'dumb', GEMINI_CLI_TRUST_WORKSPACE: 'true',
  };
  const run = (program, ...args) => {
    const ran = spawnSync(program, args, { cwd: home, encoding: 'utf8', timeout: 180_000, env: environment });
    assert.equal(ran.status, 0, `${program} ${args.join(' ')}: ${ran.stdout}${ran.stderr}`);
    return ran.stdout + ran.stderr;
  };
  const store = ['--client', 'demo-agent', '--data-dir', demo.store, '--json'];
  const listed = () => run(join(BIN, name), 'mcp', 'list').replace(/\u001b\[[0-9;]*m/g, '');
  try {
    // Codex and opencode make their directories when they first run; the others may.
    const before = listed();
    assert.doesNotMatch(before, /pdpp/);
    const done = JSON.parse(run(demo.program, 'setup', client, ...store));
    assert.equal(done.change, 'added');
    assert.equal(done.health.state, 'good', JSON.stringify(done.health));
    assert.match(listed(), healthy);
    if (name === 'codex') {
      const audit = () => JSON.parse(run(demo.program, 'audit', ...store)).events;
      const last = audit()[0]?.event ?? 0;
      const searches = () => audit().filter((event) => event.event > last && event.operation === 'mcp_search');
      await callTools(home, environment, searches);
    }
    assert.doesNotMatch(await readFile(done.file, 'utf8'), /pdpp_client_/);
    assert.equal(JSON.parse(run(demo.program, 'setup', client, ...store)).change, 'unchanged');
    assert.equal(JSON.parse(run(demo.program, 'setup', client, '--remove', '--json')).change, 'removed');
    assert.doesNotMatch(listed(), /pdpp/);
    assert.doesNotMatch(await readFile(done.file, 'utf8'), /pdpp/);
    return done.health.said;
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

// Codex's list looks at settings only; its app server really calls.
async function callTools(home, environment, searches) {
  const codex = await appServer(join(BIN, 'codex'), { cwd: home, env: environment });
  try {
    const { threadId } = codex;
    const status = await codex.ask('mcpServerStatus/list', { threadId });
    const found = status.data.find((entry) => entry.name === 'pdpp');
    assert.equal(Object.keys(found.tools).length, 6);
    for (const query of CALLS) {
      const args = { query, limit: 1 };
      const hits = await codex.ask('mcpServer/tool/call', { threadId, server: 'pdpp', tool: 'search', arguments: args });
      assert.equal(hits.structuredContent.results.length, 1);
    }
    // Ends our server by a signal, right after the last answer.
    await codex.ask('thread/delete', { threadId });
    await noted(searches);
  } finally {
    codex.close();
  }
}

// The owner sees every call, however the server ended.
async function noted(searches) {
  const deadline = Date.now() + 10_000;
  let found = searches();
  while (found.length < CALLS.length && Date.now() < deadline) found = searches();
  assert.deepEqual(found.map((event) => event.outcome), CALLS.map(() => 'ok'));
}
