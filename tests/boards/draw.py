#!/usr/bin/env python3
"""Draws boards from the answers of a Prometheus to their queries, laid out as Grafana would:
a preview of what they show, not a picture of Grafana.

    draw.py http://127.0.0.1:9090 picture.png [board]...
"""

import json
import math
import pathlib
import sys
import time
import urllib.parse
import urllib.request

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.patches import Patch  # noqa: E402
from matplotlib.ticker import FuncFormatter  # noqa: E402

HOME = pathlib.Path(__file__).parents[2]
BACK, PANEL, INK, FAINT = "#111217", "#181b1f", "#ccccdc", "#6e7079"
LINES = ["#73bf69", "#f2cc0c", "#5794f2", "#ff780a", "#b877d9", "#f2495c", "#8ab8ff", "#c0d8ff"]
COLORS = {"green": "#73bf69", "yellow": "#f2cc0c", "red": "#f2495c", "blue": "#5794f2"}
COLUMN, ROW = 0.62, 0.36
MINUTES = 3
STEP = 2


def ask(server, path, **parameters):
    url = f"{server}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)["data"]["result"]


def text(value, unit):
    if not math.isfinite(value):
        return "-"
    if unit == "s":
        if value >= 2 * 86400:
            return f"{value / 86400:.0f} days"
        for limit, factor, name in ((1e-6, 1e9, "ns"), (1e-3, 1e6, "µs"), (1, 1e3, "ms")):
            if 0 < abs(value) < limit:
                return f"{value * factor:.3g} {name}"
        return f"{value:.3g} s"
    if unit == "percentunit":
        return f"{value * 100:.3g} %"
    if unit == "dateTimeFromNow":
        return f"{(time.time() - value / 1000) / 60:.1f} min ago"
    for limit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= limit:
            return f"{value / limit:.3g} {name}" + {"bytes": "B", "Bps": "B/s"}.get(unit, "")
    return f"{value:.3g}" + {"bytes": " B", "Bps": " B/s", "cps": "/s"}.get(unit, "")


def color(value, panel):
    found = "green"
    for step in panel["fieldConfig"]["defaults"]["thresholds"]["steps"]:
        if step["value"] is None or value >= step["value"]:
            found = step["color"]
    return COLORS[found]


def legend(form, labels):
    for name, value in labels.items():
        form = form.replace("{{" + name + "}}", value)
    return form if len(form) <= 44 else form[:43] + "…"


def expr(target):
    return (
        target["expr"]
        .replace("$__rate_interval", "15s")
        .replace("$instance", ".*")
        .replace("$topic", ".*")
        .replace("$queue", ".*")
    )


class Drawing:
    def __init__(self, server, board, now):
        self.server, self.board, self.now = server, board, now
        self.rows = max(p["gridPos"]["y"] + p["gridPos"]["h"] for p in board["panels"])
        self.figure = plt.figure(figsize=(24 * COLUMN, self.rows * ROW + 0.5), facecolor=BACK)
        self.height = self.rows * ROW + 0.5
        self.figure.text(0.008, 1 - 0.33 / self.height, board["title"], color=INK, fontsize=14)

    def range(self, target):
        return ask(
            self.server,
            "query_range",
            query=expr(target),
            start=self.now - 60 * MINUTES,
            end=self.now,
            step=STEP,
        )

    def instant(self, target):
        return ask(self.server, "query", query=expr(target), time=self.now)

    def axes(self, panel, left=0.0, bottom=0.0, top=0.30):
        at = panel["gridPos"]
        x, y = at["x"] * COLUMN, self.height - 0.5 - (at["y"] + at["h"]) * ROW
        w, h = at["w"] * COLUMN, at["h"] * ROW
        W, H = 24 * COLUMN, self.height
        gap = 0.05
        self.figure.add_artist(
            plt.Rectangle(
                ((x + gap) / W, (y + gap) / H),
                (w - 2 * gap) / W,
                (h - 2 * gap) / H,
                facecolor=PANEL,
                edgecolor="#2c3235",
                linewidth=0.6,
                zorder=-1,
            )
        )
        self.figure.text(
            (x + 0.14) / W, (y + h - 0.24) / H, panel["title"], color=INK, fontsize=8.5, weight="bold"
        )
        axes = self.figure.add_axes(
            (
                (x + left + 0.12) / W,
                (y + bottom + 0.1) / H,
                (w - left - 0.28) / W,
                (h - bottom - top - 0.12) / H,
            ),
            facecolor=PANEL,
        )
        axes.tick_params(colors=FAINT, labelsize=6.5, length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)
        return axes

    def draw(self):
        for panel in self.board["panels"]:
            getattr(self, panel["type"].replace("-", "_"))(panel)
        return self.figure

    def timeseries(self, panel):
        axes = self.axes(panel, left=0.55, bottom=0.62)
        defaults = panel["fieldConfig"]["defaults"]
        count, most = 0, 0.0
        for target in panel["targets"]:
            for one in self.range(target):
                times = [point[0] - self.now for point in one["values"]]
                values = [float(point[1]) for point in one["values"]]
                most = max([most, *[v for v in values if math.isfinite(v)]])
                axes.plot(
                    times,
                    values,
                    color=LINES[count % len(LINES)],
                    linewidth=1,
                    label=legend(target["legendFormat"], one["metric"]) or "value",
                )
                count += 1
        axes.set_ylim(0, most * 1.15 or 1)
        for step in defaults["thresholds"]["steps"][1:]:
            if step["value"] < most * 1.15:
                axes.axhline(step["value"], color=COLORS[step["color"]], linewidth=0.8, ls="--")
        axes.set_xlim(-60 * MINUTES, 0)
        axes.grid(color="#2c3235", linewidth=0.5)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v / 60:.0f} min"))
        axes.set_xticks([-60 * m for m in range(MINUTES + 1)])
        axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: text(v, defaults["unit"])))
        axes.legend(
            *[found[:8] for found in axes.get_legend_handles_labels()],
            loc="upper center",
            bbox_to_anchor=(0.48, -0.11),
            ncol=3 if count > 3 else max(1, count),
            fontsize=6,
            frameon=False,
            labelcolor=INK,
            handlelength=1,
            columnspacing=1,
        )

    def state_timeline(self, panel):
        target = panel["targets"][0]
        axes = self.axes(panel, left=1.3, bottom=0.62)
        states = panel["fieldConfig"]["defaults"]["mappings"][0]["options"]
        found = sorted(
            self.range(target), key=lambda one: legend(target["legendFormat"], one["metric"])
        )
        for row, one in enumerate(found):
            for at, value in one["values"]:
                filling = COLORS[states[value]["color"]]
                axes.barh(row, STEP, left=at - self.now, height=0.8, color=filling)
        names = [legend(target["legendFormat"], one["metric"]) for one in found]
        axes.set_yticks(range(len(names)), names)
        axes.set_xlim(-60 * MINUTES, 0)
        axes.set_xticks([-60 * m for m in range(MINUTES + 1)])
        axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v / 60:.0f} min"))
        axes.legend(
            handles=[
                Patch(color=COLORS[state["color"]], label=state["text"])
                for state in states.values()
            ],
            loc="upper center",
            bbox_to_anchor=(0.48, -0.11),
            ncol=len(states),
            fontsize=6,
            frameon=False,
            labelcolor=INK,
            handlelength=1,
        )

    def stat(self, panel):
        axes = self.axes(panel)
        axes.set_axis_off()
        found = self.instant(panel["targets"][0])
        value = float(found[0]["value"][1]) if found else math.nan
        shown = text(value, panel["fieldConfig"]["defaults"]["unit"])
        for mapping in panel["fieldConfig"]["defaults"].get("mappings", []):
            shown = mapping["options"].get(shown, {"text": shown})["text"]
        axes.text(
            0.5, 0.5, shown, color=color(value, panel), fontsize=19, ha="center", va="center",
            transform=axes.transAxes, weight="bold",
        )

    def bargauge(self, panel):
        target = panel["targets"][0]
        axes = self.axes(panel, left=2.55)
        found = sorted(self.instant(target), key=lambda one: float(one["value"][1]))
        names = [legend(target["legendFormat"], one["metric"]) for one in found]
        values = [float(one["value"][1]) for one in found]
        axes.barh(range(len(values)), values, color=[color(v, panel) for v in values], height=0.7)
        axes.set_yticks(range(len(names)), names)
        axes.tick_params(axis="y", labelcolor=INK)
        axes.set_xticks([])
        axes.set_xlim(0, max(values, default=1) * 1.2)
        for i, value in enumerate(values):
            axes.text(value, i, " " + text(value, "percentunit"), color=INK, fontsize=7, va="center")

    def table(self, panel):
        axes = self.axes(panel)
        axes.set_axis_off()
        organize = [t for t in panel["transformations"] if t["id"] == "organize"][0]["options"]
        columns = list(organize["renameByName"].items())
        unit = panel["fieldConfig"]["defaults"]["unit"]
        units = {o["matcher"]["options"]: o["properties"][0]["value"] for o in panel["fieldConfig"]["overrides"]}
        rows = {}
        several = len(panel["targets"]) > 1
        for target in panel["targets"]:
            for one in self.instant(target):
                labels = {k: v for k, v in one["metric"].items() if k != "__name__"}
                row = rows.setdefault(json.dumps(labels, sort_keys=True), dict(labels))
                row[f"Value #{target['refId']}" if several else "Value"] = float(one["value"][1])
        width = 1 / len(columns)
        widths = [1.0] * len(columns)
        for i, (key, _) in enumerate(columns):
            if key in ("selector", "consumer"):
                widths[i] = 3.4
        total = sum(widths)
        starts = [sum(widths[:i]) / total for i in range(len(columns))]
        for i, (_, name) in enumerate(columns):
            axes.text(starts[i], 0.97, name, color="#6e9fff", fontsize=7.5, va="top", weight="bold")
        if not rows:
            axes.text(0.5, 0.5, panel["fieldConfig"]["defaults"].get("noValue", "No data"), color=FAINT, ha="center")
        lines = max(6, panel["gridPos"]["h"] + 1)
        order = sorted(rows.values(), key=lambda row: -row.get("Value #C", row.get("Value", 0)))
        for n, row in enumerate(order[: lines - 1]):
            y = 0.97 - (n + 1) / lines
            for i, (key, name) in enumerate(columns):
                value = row.get(key, "")
                shown = text(value, units.get(name, unit)) if isinstance(value, float) else value
                most = int(46 * widths[i] / 3.4) if several else int(62 * widths[i] / 3.4) + 8
                axes.text(starts[i], y, shown if len(shown) <= most else shown[: most - 1] + "…",
                          color=INK, fontsize=7, va="top")

    def heatmap(self, panel):
        axes = self.axes(panel, left=0.5, bottom=0.2)
        found = sorted(self.range(panel["targets"][0]), key=lambda one: float(one["metric"]["le"]))
        times = sorted({point[0] for one in found for point in one["values"]})
        rows, before = [], dict.fromkeys(times, 0.0)
        for one in found:
            now = {point[0]: float(point[1]) for point in one["values"]}
            rows.append([max(0.0, now.get(t, 0.0) - before[t]) for t in times])
            before = {t: now.get(t, 0.0) for t in times}
        cells = [[math.sqrt(value) if value > 0 else math.nan for value in row] for row in rows]
        axes.pcolormesh([t - self.now for t in times], range(len(found)), cells, cmap="viridis", shading="nearest")
        unit = panel["fieldConfig"]["defaults"]["unit"]
        axes.set_yticks(range(len(found)), [
            "∞" if one["metric"]["le"] == "+Inf" else text(float(one["metric"]["le"]), unit) for one in found
        ])
        axes.set_xlim(-60 * MINUTES, 0)
        axes.set_xticks([-60 * m for m in range(MINUTES + 1)])
        axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v / 60:.0f} min"))


def main():
    server, picture, *chosen = sys.argv[1:]
    now = time.time()
    paths = sorted((HOME / "grafana/boards").glob("*.json"))
    boards = [json.loads(path.read_text()) for path in paths if not chosen or path.stem in chosen]
    for board in boards:
        figure = Drawing(server, board, now).draw()
        name = picture if len(boards) == 1 else picture.replace(".png", f"-{board['uid']}.png")
        figure.savefig(name, dpi=100, facecolor=BACK)
        print(name)


if __name__ == "__main__":
    main()
