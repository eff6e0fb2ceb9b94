// The official Python SDK plays its journey in journey.py; PDPP_CLIENTS_PYTHON is the interpreter
// that has it.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export async function check(demo) {
  const interpreter = process.env.PDPP_CLIENTS_PYTHON ?? 'python3';
  const script = fileURLToPath(new URL('journey.py', import.meta.url));
  const input = JSON.stringify({
    url: demo.url, token: demo.token, program: demo.program, stdio: demo.stdio, environment: demo.environment,
  });
  const ran = spawnSync(interpreter, [script], { input, encoding: 'utf8', timeout: 120_000 });
  if (ran.status !== 0) throw new Error(`${ran.error ?? ''}${ran.stdout}${ran.stderr}`);
  return ran.stdout.trim();
}
