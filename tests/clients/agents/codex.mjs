// Codex offers its MCP client to programs: a conversation with its app server.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export async function appServer(binary, options) {
  const child = spawn(binary, ['app-server'], { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let last = 0;
  const ask = (method, params) => new Promise((resolve, reject) => {
    const id = (last += 1);
    const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), 60_000);
    waiting.set(id, (message) => {
      clearTimeout(timer);
      if (message.error) reject(new Error(`${method}: ${JSON.stringify(message.error)}`));
      else resolve(message.result);
    });
    child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
  });
  await ask('initialize', { clientInfo: { name: 'pdpp-tests', version: '1' } });
  child.stdin.write(`${JSON.stringify({ method: 'initialized' })}\n`);
  const thread = await ask('thread/start', { cwd: options.cwd });
  return { ask, threadId: thread.thread.id, close: () => child.kill() };
}
