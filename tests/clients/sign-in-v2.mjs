// Signing in with the official TypeScript SDK, version 2, which checks who answered.

import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { signIn } from './sign-in.mjs';

export function check(demo) {
  const transport = (authProvider) => new StreamableHTTPClientTransport(new URL(demo.url), { authProvider });
  return signIn(demo, {
    async connect(provider) {
      const client = new Client({ name: 'sdk-v2', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      await client.connect(transport(provider));
      return client;
    },
    finish: (provider, back) => transport(provider).finishAuth(back.searchParams),
    unauthorized: (error) => error instanceof UnauthorizedError,
  });
}
