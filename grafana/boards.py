#!/usr/bin/env python3
"""Writes the boards for Grafana into boards/*.json. With --check it fails if they are stale."""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
SOURCE = {"type": "prometheus", "uid": "${datasource}"}
GREEN, YELLOW, RED, BLUE = "green", "yellow", "red", "blue"
RATE = "[$__rate_interval]"
HEAP = 'area="heap"'
NONE = 'le=~"0(.0)?"'


def metric(name, labels=""):
    return f'{name}{{instance=~"$instance"{"," + labels if labels else ""}}}'


def rate(name, labels=""):
    return f"rate({metric(name, labels)}{RATE})"


def mean(name, by=""):
    total = f"sum by ({by}) " if by else "sum"
    return f"{total}({rate(name + '_sum')}) / ({total}({rate(name + '_count')}) > 0)"


def quantile(q, name):
    return f"histogram_quantile({q}, sum by (le) ({rate(name + '_bucket')}))"


# Of the iterations that bring messages.
MESSAGES_PER_ITERATION = (
    f"sum({rate('winnow_loop_messages_per_iteration_sum')})"
    f" / (sum({rate('winnow_loop_messages_per_iteration_count')})"
    f" - sum({rate('winnow_loop_messages_per_iteration_bucket', NONE)}) > 0)"
)


# The board that says more about a panel; for all others it is the overview.
SEE = {
    "Received": "winnow-capacity",
    "Delivered": "winnow-replication",
    "Dwell time, p99": "winnow-flow",
    "Oldest waiting": "winnow-flow",
    "Blocked producers": "winnow-flow",
    "Busiest event loop": "winnow-jvm",
    "Messages": "winnow-replication",
    "Dwell time": "winnow-flow",
    "Memory of the backlog": "winnow-flow",
    "Time to find subscriptions": "winnow-capacity",
    "t_fltr: one filter": "winnow-selectors",
    "t_tx: one copy": "winnow-replication",
    "Busy share": "winnow-jvm",
    "Mean messages per iteration": "winnow-jvm",
    "Rate and iterations": "winnow-jvm",
    "Mean replication grade R": "winnow-replication",
    "Time of an append": "winnow-store",
    "Confirmed messages": "winnow-store",
}


def link(uid):
    name = "service times" if uid == "winnow-capacity" else uid.replace("winnow-", "")
    return {
        "title": f"Winnow / {name}",
        "type": "link",
        "icon": "external link",
        "tags": ["winnow"],
        "tooltip": "",
        "url": f"/d/{uid}?${{__url_time_range}}&${{__all_variables}}",
        "asDropdown": False,
        "includeVars": True,
        "keepTime": True,
        "targetBlank": False,
    }


def thresholds(*steps):
    """Colours from a value on; the first step has none."""
    return {
        "mode": "absolute",
        "steps": [{"value": None, "color": GREEN}]
        + [{"value": value, "color": color} for value, color in steps],
    }


class Board:
    """One board; panels are placed from left to right in rows of 24 columns."""

    def __init__(self, uid, title, text, topics=False, variable=None):
        self.uid, self.title, self.text = uid, title, text
        self.variable = TOPIC_VARIABLE if topics else variable
        self.panels, self.x, self.y, self.row_height = [], 0, 0, 0

    def add(self, kind, title, help, targets, unit, width=8, height=8, limits=(), **options):
        if self.x + width > 24:
            self.x, self.y = 0, self.y + self.row_height
            self.row_height = 0
        panel = {
            "id": len(self.panels) + 1,
            "type": kind,
            "title": title,
            "description": help,
            "datasource": SOURCE,
            "gridPos": {"x": self.x, "y": self.y, "w": width, "h": height},
            "targets": [
                {
                    "refId": chr(ord("A") + i),
                    "datasource": SOURCE,
                    "expr": expr,
                    "legendFormat": legend,
                    **({"format": "heatmap"} if kind == "heatmap" else {}),
                    **({"format": "table"} if kind == "table" else {}),
                    **({"instant": True, "range": False} if kind in ("table", "bargauge") else {}),
                }
                for i, (expr, legend) in enumerate(targets)
            ],
            "fieldConfig": {
                "defaults": {
                    "unit": unit,
                    "thresholds": thresholds(*limits),
                    **DEFAULTS.get(kind, {}),
                    **({"custom": custom(kind, limits)} if custom(kind, limits) else {}),
                    **options.pop("defaults", {}),
                },
                "overrides": options.pop("overrides", []),
            },
            "options": {**OPTIONS[kind], **options.pop("options", {})},
            "links": [link(SEE.get(title, "winnow-overview"))],
            **options,
        }
        self.panels.append(panel)
        self.x += width
        self.row_height = max(self.row_height, height)

    def stat(self, title, help, expr, unit, limits=(), width=4, **options):
        self.add("stat", title, help, [(expr, "")], unit, width, 4, limits, **options)

    def series(self, title, help, targets, unit, limits=(), width=8, **options):
        self.add("timeseries", title, help, targets, unit, width, 8, limits, **options)

    def json(self):
        return {
            "uid": self.uid,
            "title": self.title,
            "description": self.text,
            "tags": ["winnow"],
            "editable": True,
            "graphTooltip": 1,
            "schemaVersion": 41,
            "version": 1,
            "refresh": "10s",
            "time": {"from": "now-15m", "to": "now"},
            "timezone": "browser",
            "annotations": {"list": []},
            "links": [{**link(""), "title": "Winnow", "type": "dashboards", "url": ""}],
            "templating": {"list": variables(self.variable)},
            "panels": self.panels,
        }


DEFAULTS = {"stat": {"noValue": "none"}, "bargauge": {"min": 0}, "gauge": {"min": 0, "max": 1}}
OPTIONS = {
    "timeseries": {
        "legend": {
            "showLegend": True,
            "displayMode": "list",
            "placement": "bottom",
            "calcs": [],
        },
        "tooltip": {"mode": "multi", "sort": "desc"},
    },
    "state-timeline": {
        "legend": {
            "showLegend": False,
            "displayMode": "list",
            "placement": "bottom",
            "calcs": [],
        },
        "tooltip": {"mode": "single", "sort": "none"},
        "showValue": "auto",
        "mergeValues": True,
        "alignValue": "left",
        "rowHeight": 0.8,
    },
    "stat": {
        "colorMode": "value",
        "graphMode": "area",
        "justifyMode": "auto",
        "textMode": "auto",
        "wideLayout": True,
        "showPercentChange": False,
        "percentChangeColorMode": "standard",
        "orientation": "auto",
        "reduceOptions": {"calcs": ["lastNotNull"], "values": False, "fields": ""},
    },
    "bargauge": {
        "displayMode": "basic",
        "orientation": "horizontal",
        "valueMode": "color",
        "namePlacement": "auto",
        "showUnfilled": True,
        "sizing": "auto",
        "minVizWidth": 8,
        "minVizHeight": 16,
        "maxVizHeight": 300,
        "legend": {
            "showLegend": False,
            "displayMode": "list",
            "placement": "bottom",
            "calcs": [],
        },
        "reduceOptions": {"calcs": ["lastNotNull"], "values": False, "fields": ""},
    },
    "table": {"showHeader": True, "cellHeight": "sm", "frameIndex": 0},
    "heatmap": {
        "calculate": False,
        "cellGap": 1,
        "color": {
            "mode": "scheme",
            "scheme": "Viridis",
            "exponent": 0.5,
            "fill": "dark-orange",
            "reverse": False,
            "steps": 64,
        },
        "exemplars": {"color": "rgba(255,0,255,0.7)"},
        "filterValues": {"le": 1e-9},
        "legend": {"show": True},
        "rowsFrame": {"layout": "auto"},
        "showValue": "never",
        "tooltip": {"mode": "single", "yHistogram": False},
        "yAxis": {"axisPlacement": "left", "reverse": False},
    },
}


def custom(kind, limits):
    if kind == "state-timeline":
        return {"lineWidth": 0, "fillOpacity": 70}
    if kind != "timeseries":
        return {}
    return {
        "drawStyle": "line",
        "lineInterpolation": "linear",
        "lineWidth": 1,
        "fillOpacity": 10,
        "showPoints": "never",
        "spanNulls": False,
        "thresholdsStyle": {"mode": "dashed" if limits else "off"},
    }


TOPIC_VARIABLE = ("topic", "Topic", "label_values(winnow_topic_messages_total, topic)")


def variables(other):
    found = [
        {
            "name": "datasource",
            "label": "Data source",
            "type": "datasource",
            "query": "prometheus",
            "hide": 0,
            "current": {"text": "Prometheus", "value": "winnow-prometheus"},
        },
        query_variable("instance", "Broker", "label_values(winnow_build_info, instance)"),
    ]
    if other:
        found.append(query_variable(*other))
    return found


def query_variable(name, label, query):
    return {
        "name": name,
        "label": label,
        "type": "query",
        "datasource": SOURCE,
        "query": {"query": query, "refId": name},
        "hide": 0,
        "refresh": 2,
        "multi": True,
        "includeAll": True,
        "allValue": ".*",
        "current": {"selected": True, "text": ["All"], "value": ["$__all"]},
        "options": [],
        "sort": 1,
    }


def columns(*pairs):
    """Names for the columns of a table, in their order; others are hidden."""
    hidden = ["Time", "__name__", "job"]
    return [
        {
            "id": "organize",
            "options": {
                "excludeByName": {name: True for name in hidden},
                "indexByName": {name: i for i, (name, _) in enumerate(pairs)},
                "renameByName": dict(pairs),
            },
        }
    ]


def overview():
    board = Board(
        "winnow-overview",
        "Winnow / Overview",
        "Is the broker well, and who has to wait? Start here; the other boards say why.",
    )
    board.stat(
        "Received",
        "Messages that producers publish per second.",
        f"sum({rate('winnow_messages_received_total')})",
        "short",
    )
    board.stat(
        "Delivered",
        "Copies handed to subscriptions per second. 0 while messages are received: no selector"
        " matches.",
        f"sum({rate('winnow_messages_dispatched_total')})",
        "short",
    )
    board.stat(
        "Dwell time, p99",
        "99 of 100 copies leave the broker sooner after their message was read, waiting for slow"
        " consumers included.",
        quantile(0.99, "winnow_dwell_seconds"),
        "s",
        ((0.1, YELLOW), (5, RED)),
    )
    board.stat(
        "Oldest waiting",
        "Age of the oldest message that waits for a consumer.",
        f"max({metric('winnow_backlog_oldest_age_seconds')})",
        "s",
        ((5, YELLOW), (60, RED)),
    )
    board.stat(
        "Blocked producers",
        "Producers that are held back now. The board Flow control names the consumers to blame.",
        f"sum({metric('winnow_producers_blocked')})",
        "short",
        ((1, YELLOW), (10, RED)),
    )
    board.stat(
        "Busiest event loop",
        "Busy share of the busiest event loop. It does not tell how much more the loop could take:"
        " under load more messages share an iteration.",
        f"max({rate('winnow_event_loop_busy_seconds_total')})",
        "percentunit",
    )
    board.series(
        "Messages",
        "Messages received and copies delivered per second.",
        [
            (f"sum({rate('winnow_messages_received_total')})", "received"),
            (f"sum({rate('winnow_messages_dispatched_total')})", "delivered"),
        ],
        "short",
    )
    board.series(
        "Dwell time",
        "Time from the reading of a message to the writing of a copy, from samples.",
        [
            (quantile(0.5, "winnow_dwell_seconds"), "p50"),
            (quantile(0.99, "winnow_dwell_seconds"), "p99"),
        ],
        "s",
        ((5, RED),),
    )
    board.series(
        "Waiting copies",
        "Copies that wait for credit of their consumers. Steady growth: consumers are too slow.",
        [(f"sum by (instance) ({metric('winnow_backlog_messages')})", "{{instance}}")],
        "short",
    )
    board.series(
        "Memory of the backlog",
        "Part of the memory for waiting messages that is used. Above 100 % all producers of topics"
        " with a backlog are held back.",
        [
            (
                f"{metric('winnow_backlog_bytes')} / {metric('winnow_backlog_limit_bytes')}",
                "{{instance}}",
            )
        ],
        "percentunit",
        ((0.5, YELLOW), (0.9, RED)),
    )
    board.series(
        "Connections and subscriptions",
        "What is open now.",
        [
            (f"sum({metric('winnow_connections_open')})", "connections"),
            (f"sum({metric('winnow_subscriptions')})", "subscriptions"),
            (f"sum({metric('winnow_topics')})", "topics"),
        ],
        "short",
    )
    board.series(
        "Connection churn",
        "Connections accepted per second, and closed by the broker, by reason. Many new connections"
        " a second: a client connects anew for each message.",
        [
            (f"sum({rate('winnow_connections_accepted_total')})", "accepted"),
            (f"sum by (reason) ({rate('winnow_connections_closed_total')}) > 0", "{{reason}}"),
        ],
        "cps",
        ((10, YELLOW),),
    )
    board.series(
        "Refused and failed",
        "Refused requests by reason, failed authentications, protocol errors and TLS connections that"
        " did not come about, per second.",
        [
            (f"sum by (reason) ({rate('winnow_requests_refused_total')}) > 0", "{{reason}}"),
            (f"sum({rate('winnow_authentication_failures_total')})", "authentication"),
            (f"sum({rate('winnow_protocol_errors_total')})", "protocol"),
            (f"sum({rate('winnow_tls_failures_total')})", "TLS"),
        ],
        "cps",
        ((1, YELLOW),),
    )
    board.series(
        "Not allowed",
        "Requests per second that permissions do not allow, by operation. The audit names user and"
        " object: a rule is missing, or somebody tries what is not theirs.",
        [
            (
                f"sum by (operation) ({rate('winnow_authorization_refusals_total')})",
                "{{operation}}",
            )
        ],
        "cps",
        ((1, YELLOW),),
    )
    checks = rate("winnow_authentication_check_seconds_bucket")
    none = f"0 * sum by (by) ({rate('winnow_authentication_check_seconds_count')})"
    board.series(
        "Time of login checks",
        "99th percentile of the time until a directory had answered, and until a token was checked."
        " What is remembered is not checked. Near security.ldap.timeout the directory is slow or"
        " away; a token waits where the keys of its issuer have to be read.",
        # 0 where nothing was checked: the quantile of nothing is no number.
        [(f"histogram_quantile(0.99, sum by (by, le) ({checks})) >= 0 or {none}", "{{by}}")],
        "s",
        ((1, YELLOW),),
    )
    board.series(
        "Lost copies",
        "Copies per second that no consumer got: dropped by policy, or waiting for a subscription"
        " that ended.",
        [(f"sum by (reason) ({rate('winnow_messages_dropped_total')})", "{{reason}}")],
        "cps",
        ((0.001, RED),),
    )
    board.add(
        "table",
        "Brokers",
        "Version of each broker and of its Java.",
        [(metric("winnow_build_info"), "")],
        "none",
        transformations=columns(("instance", "broker"), ("version", "version"), ("java", "Java")),
    )
    return board


def selectors():
    topic = 'topic=~"$topic"'
    per_message = (
        f"sum by (instance, topic) ({rate('winnow_topic_match_seconds_sum', topic)})"
        f" / (sum by (instance, topic) ({rate('winnow_topic_match_seconds_count', topic)}) > 0)"
    )

    def per(name, legend):
        return (
            f"sum by (topic) ({rate(name, topic)})"
            f" / (sum by (topic) ({rate('winnow_topic_messages_total', topic)}) > 0)",
            legend,
        )

    board = Board(
        "winnow-selectors",
        "Winnow / Selectors",
        "What selectors cost, and which. Data of /metrics/detailed.",
        topics=True,
    )
    board.add(
        "bargauge",
        "Cost share of the costliest selectors",
        "Part of its topic's matching time that a selector takes. One that takes most of it is"
        " worth a look with: winnow explain.",
        [
            (
                f"topk(10, {metric('winnow_selector_cost_seconds', topic)}"
                f" / on (instance, topic) group_left () ({per_message}))",
                "{{topic}}: {{selector}}",
            )
        ],
        "percentunit",
        12,
        10,
        ((0.3, YELLOW), (0.7, RED)),
    )
    board.add(
        "table",
        "Candidates against matches",
        "How often values of a message lead to a selector, and how often it matches. Often a"
        " candidate and seldom a match: it has no telling key.",
        [
            (metric("winnow_selector_candidate_ratio", topic), ""),
            (metric("winnow_selector_match_ratio", topic), ""),
            (metric("winnow_selector_cost_seconds", topic), ""),
        ],
        "percentunit",
        12,
        10,
        transformations=[
            {"id": "merge", "options": {}},
            *columns(
                ("topic", "topic"),
                ("selector", "selector"),
                ("Value #A", "candidate"),
                ("Value #B", "match"),
                ("Value #C", "cost"),
            ),
        ],
        overrides=[
            {
                "matcher": {"id": "byName", "options": "cost"},
                "properties": [{"id": "unit", "value": "s"}],
            }
        ],
    )
    board.series(
        "Time to find subscriptions",
        "Mean time per message. It should not grow with the number of subscriptions.",
        [(per_message, "{{topic}}")],
        "s",
        ((0.0001, YELLOW), (0.001, RED)),
    )
    board.series(
        "Candidates and matches per message",
        "Distinct selectors that the values of a message lead to, and subscriptions found.",
        [
            per("winnow_topic_selector_candidates_total", "{{topic}} candidates"),
            per("winnow_topic_matches_total", "{{topic}} matches"),
        ],
        "short",
        ((1000, YELLOW),),
    )
    board.series(
        "Evaluations per message",
        "Selectors that had to be evaluated, because no key says it all. With matching=linear these"
        " are all selectors of the topic.",
        [per("winnow_topic_selector_evaluations_total", "{{topic}}")],
        "short",
        ((100, YELLOW), (1000, RED)),
    )
    board.series(
        "Hit rates of the costliest selectors",
        "Part of the topic's messages that each of the costliest selectors matches.",
        [(metric("winnow_selector_match_ratio", topic), "{{selector}}")],
        "percentunit",
    )
    board.series(
        "Values looked up per message",
        "Probes of the index: one for each property of a message that some selector uses.",
        [per("winnow_topic_selector_probes_total", "{{topic}}")],
        "short",
        ((20, YELLOW),),
    )
    board.series(
        "Subscriptions and distinct selectors",
        "Identical selectors are kept and evaluated once.",
        [
            (f"sum by (topic) ({metric('winnow_topic_subscriptions', topic)})", "{{topic}} subscriptions"),
            (f"sum by (topic) ({metric('winnow_topic_selectors', topic)})", "{{topic}} selectors"),
        ],
        "short",
    )
    return board


def replication():
    board = Board(
        "winnow-replication",
        "Winnow / Replication grade",
        "How many copies messages have. Each copy costs t_tx, so capacity falls with the grade.",
    )
    grade = mean("winnow_replication_grade")
    unheard = (
        f"sum({rate('winnow_replication_grade_bucket', NONE)})"
        f" / (sum({rate('winnow_replication_grade_count')}) > 0)"
    )
    board.stat("Mean grade", "Copies per message, in the mean.", grade, "short", width=6)
    board.stat(
        "Grade, p99",
        "99 of 100 messages have fewer copies.",
        quantile(0.99, "winnow_replication_grade"),
        "short",
        ((1000, YELLOW),),
        6,
    )
    board.stat(
        "Without any subscriber",
        "Part of the messages that nobody receives. Much of it: does the producer or the selector"
        " have a mistake?",
        unheard,
        "percentunit",
        ((0.5, YELLOW),),
        6,
    )
    board.stat(
        "Outgoing bytes",
        "Bytes of copies per second. Compare with the network.",
        f"sum({rate('winnow_dispatched_bytes_total')})",
        "Bps",
        ((1e9, YELLOW),),
        6,
    )
    board.add(
        "heatmap",
        "Replication grade",
        "Messages per second by their number of copies.",
        [(f"sum by (le) ({rate('winnow_replication_grade_bucket')})", "{{le}}")],
        "short",
        12,
        9,
    )
    board.add(
        "heatmap",
        "Message size",
        "Messages per second by their size.",
        [(f"sum by (le) ({rate('winnow_message_size_bytes_bucket')})", "{{le}}")],
        "bytes",
        12,
        9,
    )
    board.series(
        "Mean grade",
        "Copies per message.",
        [(grade, "mean"), (quantile(0.5, "winnow_replication_grade"), "p50")],
        "short",
        width=12,
    )
    board.series(
        "Bytes in and out",
        "Their ratio is the mean grade, weighted by size.",
        [
            (f"sum({rate('winnow_received_bytes_total')})", "received"),
            (f"sum({rate('winnow_dispatched_bytes_total')})", "delivered"),
        ],
        "Bps",
        width=12,
    )
    return board


def flow():
    topic = 'topic=~"$topic"'
    board = Board(
        "winnow-flow",
        "Winnow / Flow control",
        "Who blocks whom: producers that are held back, and the consumers that are the reason.",
        topics=True,
    )
    board.add(
        "table",
        "Who blocks whom",
        "Consumers that hold back the producers of a topic, and what waits for them. reason is the"
        " limit: of one subscription or of all.",
        [(metric("winnow_topic_culprit_backlog_bytes", topic), "")],
        "bytes",
        16,
        8,
        ((1, YELLOW),),
        transformations=columns(
            ("instance", "broker"),
            ("topic", "topic"),
            ("consumer", "consumer"),
            ("reason", "limit"),
            ("Value", "waiting"),
        ),
        defaults={"noValue": "nobody"},
    )
    board.series(
        "Blocked producers by topic",
        "Producers that wait for the topic to be free.",
        [(f"sum by (topic) ({metric('winnow_topic_producers_blocked', topic)})", "{{topic}}")],
        "short",
        ((1, YELLOW),),
    )
    board.series(
        "Blocked producers by reason",
        "subscription-buffer: one subscription has too much waiting. total-buffer: all together"
        " have. loop-lag: another event loop lags.",
        [(f"sum by (reason) ({metric('winnow_producers_blocked')})", "{{reason}}")],
        "short",
        ((1, YELLOW),),
    )
    board.series(
        "Producers blocked in the mean",
        "Seconds of blocking per second, summed over producers. 1: one producer was blocked all"
        " the time.",
        [(f"sum by (reason) ({rate('winnow_producers_blocked_seconds_total')})", "{{reason}}")],
        "short",
        ((0.1, YELLOW), (1, RED)),
    )
    board.series(
        "Blocks per second",
        "How often credit was held back. Often and shortly: producers and consumers are in balance;"
        " seldom and long: a consumer hangs.",
        [(f"sum by (reason) ({rate('winnow_producer_blocks_total')})", "{{reason}}")],
        "cps",
        ((10, YELLOW),),
    )
    board.series(
        "Age of the oldest waiting message",
        "How far the slowest consumer is behind.",
        [(metric("winnow_backlog_oldest_age_seconds"), "{{instance}}")],
        "s",
        ((5, YELLOW), (60, RED)),
    )
    board.series(
        "Backlog and its limit",
        "Memory of waiting messages. At the limit all topics with a backlog are blocked.",
        [
            (metric("winnow_backlog_bytes"), "{{instance}} used"),
            (metric("winnow_backlog_limit_bytes"), "{{instance}} limit"),
        ],
        "bytes",
    )
    board.series(
        "Waiting copies",
        "Copies that wait for credit of their consumers.",
        [(metric("winnow_backlog_messages"), "{{instance}}")],
        "short",
    )
    board.series(
        "Lost copies and slow consumers",
        "Copies that no consumer got, by reason, and connections closed because their consumers"
        " were slow, per second.",
        [
            (f"sum by (reason) ({rate('winnow_messages_dropped_total')})", "{{reason}}"),
            (f"sum({rate('winnow_slow_consumers_disconnected_total')})", "disconnected"),
        ],
        "cps",
        ((0.001, RED),),
    )
    board.series(
        "Blocked topics",
        "Topics whose producers are held back.",
        [(metric("winnow_topics_blocked"), "{{instance}}")],
        "short",
        ((1, YELLOW),),
    )
    board.series(
        "Subscriptions that are behind",
        "Live subscriptions with more waiting than their buffer that hold nobody back."
        " winnow top and /api/v1/behind name them.",
        [(metric("winnow_subscriptions_behind"), "{{instance}}")],
        "short",
        ((1, YELLOW),),
    )
    board.series(
        "What waits on the disk and its limit",
        "Of live subscriptions that are behind. At the limit the one that has most and takes least"
        " is disconnected.",
        [
            (metric("winnow_spilled_bytes"), "{{instance}} used"),
            (metric("winnow_spilled_limit_bytes"), "{{instance}} limit"),
        ],
        "bytes",
    )
    return board


def jvm():
    board = Board(
        "winnow-jvm",
        "Winnow / JVM and loops",
        "The process under the broker: event loops, memory, garbage collection, scrapes.",
    )
    board.series(
        "Busy share of event loops",
        "Processor time of each event loop per second. It does not tell how much more the loop could"
        " take: a good part of an iteration's cost does not depend on how many messages it brings,"
        " so a loop may be less busy at a higher rate.",
        [(rate("winnow_event_loop_busy_seconds_total"), "{{instance}} loop {{loop}}")],
        "percentunit",
    )
    board.series(
        "Iteration time",
        "How long an event loop is away from its sockets, without the sleep. A message waits for the"
        " rest of the iteration in which it arrives, and for the one that reads it.",
        [
            (quantile(0.5, "winnow_loop_iteration_seconds"), "p50"),
            (quantile(0.99, "winnow_loop_iteration_seconds"), "p99"),
        ],
        "s",
        ((0.01, YELLOW), (0.1, RED)),
    )
    board.series(
        "Messages per iteration",
        "Messages from publishers that share an iteration: mean of the iterations that bring some,"
        " and p99 of all. It grows with the load, and a message takes less time the more there are.",
        [
            (MESSAGES_PER_ITERATION, "mean"),
            (quantile(0.99, "winnow_loop_messages_per_iteration"), "p99"),
        ],
        "short",
    )
    board.series(
        "Reads, writes and wake-ups",
        "Reads of clients' sockets, writes to them, and iterations after a sleep, per second.",
        [
            (f"sum({rate('winnow_loop_reads_total')})", "reads"),
            (f"sum({rate('winnow_loop_writes_total')})", "writes"),
            (f"sum({rate('winnow_loop_wakeups_total')})", "wake-ups"),
        ],
        "cps",
    )
    board.series(
        "Processors used",
        "Processor time of the process per second.",
        [(rate("process_cpu_seconds_total"), "{{instance}}")],
        "short",
    )
    board.series(
        "Heap",
        "Used heap and its limit. High after collections: too little memory for the backlog or the"
        " subscriptions.",
        [
            (f"sum by (instance) ({metric('jvm_memory_used_bytes', HEAP)})", "{{instance}} used"),
            (
                f"sum by (instance) ({metric('jvm_memory_committed_bytes', HEAP)})",
                "{{instance}} committed",
            ),
        ],
        "bytes",
    )
    board.series(
        "Garbage collection",
        "Share of the time that collections stop everything. The data path makes hardly any"
        " garbage, so this should be near 0.",
        [
            (
                f"sum by (instance) ({rate('jvm_gc_pause_seconds_sum')})"
                f" or sum by (instance) (0 * {metric('process_start_time_seconds')})",
                "{{instance}}",
            )
        ],
        "percentunit",
        ((0.02, YELLOW), (0.1, RED)),
    )
    board.series(
        "Memory outside the heap",
        "Network buffers, and what is in RAM of the whole process.",
        [
            (metric("winnow_direct_memory_bytes"), "{{instance}} network buffers"),
            (metric("process_resident_memory_bytes"), "{{instance}} resident"),
        ],
        "bytes",
    )
    board.series(
        "Memory of what clients register",
        "Subscriptions, selectors, handles, topics and names, and the limit above which they are"
        " refused.",
        [
            (
                f"{metric('winnow_metadata_bytes')} / {metric('winnow_metadata_limit_bytes')}",
                "{{instance}}",
            )
        ],
        "percentunit",
        ((0.7, YELLOW), (0.9, RED)),
    )
    board.series(
        "File descriptors",
        "Part of the limit that is open. Each connection takes one.",
        [(f"{metric('process_open_fds')} / {metric('process_max_fds')}", "{{instance}}")],
        "percentunit",
        ((0.7, YELLOW), (0.9, RED)),
    )
    board.series(
        "Threads",
        "Threads of the process. Their number should not change.",
        [(metric("jvm_threads_live_threads"), "{{instance}}")],
        "short",
        ((200, YELLOW),),
    )
    board.series(
        "Cost of a scrape",
        "Mean time to collect and write a page. It runs on the HTTP thread and delays no message.",
        [(mean("winnow_scrape_seconds", "page"), "{{page}}")],
        "s",
        ((0.1, YELLOW), (1, RED)),
    )
    board.stat(
        "Faults of the broker",
        "Callbacks that failed since the start. The log has the stacks; any is a bug.",
        f"sum({metric('winnow_internal_errors_total')})",
        "short",
        ((1, RED),),
        6,
    )
    board.stat(
        "Running since",
        "When the youngest process started.",
        f"max({metric('process_start_time_seconds')}) * 1000",
        "dateTimeFromNow",
        width=6,
    )
    board.stat(
        "Partial frames",
        "Memory of frames that have not arrived whole.",
        f"sum({metric('winnow_frames_partial_bytes')})",
        "bytes",
        ((1e8, YELLOW),),
        6,
    )
    board.stat(
        "Property names",
        "Property names that have a number on the wire. Steady growth: names hold values.",
        f"max({metric('winnow_property_names')})",
        "short",
        ((10000, YELLOW),),
        6,
    )
    board.series(
        "Failed TLS connections",
        "TLS connections that did not come about, by reason. certificate-refused: clients do not"
        " trust the broker's certificate; the log names them.",
        [(f"sum by (reason) ({rate('winnow_tls_failures_total')})", "{{reason}}")],
        "cps",
        ((0.1, YELLOW),),
        width=16,
    )
    board.add(
        "stat",
        "TLS certificate expires in",
        "Time until the first certificate expires; a new one in the same files is put into force"
        " without a restart.",
        [(f"min({metric('winnow_tls_certificate_expiration_timestamp_seconds')} - time())", "")],
        "s",
        defaults={
            "noValue": "no TLS",
            "thresholds": {
                "mode": "absolute",
                "steps": [
                    {"value": None, "color": RED},
                    {"value": 3 * 86400, "color": YELLOW},
                    {"value": 14 * 86400, "color": GREEN},
                ],
            },
        },
    )
    return board


def service_times():
    received = f"sum({rate('winnow_messages_received_total')})"
    busy = f"sum({rate('winnow_event_loop_busy_seconds_total')})"
    loops = f"count({metric('winnow_event_loop_busy_seconds_total')})"
    match = f"sum({rate('winnow_match_seconds_sum')})"
    transmit = f"sum({rate('winnow_transmit_seconds_sum')})"
    receive = f"sum({rate('winnow_receive_seconds_sum')})"
    rest = f"clamp_min({receive} - {match}, 0) / ({received} > 0)"
    per_filter = (
        f"sum({rate('winnow_topic_match_seconds_sum')})"
        f" / (sum({rate('winnow_topic_messages_total')}"
        f" * {metric('winnow_topic_subscriptions')}) > 0)"
    )
    board = Board(
        "winnow-capacity",
        "Winnow / Service times",
        "Service times as measured now: B = t_rcv + n_fltr t_fltr + R t_tx. They hold for the present"
        " mixture of messages and for the present load: with more load more messages share an"
        " iteration of the event loop, and each takes less. So they tell no capacity.",
    )
    board.stat(
        "Busy share",
        "Busy share of all event loops together. It does not tell how much more they could take.",
        f"{busy} / {loops}",
        "percentunit",
        width=6,
    )
    board.stat(
        "Mean messages per iteration",
        "Messages from publishers that share an iteration of an event loop, in the mean of the"
        " iterations that bring some.",
        MESSAGES_PER_ITERATION,
        "short",
        width=6,
    )
    board.stat(
        "Service time B",
        "Processor time of event loops per received message, copies included. At a low rate it is"
        " many times as long as at a high one.",
        f"{busy} / ({received} > 0)",
        "s",
        width=6,
    )
    board.stat(
        "Mean replication grade R",
        "Copies per message.",
        mean("winnow_replication_grade"),
        "short",
        width=6,
    )
    board.series(
        "t_rcv: receiving",
        "Time to parse a message and to charge its credit: handling what was read, without finding"
        " subscriptions. From samples of clock time, so other work on the machine makes it"
        " longer.",
        [(rest, "t_rcv")],
        "s",
        ((0.0001, YELLOW),),
    )
    board.series(
        "t_fltr: one filter",
        "Time to find subscriptions, per message and installed subscription. It falls with their"
        " number where the index works.",
        [(per_filter, "t_fltr")],
        "s",
        ((0.000001, YELLOW),),
    )
    board.series(
        "t_tx: one copy",
        "Time to bring a copy to its connection, its share of the writes to sockets included.",
        [(mean("winnow_transmit_seconds"), "t_tx")],
        "s",
        ((0.00005, YELLOW),),
    )
    board.series(
        "Where the time of a message goes",
        "The parts of the service time B: receiving, finding subscriptions, transmitting.",
        [
            (rest, "receive"),
            (f"{match} / ({received} > 0)", "match"),
            (f"{transmit} / ({received} > 0)", "transmit"),
        ],
        "s",
        width=12,
    )
    board.series(
        "Rate and iterations",
        "Messages received per second, and iterations of event loops. The closer they are, the fewer"
        " messages share an iteration.",
        [
            (received, "received"),
            (f"sum({rate('winnow_loop_iteration_seconds_count')})", "iterations"),
        ],
        "cps",
        width=12,
    )
    return board


def store():
    queue = 'queue=~"$queue"'
    board = Board(
        "winnow-store",
        "Winnow / Store",
        "Queues, durable and shared subscriptions: does what is sent get processed, and does the"
        " store keep up?",
        variable=("queue", "Queue", "label_values(winnow_queue_messages, queue)"),
    )
    board.stat(
        "Store",
        "Whether the store takes messages. Failed: the disk is full or broken; producers get"
        " exceptions, consumers drain what is there. /health/ready says why.",
        f"max({metric('winnow_storage_failed')})",
        "short",
        ((1, RED),),
        width=3,
        defaults={
            "mappings": [
                {
                    "type": "value",
                    "options": {
                        "0": {"text": "takes messages", "index": 0},
                        "1": {"text": "failed", "index": 1},
                    },
                }
            ]
        },
    )
    board.stat(
        "Stored messages",
        "Messages that are not acknowledged, once for each subscription.",
        f"sum({metric('winnow_stored_messages')})",
        "short",
        width=3,
    )
    board.stat(
        "Stored bytes",
        "Bytes of these messages.",
        f"sum({metric('winnow_stored_bytes')})",
        "bytes",
        width=3,
    )
    board.stat(
        "Without a consumer",
        "Messages in queues and subscriptions that nobody consumes from, dead letters excepted.",
        f"sum({metric('winnow_stored_messages_unattended')})",
        "short",
        ((1, YELLOW), (10_000, RED)),
        width=3,
    )
    board.stat(
        "Oldest stored message",
        "How long the oldest message waits in a queue or a stored subscription, dead letters"
        " excepted; by the clock of its sender.",
        f"max({metric('winnow_stored_oldest_age_seconds')})",
        "s",
        ((60, YELLOW), (3600, RED)),
    )
    board.stat(
        "Dead letters",
        "Messages that failed too often. 'winnow queue browse winnow.dead' shows why.",
        f"sum({metric('winnow_dead_letters')})",
        "short",
        ((1, YELLOW), (100, RED)),
    )
    board.stat(
        "Commit",
        "Mean time until a batch of changes is on the disk; persistent sends wait for it.",
        mean("winnow_storage_commit_seconds"),
        "s",
        ((0.02, YELLOW), (0.2, RED)),
    )
    board.series(
        "Messages in and out",
        "Messages that came, and that were acknowledged, per second. A topic's message counts once"
        " as it comes, and once for each subscription that acknowledges it.",
        [
            (f"sum({rate('winnow_stored_messages_appended_total')})", "came"),
            (f"sum({rate('winnow_stored_messages_delivered_total')})", "delivered"),
            (f"sum({rate('winnow_stored_messages_acknowledged_total')})", "acknowledged"),
        ],
        "short",
    )
    board.series(
        "Where messages are",
        "All that are not acknowledged; those that consumers have; those that no consumer will"
        " take.",
        [
            (f"sum({metric('winnow_stored_messages')})", "stored"),
            (f"sum({metric('winnow_stored_messages_unacknowledged')})", "with consumers"),
            (f"sum({metric('winnow_stored_messages_unattended')})", "without a consumer"),
        ],
        "short",
    )
    board.series(
        "Failures",
        "Attempts that failed, messages that were delivered again, and messages that went to the"
        " dead-letter queue, per second.",
        [
            (f"sum({rate('winnow_stored_deliveries_failed_total')})", "failed"),
            (f"sum({rate('winnow_stored_messages_redelivered_total')})", "delivered again"),
            (f"sum({rate('winnow_stored_messages_buried_total')})", "dead letters"),
        ],
        "cps",
        ((1, YELLOW),),
    )
    board.series(
        "Messages that nobody gets",
        "Expired, gone because there were too many, refused because there were too many, gone"
        " from the dead-letter queue, and damaged on the disk, per second.",
        [
            (f"sum({rate('winnow_stored_messages_expired_total')})", "expired"),
            (f"sum({rate('winnow_stored_messages_overflowed_total')})", "overflowed"),
            (f"sum({rate('winnow_stored_messages_refused_total')})", "refused"),
            (f"sum({rate('winnow_dead_letters_lost_total')})", "dead letters lost"),
            (f"sum({rate('winnow_storage_messages_quarantined_total')})", "damaged"),
        ],
        "cps",
        ((0.001, RED),),
    )
    board.series(
        "Time of a commit",
        "Mean time until a batch is on the disk; while nothing completes, for how long.",
        [
            (mean("winnow_storage_commit_seconds", "instance"), "{{instance}}"),
            (metric("winnow_storage_stalled_seconds"), "{{instance}} hangs"),
        ],
        "s",
        ((0.02, YELLOW), (0.2, RED)),
    )
    board.series(
        "Messages per commit",
        "How many messages share a sync of the disk. It grows with the load: batches gather what"
        " comes while the disk is busy.",
        [
            (
                f"sum by (instance) ({rate('winnow_stored_messages_appended_total')})"
                f" / (sum by (instance) ({rate('winnow_storage_commit_seconds_count')}) > 0)",
                "{{instance}}",
            )
        ],
        "short",
    )
    board.series(
        "Written to the log",
        "Bytes of messages that came, and of all changes that were written, per second.",
        [
            (f"sum({rate('winnow_stored_appended_bytes_total')})", "messages"),
            (f"sum({rate('winnow_storage_entry_bytes_total')})", "log"),
        ],
        "Bps",
    )
    board.series(
        "Memory of stored messages",
        "Messages that need not be read from the disk, and the limit (storage.window). At the"
        " limit the oldest are read when they are needed.",
        [
            (metric("winnow_storage_window_bytes"), "{{instance}} used"),
            (metric("winnow_storage_window_limit_bytes"), "{{instance}} limit"),
        ],
        "bytes",
    )
    board.series(
        "Free disk",
        "What is free on the disk of the store, and the reserve (storage.disk-reserve): with less"
        " free, messages to store are refused while consumers go on.",
        [
            (metric("winnow_storage_disk_free_bytes"), "{{instance}} free"),
            (metric("winnow_storage_disk_reserve_bytes"), "{{instance}} reserve"),
        ],
        "bytes",
    )
    board.series(
        "Messages by queue",
        "What waits in the fullest queues.",
        [(f"sum by (queue) ({metric('winnow_queue_messages', queue)})", "{{queue}}")],
        "short",
    )
    board.add(
        "table",
        "Queues",
        "The fullest queues: their messages, those that consumers have, the consumers, and whether"
        " the queue is paused (1): then consumers get nothing until 'winnow queue resume'.",
        [
            (f"sum by (instance, queue) ({metric('winnow_queue_messages', queue)})", ""),
            (
                "sum by (instance, queue)"
                f" ({metric('winnow_queue_messages_unacknowledged', queue)})",
                "",
            ),
            (f"sum by (instance, queue) ({metric('winnow_queue_consumers', queue)})", ""),
            (f"max by (instance, queue) ({metric('winnow_queue_paused', queue)})", ""),
        ],
        "short",
        12,
        8,
        transformations=[
            {"id": "merge", "options": {}},
            *columns(
                ("instance", "broker"),
                ("queue", "queue"),
                ("Value #A", "messages"),
                ("Value #B", "with consumers"),
                ("Value #C", "consumers"),
                ("Value #D", "paused"),
            ),
        ],
        defaults={"noValue": "none"},
    )
    board.add(
        "table",
        "Durable and shared subscriptions",
        "The fullest subscriptions of topics, and their consumers. One without consumers for long"
        " is perhaps not needed any more: 'winnow subscription delete'.",
        [
            (
                "sum by (instance, topic, subscription)"
                f" ({metric('winnow_stored_subscription_messages')})",
                "",
            ),
            (
                "sum by (instance, topic, subscription)"
                f" ({metric('winnow_stored_subscription_consumers')})",
                "",
            ),
        ],
        "short",
        12,
        8,
        transformations=[
            {"id": "merge", "options": {}},
            *columns(
                ("instance", "broker"),
                ("topic", "topic"),
                ("subscription", "subscription"),
                ("Value #A", "messages"),
                ("Value #B", "consumers"),
            ),
        ],
        defaults={"noValue": "none"},
    )
    return board


def cluster():
    leading = f"({metric('winnow_cluster_leads')} == 1)"
    elections = (
        f"max(max_over_time({metric('winnow_cluster_term')}[15m]))"
        f" - max(min_over_time({metric('winnow_cluster_term')}[15m]))"
    )

    def led(name):
        """Of the brokers that lead a cluster."""
        return f"sum({rate(name)} and on (instance, job) {leading})"

    board = Board(
        "winnow-cluster",
        "Winnow / Cluster",
        "Brokers that keep the same messages: who leads, do the others keep up, how long does a"
        " majority take? A broker that is alone has nothing to show here. Choose the nodes of one"
        " cluster where there are several.",
    )
    board.stat(
        "Leaders",
        "Nodes that lead and serve clients: 1, and 0 for some seconds while another one takes over."
        " 0 for longer: no messages are stored.",
        f"sum({metric('winnow_cluster_leads')})",
        "short",
        defaults={
            "noValue": "no cluster",
            "thresholds": {
                "mode": "absolute",
                "steps": [
                    {"value": None, "color": RED},
                    {"value": 1, "color": GREEN},
                    {"value": 2, "color": RED},
                ],
            },
        },
    )
    board.stat(
        "Nodes without a leader",
        "Nodes that know no leader, because they do not reach a majority or an election is under"
        " way.",
        f"count({metric('winnow_cluster_has_leader')}) - sum({metric('winnow_cluster_has_leader')})",
        "short",
        ((1, RED),),
        defaults={"noValue": "no cluster"},
    )
    board.stat(
        "Elections in 15 minutes",
        "Elections of the last 15 minutes. One for each upgrade or stop of the leader is right;"
        " more: nodes stand still or lose each other.",
        elections,
        "short",
        ((1, YELLOW), (4, RED)),
        defaults={"noValue": "no cluster"},
    )
    board.stat(
        "Lag of the last follower",
        "Entries of the log that the follower which is furthest behind is yet to get.",
        f"max({metric('winnow_cluster_lag_entries')})",
        "short",
        ((1_000, YELLOW), (100_000, RED)),
        defaults={"noValue": "no follower"},
    )
    board.stat(
        "Append, p99",
        "99 of 100 batches of changes are on the disks of a majority sooner; persistent sends wait"
        " for it.",
        quantile(0.99, "winnow_cluster_append_seconds"),
        "s",
        ((0.1, YELLOW), (1, RED)),
        defaults={"noValue": "no cluster"},
    )
    board.stat(
        "Confirmed",
        "Messages per second that the cluster has taken into queues and stored subscriptions.",
        led("winnow_stored_messages_appended_total"),
        "short",
        defaults={"noValue": "no cluster"},
    )
    board.add(
        "state-timeline",
        "Role of each node",
        "Who leads, who follows, and who knows no leader. A gap: the node did not answer.",
        [
            (
                f"{metric('winnow_cluster_leads')}"
                f" + on (instance, job) {metric('winnow_cluster_has_leader')}",
                "{{instance}}",
            )
        ],
        "short",
        16,
        8,
        defaults={
            "mappings": [
                {
                    "type": "value",
                    "options": {
                        "0": {"text": "no leader known", "color": RED, "index": 0},
                        "1": {"text": "follows", "color": BLUE, "index": 1},
                        "2": {"text": "leads", "color": GREEN, "index": 2},
                    },
                }
            ]
        },
    )
    board.series(
        "Term",
        "Number of the present lead as each node knows it. Each step is an election; a node whose"
        " number stays behind has lost the others.",
        [(metric("winnow_cluster_term"), "{{instance}}")],
        "short",
    )
    board.series(
        "Lag of followers",
        "Entries of the log that each follower is yet to get, as the leader knows it. Steady growth:"
        " the node is away, or its disk or network is slow.",
        [(metric("winnow_cluster_lag_entries"), "{{node}}")],
        "short",
        ((100_000, RED),),
    )
    board.series(
        "Silence of followers",
        "Time for which the leader has not heard of each follower, at most since it leads. A node"
        " that is away has no lag after the next election, because the new leader does not know it.",
        [(metric("winnow_cluster_silent_seconds"), "{{node}}")],
        "s",
        ((60, RED),),
    )
    board.series(
        "Time of an append",
        "Time from giving a batch of changes to the log until a majority has it on the disk and the"
        " leader in its tables.",
        [
            (quantile(0.5, "winnow_cluster_append_seconds"), "p50"),
            (quantile(0.99, "winnow_cluster_append_seconds"), "p99"),
        ],
        "s",
        ((0.1, YELLOW), (1, RED)),
    )
    board.series(
        "Confirmed messages",
        "Messages that came to the leader and are stored, and that were acknowledged, per second.",
        [
            (led("winnow_stored_messages_appended_total"), "came"),
            (led("winnow_stored_messages_acknowledged_total"), "acknowledged"),
        ],
        "short",
    )
    board.series(
        "Batches and entries",
        "Batches of changes that the leader gives to the log, and entries of the log that are"
        " confirmed, per second. Under load several batches share an entry.",
        [
            (f"sum({rate('winnow_cluster_append_seconds_count')})", "batches"),
            (f"max({rate('winnow_cluster_confirmed_entry')})", "entries"),
        ],
        "cps",
    )
    board.series(
        "Not yet in the tables",
        "Entries that a node knows to be confirmed and has not applied. Steady growth: its disk is"
        " too slow for its tables.",
        [
            (
                f"clamp_min({metric('winnow_cluster_confirmed_entry')}"
                f" - {metric('winnow_cluster_applied_entry')}, 0)",
                "{{instance}}",
            )
        ],
        "short",
        ((100_000, RED),),
    )
    board.series(
        "Age of the newest snapshot",
        "Time since each node has made its newest snapshot, or got it. One is made after 256 MiB or"
        " 200,000 entries of the log, so it may be old where little is sent.",
        [(f"time() - ({metric('winnow_cluster_snapshot_timestamp_seconds')} > 0)", "{{instance}}")],
        "s",
    )
    return board


def main():
    stale = []
    for make in (overview, selectors, replication, flow, store, cluster, jvm, service_times):
        board = make()
        path = HERE / "boards" / f"{board.uid}.json"
        text = json.dumps(board.json(), indent=2) + "\n"
        if "--check" in sys.argv:
            if not path.exists() or path.read_text() != text:
                stale.append(path.name)
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    if stale:
        sys.exit(f"stale boards: {', '.join(stale)}; run grafana/boards.py")


if __name__ == "__main__":
    main()
