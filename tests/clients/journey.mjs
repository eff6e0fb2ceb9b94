// The journey that every client plays, through its own API.

import assert from 'node:assert/strict';

const TOOLS = ['schema', 'query_records', 'aggregate', 'search', 'fetch', 'read_record_field'];

// `client` offers listTools(), callTool(name, arguments), listTemplates(), readResource(uri).
export async function journey(client) {
  const tools = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), TOOLS);

  const found = await client.callTool('search', { query: 'boiler', limit: 3 });
  const [hit] = found.structuredContent.results;
  assert.match(found.content[0].text, /^1\. id=/m);
  assert.ok(found.content[0].text.includes(hit.id), 'the id stands in both views');

  const document = await client.callTool('fetch', { id: hit.id });
  assert.equal(document.structuredContent.id, hit.id);
  assert.deepEqual(JSON.parse(document.content[0].text), document.structuredContent);

  const deep = await client.callTool('search', { query: 'spare key', streams: ['notes'], limit: 1 });
  const rung = deep.structuredContent.content_ladder.records[0].fields[0];
  const window = await client.callTool('read_record_field', rung.read.arguments);
  assert.ok(window.structuredContent.window.text.length > 0);
  assert.equal(window.structuredContent.record.id, rung.read.arguments.id);

  const resource = await client.readResource(rung.resource_uri);
  assert.ok(resource.contents[0].text.includes(window.structuredContent.window.text.slice(0, 200)));
  assert.equal((await client.listTemplates()).length, 3);

  const refused = await client.callTool('query_records', { stream: 'messages' });
  assert.equal(refused.isError, true);
  assert.equal(JSON.parse(refused.content[0].text).code, 'ambiguous_connection');
  assert.equal(refused._meta['pdpp/error'].retry_with, 'connection_id');
}
