"""Works with a running server through a generated client, as an integrator would.

usage: client.py SERVER TOKEN SITE
"""

import hashlib
import sys
import time

from wstk_client import AuthenticatedClient
from wstk_client.api.extractions import begin_extraction, cancel_extraction, extraction, extraction_events
from wstk_client.api.pages import gaps, read, recall
from wstk_client.api.proof import evidence, snapshot
from wstk_client.api.search import create_search_run, list_search_runs, search_run
from wstk_client.api.service import health, ready
from wstk_client.api.sites import list_sites, refresh_site, site
from wstk_client.models import (
    Bounds,
    Document,
    Error,
    ExtractionRequest,
    GapRequest,
    ReadRequest,
    SearchRunRequest,
    SiteStatus,
)

address, token, root = sys.argv[1:]
client = AuthenticatedClient(base_url=address, token=token)


def wait(look):
    """Asks until a run has ended."""
    for _ in range(600):
        found = look()
        if found.run.state.value != "running":
            return found
        time.sleep(0.1)
    sys.exit("a run did not end")


assert ready.sync(client=client).status == "ready"
assert health.sync(client=client).status == "ok"

known = list_sites.sync(client=client).sites
assert [s.site.root for s in known] == [root + "/"], known
status = site.sync(known[0].site.id, client=client)
assert isinstance(status, SiteStatus), status
counts = status.accounting.to_dict()
assert counts.pop("discovered") == sum(counts.values()), counts

hit = recall.sync(client=client, q="wal network filesystem", limit=3).hits[0]
page = read.sync(client=client, body=ReadRequest(url=hit.url))
assert isinstance(page, Document), page
text = page.text.encode()
assert hashlib.sha256(text).hexdigest() == page.text_sha256
assert page.blocks and page.links is not None and page.structured_data is not None

began = begin_extraction.sync(
    client=client, body=ExtractionRequest(query="Can WAL mode be used over a network filesystem?")
)
answer = wait(lambda: extraction.sync(began.run.id, client=client))
quotes = [e for x in answer.extractions for e in x.evidence]
assert quotes, answer
for quote in quotes:
    again = evidence.sync(quote.id, client=client)
    assert again.quote == quote.quote, again
    text = read.sync(client=client, body=ReadRequest(url=quote.url)).text.encode()
    assert hashlib.sha256(text).hexdigest() == quote.text_sha256
    assert text[quote.byte_start : quote.byte_end].decode() == quote.quote
    body = snapshot.sync(quote.snapshot_sha256, client=client).payload.read()
    assert hashlib.sha256(body).hexdigest() == quote.snapshot_sha256
told = extraction_events.sync(began.run.id, client=client)
assert "event: bucket" in told and "event: done" in told, told
assert cancel_extraction.sync(began.run.id, client=client).run.state.value == "complete"

assert gaps.sync(client=client, body=GapRequest(query="page size default")).hits

run = create_search_run.sync(client=client, body=SearchRunRequest(query="sqlite wal mode"))
assert run.urls, run
assert search_run.sync(run.run_id, client=client, raw=True).urls == run.urls
assert run.run_id in [r.run_id for r in list_search_runs.sync(client=client).runs]

refreshed = refresh_site.sync(known[0].site.id, client=client, body=Bounds(max_pages=5))
wait(lambda: site.sync(refreshed.site.id, client=client))

missing = evidence.sync("ev_" + 24 * "0", client=client)
assert isinstance(missing, Error) and missing.code.value == "not_found" and missing.request_id, missing
stranger = AuthenticatedClient(base_url=address, token="another")
assert list_sites.sync(client=stranger).code.value == "unauthorized"
print("the Python client:", len(quotes), "quotes found again")
