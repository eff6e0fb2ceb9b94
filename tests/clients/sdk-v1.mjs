// The official TypeScript SDK, version 1: the older era, which most agents speak.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { journey } from './journey.mjs';

export async function check(demo) {
  const headers = { Authorization: `Bearer ${demo.token}` };
  const transports = [
    new StdioClientTransport({ command: demo.program, args: demo.stdio, env: demo.environment }),
    new StreamableHTTPClientTransport(new URL(demo.url), { requestInit: { headers } }),
  ];
  for (const transport of transports) {
    const client = new Client({ name: 'sdk-v1', version: '1' });
    await client.connect(transport);
    await journey({
      listTools: async () => (await client.listTools()).tools,
      callTool: (name, args) => client.callTool({ name, arguments: args }),
      listTemplates: async () => (await client.listResourceTemplates()).resourceTemplates,
      readResource: (uri) => client.readResource({ uri }),
    });
    await client.close();
  }
  return 'stdio and HTTP';
}
