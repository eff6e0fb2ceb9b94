"""The official Python SDK signs in: discovery, registration, consent, tools, renewal, the end."""

import asyncio
import sys
from urllib.parse import parse_qs, urlparse

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

URL, CALLBACK = sys.argv[1:3]


class Kept:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


def ask(line):
    print(line, flush=True)
    return sys.stdin.readline().strip()


async def play(url, kept, asked):
    answer = {}

    async def redirect(question):
        asked.append(question)
        answer["url"] = ask(f"OWNER {question}")

    async def callback():
        query = parse_qs(urlparse(answer["url"]).query)
        one = {name: values[0] for name, values in query.items()}
        return AuthorizationCodeResult(code=one["code"], state=one.get("state"), iss=one.get("iss"))

    metadata = OAuthClientMetadata(
        client_name="Python client", redirect_uris=[CALLBACK], token_endpoint_auth_method="none",
        grant_types=["authorization_code", "refresh_token"], response_types=["code"],
    )
    provider = OAuthClientProvider(url, metadata, kept, redirect, callback)
    async with httpx2.AsyncClient(auth=provider) as http:
        async with Client(streamable_http_client(url, http_client=http), mode="auto") as client:
            found = await client.call_tool("search", {"query": "boiler", "limit": 3})
            assert found.structured_content["results"], found


async def main():
    url, kept, asked = URL, Kept(), []
    await play(url, kept, asked)
    assert len(asked) == 1
    first = kept.tokens
    last = "y" if first.access_token.endswith("x") else "x"
    kept.tokens = first.model_copy(update={"access_token": first.access_token[:-1] + last})
    await play(url, kept, asked)
    renewed = kept.tokens.refresh_token != first.refresh_token
    package = getattr(kept.tokens, "grant_package_id", None) or package_of(url, kept.tokens.access_token)
    ask(f"REVOKE {package}")
    await play(url, kept, asked)
    assert len(asked) >= 2, "after the end the owner is asked again"
    print(f"consent, tools, {'renewal' if renewed else 'a new sign-in'}, revocation, sign-in again")


def package_of(url, token):
    base = url.rsplit("/", 1)[0]
    answer = httpx2.get(f"{base}/v1/token", headers={"Authorization": f"Bearer {token}"})
    return answer.json()["grant_package_id"]


asyncio.run(main())
