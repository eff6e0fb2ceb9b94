// The command lines of real agents against a running demo, over stdio and HTTP, without a model;
// then once more after `pdpp setup`, and after `pdpp setup --remove`.
//
// usage: node run.mjs PATH_TO_PDPP [AGENT...]     agents: claude gemini opencode codex

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDemo } from '../demo.mjs';
import { appServer } from './codex.mjs';
import { check as checkSetup } from './setup.mjs';

const binary = (name) => fileURLToPath(new URL(`node_modules/.bin/${name}`, import.meta.url));

// Runs an agent's command in an empty home and answers what it printed.
function run(demo, name, args, more = {}) {
  const ran = spawnSync(binary(name), args, {
    cwd: demo.project,
    encoding: 'utf8',
    timeout: 120_000,
    env: { HOME: demo.directory, PATH: process.env.PATH, TERM: 'dumb', ...more },
  });
  assert.equal(ran.status, 0, `${name} ${args.join(' ')}: ${ran.stdout}${ran.stderr}`);
  return ran.stdout + ran.stderr;
}

async function claude(demo) {
  run(demo, 'claude', ['mcp', 'add', 'local', '--', demo.program, ...demo.stdio]);
  run(demo, 'claude', ['mcp', 'add', '--transport', 'http', 'web', demo.url, '--header', `Authorization: Bearer ${demo.token}`]);
  const said = run(demo, 'claude', ['mcp', 'list']);
  assert.equal(said.match(/Connected/g)?.length, 2, said);
}

async function gemini(demo) {
  const settings = {
    mcpServers: {
      local: { command: demo.program, args: demo.stdio },
      web: { httpUrl: demo.url, headers: { Authorization: `Bearer ${demo.token}` } },
    },
  };
  await mkdir(join(demo.project, '.gemini'), { recursive: true });
  await writeFile(join(demo.project, '.gemini', 'settings.json'), JSON.stringify(settings));
  const said = run(demo, 'gemini', ['mcp', 'list'], { GEMINI_CLI_TRUST_WORKSPACE: 'true' });
  assert.equal(said.match(/ - Connected/g)?.length, 2, said);
}

async function opencode(demo) {
  const settings = {
    mcp: {
      local: { type: 'local', command: [demo.program, ...demo.stdio] },
      web: { type: 'remote', url: demo.url, headers: { Authorization: `Bearer ${demo.token}` }, oauth: false },
    },
  };
  await writeFile(join(demo.project, 'opencode.json'), JSON.stringify(settings));
  const said = run(demo, 'opencode', ['mcp', 'list']);
  assert.equal(said.match(/connected/g)?.length, 2, said);
}

// Codex offers its MCP client to programs: the whole journey can be played through it.
async function codex(demo) {
  const quoted = (text) => JSON.stringify(text);
  const config = [
    '[mcp_servers.local]', `command = ${quoted(demo.program)}`, `args = ${quoted(demo.stdio)}`,
    '[mcp_servers.web]', `url = ${quoted(demo.url)}`, `http_headers = { Authorization = ${quoted(`Bearer ${demo.token}`)} }`,
  ].join('\n');
  await mkdir(join(demo.directory, '.codex'), { recursive: true });
  await writeFile(join(demo.directory, '.codex', 'config.toml'), config);
  const options = { cwd: demo.project, env: { HOME: demo.directory, PATH: process.env.PATH } };
  const { ask, threadId, close } = await appServer(binary('codex'), options);
  try {
    const status = await ask('mcpServerStatus/list', { threadId });
    for (const server of ['local', 'web']) {
      const found = status.data.find((entry) => entry.name === server);
      assert.equal(Object.keys(found.tools).length, 6, `${server}: ${JSON.stringify(found).slice(0, 400)}`);
      const call = (tool, args) => ask('mcpServer/tool/call', { threadId, server, tool, arguments: args });
      const hits = await call('search', { query: 'boiler', limit: 1 });
      const { id } = hits.structuredContent.results[0];
      assert.equal((await call('fetch', { id })).structuredContent.id, id);
      const deep = await call('search', { query: 'spare key', streams: ['notes'], limit: 1 });
      const rung = deep.structuredContent.content_ladder.records[0].fields[0];
      const window = await call('read_record_field', rung.read.arguments);
      assert.ok(window.structuredContent.window.text);
      const resource = await ask('mcpServer/resource/read', { threadId, server, uri: rung.resource_uri });
      assert.ok(resource.contents[0].text);
    }
  } finally {
    close();
  }
}

const AGENTS = { claude, gemini, opencode, codex };
const [program, ...named] = process.argv.slice(2);
const demo = await startDemo(program);
demo.project = join(demo.directory, 'project');
await mkdir(demo.project);
let failed = 0;
for (const name of named.length ? named : Object.keys(AGENTS)) {
  try {
    await AGENTS[name](demo);
    console.log(`ok    ${name}`);
    console.log(`ok    ${name} by setup: ${await checkSetup(demo, name)}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}: ${error?.stack ?? error}`);
  }
}
await demo.stop();
process.exit(failed ? 1 : 0);
