// The port on which a client waits for its answer, as a program on the owner's machine does.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';

export async function openCallback() {
  const waiting = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url, `http://${request.headers.host}`);
    response.setHeader('content-type', 'text/html');
    response.end('<h1>back at the client</h1>');
    if (url.pathname === '/callback') waiting.shift()?.({ url, method: request.method, referer: request.headers.referer });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/callback`,
    // What the next answer brings, once `act` has led the browser here.
    async during(act) {
      const answer = new Promise((resolve) => { waiting.push(resolve); });
      await act();
      const { url, method, referer } = await answer;
      assert.equal(method, 'GET', 'clients take their answer from an address, not from a form');
      assert.equal(referer, undefined, 'the consent page stays private');
      return url;
    },
    close: () => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); }),
  };
}
