// The MCP Inspector's command line: its schema lint in strict mode, and the journey in both eras.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const INSPECTOR = fileURLToPath(new URL('node_modules/.bin/mcp-inspector', import.meta.url));

function run(target, demo, ...rest) {
  const ran = spawnSync(process.execPath, [INSPECTOR, '--cli', ...target, ...rest, '--format', 'json', '-q'], {
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...demo.environment, PATH: process.env.PATH },
  });
  assert.equal(ran.status, 0, `${rest.join(' ')}: ${ran.stdout}${ran.stderr}`);
  return JSON.parse(ran.stdout);
}

export async function check(demo) {
  const http = ['--server-url', demo.url, '--transport', 'http', '--header', `Authorization: Bearer ${demo.token}`];
  const stdio = [demo.program, ...demo.stdio];
  run(http, demo, '--method', 'tools/list', '--strict');
  for (const target of [http, stdio]) {
    for (const era of ['legacy', 'modern']) {
      const call = (name, args) => {
        const rest = ['--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)];
        return result(run(target, demo, '--protocol-era', era, ...rest));
      };
      const found = call('search', { query: 'boiler', limit: 1 });
      const id = found.structuredContent.results[0].id;
      assert.equal(call('fetch', { id }).structuredContent.id, id);
      const deep = call('search', { query: 'spare key', streams: ['notes'], limit: 1 });
      const { arguments: args } = deep.structuredContent.content_ladder.records[0].fields[0].read;
      assert.ok(call('read_record_field', args).structuredContent.window.text);
    }
  }
  return 'strict lint, stdio and HTTP, both eras';
}

const result = (printed) => printed.result ?? printed;
