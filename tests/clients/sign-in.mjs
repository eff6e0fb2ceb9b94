// The whole sign-in that both TypeScript SDKs play: from nothing to tools, a renewal, the end, and
// back again.

import assert from 'node:assert/strict';
import { openCallback } from './callback.mjs';
import { newOwner } from './chromium.mjs';
import { journey } from './journey.mjs';

// Keeps in memory what a host application keeps on disk.
class Kept {
  constructor(callback) {
    this.redirectUrl = callback;
    this.clientMetadata = {
      client_name: 'SDK client', redirect_uris: [callback], token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'],
    };
  }

  states = 0;
  state() { this.states += 1; return `state-${this.states}`; }
  clientInformation() { return this.client; }
  saveClientInformation(client) { this.client = client; }
  tokens() { return this.kept; }
  saveTokens(tokens) { this.kept = tokens; }
  redirectToAuthorization(url) { this.question = url; }
  saveCodeVerifier(verifier) { this.verifier = verifier; }
  codeVerifier() { return this.verifier; }
  saveDiscoveryState(state) { this.discovered = state; }
  discoveryState() { return this.discovered; }
  invalidateCredentials(what) { if (what === 'all' || what === 'tokens') this.kept = undefined; }
}

// `kit` offers connect(provider) -> client, finish(provider, callback URL), unauthorized(error).
export async function signIn(demo, kit) {
  const owner = newOwner(demo);
  const callback = await openCallback();
  try {
    await owner.signIn();
    await wholeWay(owner, callback, kit);
  } finally {
    await callback.close();
    await owner.close();
  }
  return 'discovery, registration, consent, tools, renewal, revocation, sign-in again';
}

async function wholeWay(owner, callback, kit) {
  const provider = new Kept(callback.url);
  const askOwner = async () => {
    await assert.rejects(kit.connect(provider), (error) => kit.unauthorized(error));
    assert.ok(provider.question, 'the client asks for the owner');
    const back = await callback.during(() => owner.allow(provider.question));
    assert.equal(back.searchParams.get('iss'), owner.base);
    assert.equal(back.searchParams.get('state'), provider.question.searchParams.get('state'));
    await kit.finish(provider, back);
  };
  const play = async () => {
    const client = await kit.connect(provider);
    await journey({
      listTools: async () => (await client.listTools()).tools,
      callTool: (name, args) => client.callTool({ name, arguments: args }),
      listTemplates: async () => (await client.listResourceTemplates()).resourceTemplates,
      readResource: (uri) => client.readResource({ uri }),
    });
    await client.close();
  };
  await askOwner();
  await play();

  const before = provider.kept;
  provider.kept = { ...before, access_token: spoiled(before.access_token) };
  await play();
  assert.notEqual(provider.kept.refresh_token, before.refresh_token, 'a refused token was renewed');

  const headers = { authorization: `Bearer ${provider.kept.access_token}` };
  const held = await (await fetch(`${owner.base}/v1/token`, { headers })).json();
  await owner.end(held.grant_package_id);
  provider.question = undefined;
  await askOwner();
  await play();
}

// A token that was never issued: its last letter is another one.
function spoiled(token) {
  return token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x');
}
