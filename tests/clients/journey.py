"""The official Python SDK, version 2: search, fetch, read_record_field, in every mode it offers."""

import asyncio
import json
import sys

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

TOOLS = ["schema", "query_records", "aggregate", "search", "fetch", "read_record_field"]


async def journey(client):
    tools = await client.list_tools()
    assert [tool.name for tool in tools.tools] == TOOLS
    found = await client.call_tool("search", {"query": "boiler", "limit": 3})
    hit = found.structured_content["results"][0]
    assert "\n1. id=" in found.content[0].text
    document = await client.call_tool("fetch", {"id": hit["id"]})
    assert json.loads(document.content[0].text) == document.structured_content
    deep = await client.call_tool("search", {"query": "spare key", "streams": ["notes"], "limit": 1})
    rung = deep.structured_content["content_ladder"]["records"][0]["fields"][0]
    window = await client.call_tool("read_record_field", rung["read"]["arguments"])
    assert window.structured_content["window"]["text"]
    resource = await client.read_resource(rung["resource_uri"])
    assert resource.contents[0].text
    refused = await client.call_tool("query_records", {"stream": "messages"})
    assert refused.is_error and json.loads(refused.content[0].text)["code"] == "ambiguous_connection"


async def main():
    given = json.load(sys.stdin)
    for mode in ("auto", "legacy", "2026-07-28"):
        server = StdioServerParameters(
            command=given["program"], args=given["stdio"], env=given["environment"]
        )
        async with Client(server, mode=mode) as client:
            await journey(client)
        headers = {"Authorization": f"Bearer {given['token']}"}
        async with httpx2.AsyncClient(headers=headers) as http:
            transport = streamable_http_client(given["url"], http_client=http)
            async with Client(transport, mode=mode) as client:
                await journey(client)
    print("stdio and HTTP, negotiated, the older era and pinned to the newer one")


asyncio.run(main())
