"""Prints the results of tests/jmh as one table: a row per benchmark and parameters, a column per
evaluator. A peer that was not measured for so many selectors is extrapolated in proportion (~)."""
import json
import re
import sys

OURS = ("indexed", "linear")
PEERS = ("ARTEMIS", "ARTEMIS_EXPRESSION", "CLASSIC")


def key(result):
    name, method = result["benchmark"].split(".")[-2:]
    params = dict(result.get("params") or {})
    evaluator = params.pop("peer", method)
    row = "" if evaluator in OURS + PEERS else method
    return name.removesuffix("Benchmark"), row, tuple(sorted(params.items())), evaluator


def number(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def text(result):
    metric = result["primaryMetric"]
    score, error = metric["score"], metric["scoreError"]
    spread = f" ±{error / score:.0%}" if isinstance(error, float) and error == error else ""
    return number(score) + spread


def allocated(result):
    metric = result["secondaryMetrics"].get("gc.alloc.rate.norm")
    return "" if metric is None else f'{metric["score"]:.1f}'


rows = {}
for result in json.load(open(sys.argv[1])):
    name, row, params, evaluator = key(result)
    rows.setdefault((name, row, params), {})[evaluator] = result

print("\nns per operation, ± 99.9 % confidence; B: allocated per operation by ours\n")
print("| benchmark | indexed | linear | B | Artemis | Artemis, expression alone | Classic"
      " | best peer ÷ indexed | best peer ÷ linear |")
print("|---|---|---|---|---|---|---|---|---|")
for (name, row, params), results in rows.items():
    n = int(dict(params).get("n", 0))
    ours = {o: results[o]["primaryMetric"]["score"] for o in OURS if o in results}
    if row:
        ours["indexed"] = results[row]["primaryMetric"]["score"]
    peers, cells = [], []
    for peer in PEERS:
        cell = ""
        if peer in results:
            peers.append(results[peer]["primaryMetric"]["score"])
            cell = text(results[peer])
        elif n:
            measured = [(int(dict(p)["n"]), r[peer]["primaryMetric"]["score"])
                        for (b, _, p), r in rows.items() if b == name and peer in r]
            if measured:
                count, score = max(measured)
                peers.append(score * n / count)
                cell = "~" + number(score * n / count)
        cells.append(cell)
    first = results.get("indexed") or results.get(row)
    bytes_allocated = " / ".join(allocated(results[o]) for o in (row, *OURS) if o in results)
    ratios = [number(min(peers) / ours[o]) if peers and o in ours else "" for o in OURS]
    label = " ".join([re.sub(r"(?<!^)([A-Z])", r" \1", name).lower(), row,
                      *(f"{k} = {int(v):,}" for k, v in params)]).replace("  ", " ")
    print(f'| {label} | {text(first) if first else ""} | '
          f'{text(results["linear"]) if "linear" in results else ""} | {bytes_allocated} | '
          f'{" | ".join(cells)} | {" | ".join(ratios)} |')
