// `pdpp connect` as the conformance suite starts a client: a home of its own, and a browser that
// goes wherever it is sent, like an owner who always says yes.
//
// usage: node connect-client.mjs PATH_TO_PDPP SERVER_URL

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [program, server] = process.argv.slice(2);
const home = mkdtempSync(join(process.env.PDPP_CONNECT_HOMES, 'home-'));
const browser = join(home, 'browser');
writeFileSync(browser, `#!/bin/sh\nexec '${process.execPath}' -e 'fetch(process.argv[1])' "$1"\n`);
chmodSync(browser, 0o700);
const env = { HOME: home, PATH: process.env.PATH, PDPP_DATA_DIR: join(home, 'data'), BROWSER: browser };
const done = spawnSync(program, ['connect', server, '--json'], { env, stdio: ['ignore', 'inherit', 'inherit'] });
process.exit(done.status ?? 1);
