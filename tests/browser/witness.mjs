// A server on another port that notes everything it is sent, and the product under another name of the
// same machine.

import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { post } from './stage.mjs';

export async function openWitness(host) {
  const received = [];
  const waiting = [];
  const witness = { received, plant: [] };
  const server = createServer((request, response) => {
    const one = { method: request.method, url: request.url, headers: request.headers };
    received.push(one);
    response.setHeader('content-type', 'text/html');
    if (witness.plant.length) response.setHeader('set-cookie', witness.plant);
    response.end('<h1>another server of this machine</h1>');
    const found = waiting.findIndex((other) => request.url.startsWith(other.place));
    if (found >= 0) waiting.splice(found, 1)[0].resolve(one);
  });
  await listen(server, host === '[::1]' ? '::1' : '127.0.0.1');
  witness.base = `http://${host}:${server.address().port}`;
  // What comes to this place next.
  witness.next = (place) => new Promise((resolve) => { waiting.push({ place, resolve }); });
  witness.close = () => closed(server);
  return witness;
}

// The server of the stage as a browser knows it that was given another name for this machine.
export async function serverAt(stage, host) {
  const { port } = new URL(stage.base);
  let base = `http://${host}:${port}`;
  let close = async () => {};
  if (host === '[::1]') {
    const sockets = new Set();
    const door = createTcpServer((socket) => {
      const there = connect(port, '127.0.0.1');
      for (const one of [socket, there]) { sockets.add(one); one.on('error', () => {}); one.on('close', () => { socket.destroy(); there.destroy(); }); }
      socket.pipe(there).pipe(socket);
    });
    await listen(door, '::1');
    base = `http://[::1]:${door.address().port}`;
    close = () => new Promise((resolve) => { door.close(resolve); for (const one of sockets) one.destroy(); });
  }
  // One client for all questions: registrations are few for each address.
  let registered;
  const register = async (redirects) => {
    const wanted = { client_name: 'Port agent', redirect_uris: redirects, token_endpoint_auth_method: 'none' };
    registered ??= await post(`${base}/oauth/register`, wanted);
    return registered;
  };
  return {
    base,
    close,
    // The address to which a client with its callback at the witness sends the owner's browser.
    async question(witness, more = {}) {
      const redirect = `${witness.base}/callback`;
      const { client_id: id } = await register([redirect]);
      const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url');
      const params = {
        response_type: 'code', client_id: id, redirect_uri: redirect, state: 'a state', code_challenge: challenge,
        code_challenge_method: 'S256', resource: `${base}/mcp`, ...more,
      };
      return `${base}/oauth/authorize?${new URLSearchParams(params)}`;
    },
    async deviceCode() {
      const { client_id: id } = await register(['http://127.0.0.1:1/callback']);
      const body = new URLSearchParams({ client_id: id });
      const answer = await (await fetch(`${base}/oauth/device_authorization`, { method: 'POST', body })).json();
      return answer.user_code;
    },
  };
}

const listen = (server, address) => new Promise((resolve, reject) => {
  server.once('error', reject);
  server.listen(0, address, resolve);
});

const closed = (server) => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); });
