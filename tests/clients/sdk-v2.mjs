// The official TypeScript SDK, version 2: both eras, negotiated and pinned.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { journey } from './journey.mjs';

const MODES = [undefined, 'auto', { pin: '2026-07-28' }];

export async function check(demo) {
  const headers = { Authorization: `Bearer ${demo.token}` };
  const roads = [
    () => new StdioClientTransport({ command: demo.program, args: demo.stdio, env: demo.environment }),
    () => new StreamableHTTPClientTransport(new URL(demo.url), { requestInit: { headers } }),
  ];
  for (const road of roads) {
    for (const mode of MODES) {
      const options = mode ? { versionNegotiation: { mode } } : {};
      const client = new Client({ name: 'sdk-v2', version: '1' }, options);
      await client.connect(road());
      await journey({
        listTools: async () => (await client.listTools()).tools,
        callTool: (name, args) => client.callTool({ name, arguments: args }),
        listTemplates: async () => (await client.listResourceTemplates()).resourceTemplates,
        readResource: (uri) => client.readResource({ uri }),
      });
      await client.close();
    }
  }
  return 'stdio and HTTP, the older era, negotiated and pinned to the newer one';
}
