// Signing in with the official TypeScript SDK, version 1.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { signIn } from './sign-in.mjs';

export function check(demo) {
  const transport = (authProvider) => new StreamableHTTPClientTransport(new URL(demo.url), { authProvider });
  return signIn(demo, {
    async connect(provider) {
      const client = new Client({ name: 'sdk-v1', version: '1' });
      await client.connect(transport(provider));
      return client;
    },
    finish: (provider, back) => transport(provider).finishAuth(back.searchParams.get('code')),
    unauthorized: (error) => error instanceof UnauthorizedError,
  });
}
