"""Works with a server of wstk as a host does, through the official Python client.

    client.py MODE SITE stdio COMMAND [ARGUMENT...]
    client.py MODE SITE http ADDRESS TOKEN

MODE is how the version of the protocol is agreed on: auto, legacy, or a version. The settings of a
command come from the environment. It prints what it saw as one JSON object.
"""

import asyncio
import json
import os
import sys

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


def server(how, rest):
    if how == "stdio":
        return StdioServerParameters(command=rest[0], args=rest[1:], env=dict(os.environ))
    http = httpx2.AsyncClient(headers={"Authorization": "Bearer " + rest[1]}, timeout=60)
    return streamable_http_client(rest[0], http_client=http)


async def finished(client, site, progress):
    """Crawls a site to its end."""
    st = await client.call_tool("ingest", {"url": site}, progress_callback=progress)
    while st.structured_content["run"]["state"] == "running":
        st = await client.call_tool("ingest", {"url": site, "status": True})
    return st.structured_content


async def about(client, page, seen):
    """Asks about a page that was never seen, and follows its references to the sentences."""
    told = []

    async def progress(at, total, message):
        told.append(message)

    question = {"url": page, "query": "How long does the battery of the tide clock last?"}
    x = await client.call_tool("answer", question, progress_callback=progress)
    answer = x.structured_content
    seen["content"] = answer["content"]
    seen["turns"] = any((m or "").startswith("turn 1: ") for m in told)
    seen["cited"] = bool(answer["references"])
    for ref in answer["references"]:
        for name in ref["evidence_ids"]:
            evidence = json.loads((await client.read_resource("wstk://evidence/" + name)).contents[0].text)
            text = (await client.read_resource("wstk://pages/" + evidence["text_sha256"])).contents[0].text
            stands = text[evidence["char_start"]:evidence["char_end"]] == evidence["quote"]
            seen["cited"] = seen["cited"] and stands and evidence["url"] == ref["url"]
    stored = await client.read_resource("wstk://runs/" + answer["run"]["id"])
    whole = json.loads(stored.contents[0].text)
    seen["whole"] = all(whole[k] == answer[k] for k in ("content", "references", "extractions", "turns"))
    no = await client.call_tool("answer", {"url": page, "query": "Who was the first king of the island?"})
    seen["no"] = no.structured_content["content"] + ("" if no.structured_content["answered"] is False else "?")


async def work(mode, site, where):
    told = []

    async def progress(at, total, message):
        told.append(message)

    async with Client(where, mode=mode) as client:
        seen = {"version": client.protocol_version, "instructions": client.instructions}
        seen["tools"] = sorted(t.name for t in (await client.list_tools()).tools)
        seen["pages"] = (await finished(client, site, progress))["pages"]
        seen["told"] = len([m for m in told if m])

        x = await client.call_tool("ask", {"query": "What working pressure does the Mark 3 pump reach?"})
        answer = x.structured_content
        seen["twins"] = json.loads(x.content[0].text) == answer
        quote = answer["extractions"][0]["evidence"][0]
        seen["quote"] = quote["quote"]
        page = await client.read_resource("wstk://pages/" + quote["text_sha256"])
        text = page.contents[0].text
        seen["stands"] = text[quote["char_start"]:quote["char_end"]] == quote["quote"]
        stored = await client.read_resource("wstk://runs/" + answer["run"]["id"])
        seen["stored"] = json.loads(stored.contents[0].text)["extractions"] == answer["extractions"]
        check = await client.call_tool("verify", {"id": answer["run"]["id"]})
        seen["failed"] = check.structured_content["failed"]

        await about(client, site + "about/", seen)

        wrong = await client.call_tool("read", {"url": 5})
        seen["wrong"] = [wrong.is_error, json.loads(wrong.content[0].text)["code"]]
        try:
            await client.call_tool("rm", {})
        except MCPError as e:
            seen["unknown"] = e.error.code
        prompt = await client.get_prompt("fact_check", {"claim": "Pumps never rust."})
        seen["prompt"] = "Pumps never rust." in prompt.messages[0].content.text

        with anyio.move_on_after(1) as scope:  # a page that never comes: the client gives up
            await client.call_tool("fetch", {"id": site + "hang"})
        seen["gave_up"] = scope.cancelled_caught
        after = await client.call_tool("gap", {"query": "motor volts"})
        seen["after"] = len(after.structured_content["hits"]) > 0
        return seen


async def main():
    mode, site, how, *rest = sys.argv[1:]
    print(json.dumps(await work(mode, site, server(how, rest))))


asyncio.run(main())
