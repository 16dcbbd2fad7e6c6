#!/usr/bin/env python3
"""Runs the query of every panel and variable of grafana/boards and every recording rule against a
Prometheus: each must have an answer, in time, with finite values.

    check-panels.py http://127.0.0.1:9090 [--without-tls] [--without-queues] [--without-cluster]
    check-panels.py http://127.0.0.1:9090 --only BOARD

Without a cluster the board about clusters has to be empty.
"""

import json
import math
import pathlib
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

HOME = pathlib.Path(__file__).parents[2]
SECONDS = 90
CLUSTER = "Winnow / Cluster"
WITHOUT_CLUSTER = "--without-cluster" in sys.argv
ONLY = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else "*"
LEAST_QUERIES = 80 if ONLY == "*" else 10
# These have no series unless something went wrong, somebody is being held back at that moment, much
# was written to the log of a cluster, or TLS or queues are in use; their queries must be valid, and
# the metrics in them must be known.
MAY_BE_EMPTY = re.compile(
    r"connections_closed_total|topic_culprit|cluster_snapshot"
    + ("|tls_certificate" if "--without-tls" in sys.argv else "")
    + ("|_queue_|_stored_|_storage_commit" if "--without-queues" in sys.argv else "")
)


def ask(server, path, **parameters):
    url = f"{server}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return json.load(answer)["data"]
    except urllib.error.HTTPError as refused:
        sys.exit(f"{parameters}: {refused.read().decode()}")


def wait_until_ready(server, deadline):
    """Until then it answers every query with 503."""
    while True:
        try:
            with urllib.request.urlopen(f"{server}/-/ready", timeout=10):
                return
        except OSError as refused:
            if time.monotonic() > deadline:
                sys.exit(f"expected a Prometheus that is ready at {server}, found: {refused}")
            time.sleep(1)


def replaced(query):
    return (
        query.replace("$__rate_interval", "15s")
        .replace("$instance", ".*")
        .replace("$topic", ".*")
        .replace("$queue", ".*")
    )


def boards():
    for path in sorted((HOME / "grafana/boards").glob(f"{ONLY}.json")):
        yield json.loads(path.read_text())


def queries():
    for board in boards():
        for panel in board["panels"]:
            where = f"{board['title']}: {panel['title']}"
            for needed in ("description", "targets"):
                if not panel.get(needed):
                    sys.exit(f"{where}: expected a {needed}, found none")
            if not panel["fieldConfig"]["defaults"].get("unit"):
                sys.exit(f"{where}: expected a unit, found none")
            for target in panel["targets"]:
                yield where, replaced(target["expr"])
    if ONLY != "*":
        return
    rules = (HOME / "grafana/prometheus/rules.yaml").read_text()
    for name in re.findall(r"record: (\S+)", rules):
        yield "rules", name


def variables():
    for board in boards():
        for variable in board["templating"]["list"]:
            if variable["type"] == "query":
                found = re.fullmatch(r"label_values\((\w+), (\w+)\)", variable["query"]["query"])
                yield board["title"], *found.groups()


def must_be_empty(where):
    return WITHOUT_CLUSTER and where.startswith(CLUSTER)


def good(server, where, query):
    values = [float(one["value"][1]) for one in ask(server, "query", query=query)["result"]]
    if values:
        return all(math.isfinite(value) for value in values)
    return bool(MAY_BE_EMPTY.search(query)) and where != "rules"


def main():
    server = sys.argv[1]
    asked = sorted(set(queries()))
    count = len(asked)
    waiting = [(where, query) for where, query in asked if not must_be_empty(where)]
    if count < LEAST_QUERIES:
        sys.exit(f"expected at least {LEAST_QUERIES} queries of boards {ONLY}, found {count}")
    deadline = time.monotonic() + SECONDS
    wait_until_ready(server, deadline)
    while waiting and time.monotonic() < deadline:
        waiting = [(where, query) for where, query in waiting if not good(server, where, query)]
        time.sleep(1)
    for where, query in waiting:
        found = ask(server, "query", query=query)["result"]
        print(f"{where}: expected finite values, found {found}: {query}", file=sys.stderr)
    for where, query in asked:
        found = ask(server, "query", query=query)["result"]
        if must_be_empty(where) and found:
            sys.exit(f"{where}: expected nothing without a cluster, found {found}: {query}")
    for board, metric, label in variables():
        if MAY_BE_EMPTY.search(metric):
            continue
        if not ask(server, f"label/{label}/values", **{"match[]": metric}):
            sys.exit(f"{board}: expected values of {label} of {metric}, found none")
    known = set(ask(server, "label/__name__/values"))
    documented = set(re.findall(r"`(\w+)`", (HOME / "docs/METRICS.md").read_text()))
    names = {
        name
        for _, query in queries()
        for name in re.findall(r"\b(?:winnow|jvm|process)_[a-z_]+\b", query)
        if not re.search(r"instance:" + name, query)
    }
    unknown = {
        name
        for name in names - known
        if re.sub("_(sum|count|bucket)$", "", name) not in documented
    }
    if unknown:
        sys.exit(f"expected metrics that the broker has, found {sorted(unknown)}")
    if waiting:
        sys.exit(1)
    print(f"boards: {count} queries have answers")


if __name__ == "__main__":
    main()
