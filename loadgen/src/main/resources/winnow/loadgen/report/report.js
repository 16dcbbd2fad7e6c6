'use strict';

// Renders REPORT (see ReportData) into #report. Nothing is loaded; charts follow the color scheme.

// Charts and medians are of the points whose figures may be used; the table of points has all.
for (const run of REPORT.runs) {
  run.all = run.points;
  run.points = run.all.filter((point) => point.verdict === 'valid');
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const charts = [];

// One color per replication grade, in the order of the grades.
const GRADES = {
  light: ['#64748b', '#2563eb', '#0891b2', '#059669', '#65a30d', '#d97706', '#dc2626', '#9333ea',
    '#be185d', '#78350f'],
  dark: ['#94a3b8', '#60a5fa', '#22d3ee', '#34d399', '#a3e635', '#fbbf24', '#f87171', '#c084fc',
    '#f472b6', '#d6a77a'],
};

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** `t_rcv` as t with a subscript. */
function symbol(name) {
  const [base, index] = name.split('_');
  return element('span', {}, base, element('sub', {}, index));
}

function number(value, digits = 3) {
  if (value === null || value === undefined) {
    return '–';
  }
  if (value !== 0 && Math.abs(value) < 0.001) {
    return value.toExponential(1);
  }
  return value.toLocaleString('en', {maximumSignificantDigits: digits});
}

function whole(value) {
  return value === null ? '–' : Math.round(value).toLocaleString('en');
}

function percent(value, digits = 1) {
  return value === null || value === undefined ? '–' : value.toFixed(digits) + ' %';
}

function signed(value) {
  return value === null ? '–' : (value >= 0 ? '+' : '−') + Math.abs(value).toFixed(1) + ' %';
}

/** 1500000 as 1.5 M, for axes. */
function short(value) {
  if (value >= 1e6) {
    return +(value / 1e6).toPrecision(3) + ' M';
  }
  return value >= 1e3 ? +(value / 1e3).toPrecision(3) + ' k' : String(+value.toPrecision(3));
}

function table(columns, rows, css = '') {
  const head = element('tr', {}, ...columns.map((column) =>
    element('th', column.text ? {class: 'text'} : {}, column.title)));
  const body = rows.map((row) => element('tr', {}, ...columns.map((column) => {
    const cell = column.cell(row);
    const css = [column.text ? 'text' : '', column.css ? column.css(row) : ''].join(' ').trim();
    return element('td', css ? {class: css} : {}, cell);
  })));
  return element('div', {class: 'scroll'},
    element('table', {class: css}, element('thead', {}, head), element('tbody', {}, ...body)));
}

function tile(name, value, unit) {
  return element('div', {class: 'tile'},
    element('div', {class: 'name'}, name),
    element('div', {class: 'value'}, value, ' ', element('span', {class: 'unit'}, unit)));
}

function card(title, note, ...children) {
  return element('div', {class: 'card'},
    element('h3', {}, title), note ? element('p', {class: 'soft small'}, note) : null, ...children);
}

function chart(css, option) {
  const node = element('div', {class: 'chart ' + css});
  charts.push({node, option, drawn: null});
  return node;
}

function drawCharts() {
  for (const entry of charts) {
    if (entry.drawn) {
      entry.drawn.dispose();
    }
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue('--' + name).trim();
    entry.drawn = echarts.init(entry.node, null, {renderer: 'svg'});
    entry.drawn.setOption(entry.option({
      ink: color('ink'), soft: color('soft'), line: color('line'), card: color('card'),
      accent: color('accent'), grades: dark.matches ? GRADES.dark : GRADES.light,
    }));
  }
}

/** Points the reader to the paper's figure, if this is the run behind it. */
function comparison(run) {
  const figure = /^FioranoMQ paper, section 4\.9, (figure \d+)/.exec(run.source);
  return figure ? `Compare ${figure[1]} of the paper. ` : '';
}

/** What all charts share. */
function base(theme) {
  return {
    animation: false,
    textStyle: {fontFamily: getComputedStyle(document.documentElement).fontFamily},
    tooltip: {
      backgroundColor: theme.card, borderColor: theme.line, textStyle: {color: theme.ink},
    },
  };
}

function axis(theme, name, more) {
  return {
    name, nameLocation: 'middle', nameTextStyle: {color: theme.soft, fontSize: 13},
    axisLine: {show: true, lineStyle: {color: theme.soft}},
    axisLabel: {color: theme.soft, fontSize: 12},
    splitLine: {lineStyle: {color: theme.line}},
    minorSplitLine: {show: false},
    ...more,
  };
}

/** Even decades' limits around values on a logarithmic axis: 1, 2 or 5 times a power of ten. */
function logarithmicLimits(values) {
  const round = (value, up) => {
    const power = Math.pow(10, Math.floor(Math.log10(value)));
    const steps = [1, 2, 5, 10].map((step) => step * power);
    return up ? steps.find((step) => step >= value * 0.9999)
      : steps.reverse().find((step) => step <= value * 1.0001);
  };
  return [round(Math.min(...values), false), round(Math.max(...values), true)];
}

/**
 * As the fit takes a time that was measured several times: of an even number the shorter of the two
 * in the middle.
 */
function median(times) {
  return [...times].sort((a, b) => a - b)[Math.floor((times.length - 1) / 2)];
}

/** Of rates, which are the higher the shorter the time is. */
function medianRate(rates) {
  return -median(rates.map((rate) => -rate));
}

function grades(points) {
  return [...new Set(points.map((point) => point.r))].sort((a, b) => a - b);
}

function crews(run) {
  return [...new Set(run.points.map((point) => point.publishers))].sort((a, b) => a - b);
}

/** Tells points with different numbers of publishers apart, where there are any. */
function byCrew(run, publishers) {
  return crews(run).length === 1 ? ''
    : publishers === 1 ? ', 1 publisher' : `, ${publishers} publishers`;
}

/** One symbol per number of publishers; diamonds are held out. */
const CREW_SYMBOLS = ['circle', 'rect', 'triangle', 'pin', 'arrow'];

/** Throughput over installed filters, a triple with r for each, of points that are alike. */
function throughputs(points) {
  const filters = [...new Set(points.map((point) => point.filters))].sort((a, b) => a - b);
  return filters.map((count) => [count, medianRate(points.filter((point) => point.filters === count)
    .map((point) => point.saturated)), points[0].r]);
}

/** Neighbours further apart than this are not joined: the model bends between them. */
const JOINED = 3;

/** Points for a line on a logarithmic axis, interrupted where neighbours are far apart. */
function joined(points) {
  return points.flatMap((point, index) => {
    const next = points[index + 1];
    return next && next[0] > JOINED * point[0] ? [point, [next[0], null]] : [point];
  });
}

/** Overall throughput over installed filters, one line per replication grade. */
function throughputOption(run, theme) {
  const onLine = run.points.filter((point) => point.filters > 0);
  const all = grades(onLine);
  const fitted = run.fitted ? run.fitted.parameters.map((parameter) => parameter.value) : null;
  const model = (filters, r) => (r + 1) * 1e6 / (fitted[0] + filters * fitted[1] + r * fitted[2]);
  const lowest = Math.min(...onLine.map((point) => point.filters));
  const highest = Math.max(...onLine.map((point) => point.filters));
  const series = [];
  const values = [];
  const names = [];
  all.forEach((r, index) => {
    const color = theme.grades[index % theme.grades.length];
    crews(run).forEach((publishers, crew) => {
      const name = 'r = ' + r + byCrew(run, publishers);
      const use = (kind) => throughputs(onLine.filter((point) => point.r === r
        && point.publishers === publishers && point.use === kind));
      const measured = use('fit');
      const heldOut = use('held-out');
      names.push(name);
      values.push(...measured.map((pair) => pair[1]), ...heldOut.map((pair) => pair[1]));
      series.push({
        name, type: 'line', data: joined(measured),
        symbol: CREW_SYMBOLS[crew % CREW_SYMBOLS.length], symbolSize: 7,
        lineStyle: {width: 2.2, color}, itemStyle: {color}, z: 3,
      });
      if (heldOut.length) {
        series.push({
          name, type: 'scatter', data: heldOut, symbol: 'diamond', symbolSize: 13,
          itemStyle: {color: theme.card, borderColor: color, borderWidth: 2.2}, z: 4,
        });
      }
    });
    if (fitted) {
      const from = Math.max(r, lowest);
      const curve = [];
      for (let step = 0; step <= 60; step++) {
        const filters = from * Math.pow(highest / from, step / 60);
        curve.push([filters, model(filters, r)]);
      }
      values.push(...curve.map((pair) => pair[1]));
      series.push({
        name: 'r = ' + r + byCrew(run, crews(run)[0]), type: 'line', data: curve,
        symbol: 'none', silent: true,
        lineStyle: {width: 1.8, type: [7, 5], color}, itemStyle: {color}, z: 2,
        tooltip: {show: false},
      });
    }
  });
  const [bottom, top] = logarithmicLimits(values);
  return {
    ...base(theme),
    grid: {left: 78, right: 20, top: 44, bottom: 56},
    legend: {
      data: names.map((name) => crews(run).length > 1 ? {name} : {name, icon: 'roundRect'}),
      top: 0, type: 'scroll', textStyle: {color: theme.ink, fontSize: 13}, itemWidth: 18,
      itemHeight: crews(run).length > 1 ? 9 : 4,
    },
    tooltip: {
      ...base(theme).tooltip, trigger: 'item',
      formatter: (item) => `${item.seriesName}, ${item.value[0]} filters<br><b>`
        + `${whole(item.value[1])}</b> messages/s`
        + (fitted ? `<br>model ${whole(model(item.value[0], item.value[2]))}` : ''),
    },
    xAxis: axis(theme, 'installed filters  n_fltr = n + r', {
      type: 'log', nameGap: 34, min: logarithmicLimits([lowest])[0],
      max: logarithmicLimits([highest])[1], axisLabel: {color: theme.soft, formatter: short},
      minorTick: {show: true},
    }),
    yAxis: axis(theme, throughputName(run), {
      type: 'log', nameGap: 58, min: bottom, max: top, minorTick: {show: true},
      axisLabel: {color: theme.soft, formatter: short},
    }),
    series,
  };
}

function throughputName(run) {
  return run.brokerCpuKnown ? 'messages/s per broker CPU' : 'messages/s overall';
}

/** How far the model is from each point, over the measured time. */
function residualOption(run, theme) {
  const all = grades(run.points);
  const span = Math.max(5, ...run.points.map((point) => Math.abs(point.errorPercent)));
  const limit = Math.ceil(span / 5) * 5;
  return {
    ...base(theme),
    grid: {left: 78, right: 20, top: 44, bottom: 56},
    legend: {
      data: all.map((r) => ({name: 'r = ' + r, icon: 'circle'})), top: 0,
      textStyle: {color: theme.ink, fontSize: 13}, itemWidth: 9, itemHeight: 9,
    },
    tooltip: {
      ...base(theme).tooltip, trigger: 'item',
      formatter: (item) => `${item.seriesName}, n = ${item.data.n}`
        + `${byCrew(run, item.data.publishers)}<br>measured `
        + `${number(item.value[0])} µs<br>model <b>${signed(item.value[1])}</b>`,
    },
    xAxis: axis(theme, 'measured service time B in µs', {
      type: 'log', nameGap: 34,
      min: logarithmicLimits(run.points.map((point) => point.serviceMicros))[0],
      max: logarithmicLimits(run.points.map((point) => point.serviceMicros))[1],
      axisLabel: {color: theme.soft, formatter: short},
    }),
    yAxis: axis(theme, 'model against measured', {
      type: 'value', nameGap: 58, min: -limit, max: limit,
      axisLabel: {color: theme.soft, formatter: (value) => value + ' %'},
    }),
    series: all.map((r, index) => ({
      name: 'r = ' + r, type: 'scatter',
      data: run.points.filter((point) => point.r === r).map((point) => ({
        value: [point.serviceMicros, point.errorPercent], n: point.n,
        publishers: point.publishers,
        symbol: point.use === 'held-out' ? 'diamond' : 'circle',
        symbolSize: point.use === 'held-out' ? 13 : 9,
        itemStyle: point.use === 'held-out'
          ? {color: theme.card, borderColor: theme.grades[index % theme.grades.length],
            borderWidth: 2.2}
          : {color: theme.grades[index % theme.grades.length]},
      })),
      itemStyle: {color: theme.grades[index % theme.grades.length]},
      markLine: index ? undefined : {
        silent: true, symbol: 'none', label: {show: false},
        lineStyle: {color: theme.soft, type: 'solid', width: 1}, data: [{yAxis: 0}],
      },
    })),
  };
}

/** Whether broker and load share a machine, as far as the run tells. */
function shared(run) {
  return run.sharedMachine;
}

/** Received and dispatched rates as stacked bars, for runs without a model. */
function ratesOption(run, theme) {
  const label = (point) => run.filter === 'none'
    ? `${point.publishers} → ${point.r}`
    : `${point.filters} filters${byCrew(run, point.publishers)}`.replace(', ', '\n');
  const order = [...run.points].sort((a, b) =>
    a.publishers - b.publishers || a.r - b.r || a.filters - b.filters);
  const labels = [...new Set(order.map(label))];
  const rate = (key) => labels.map((text) =>
    medianRate(order.filter((point) => label(point) === text).map((point) => point[key])));
  const bar = (name, key, color) => ({
    name, type: 'bar', stack: 'overall', data: rate(key), barMaxWidth: 56, itemStyle: {color},
  });
  return {
    ...base(theme),
    grid: {left: 78, right: 20, top: 44, bottom: 72},
    legend: {top: 0, textStyle: {color: theme.ink, fontSize: 13}, itemWidth: 12, itemHeight: 12},
    tooltip: {
      ...base(theme).tooltip, trigger: 'axis', axisPointer: {type: 'shadow'},
      valueFormatter: (value) => whole(value) + '/s',
    },
    xAxis: axis(theme,
      run.filter === 'none' ? 'publishers → subscribers' : 'subscribers, a filter each', {
        type: 'category', nameGap: labels.some((text) => text.includes('\n')) ? 50 : 34,
        data: labels, splitLine: {show: false},
        axisLabel: {
          color: theme.soft, fontSize: 12, lineHeight: 16, interval: 0, hideOverlap: true,
        },
      }),
    yAxis: axis(theme, 'messages/s' + (shared(run) ? ', machine shared' : ''), {
      type: 'value', nameGap: 58, axisLabel: {color: theme.soft, formatter: short},
    }),
    series: [
      bar('received from publishers', 'received', theme.grades[1]),
      bar('dispatched to subscribers', 'dispatched', theme.grades[5]),
    ],
  };
}

/** Runs of one kind of filter that differ in how the broker matched. */
function matchingPairs(runs) {
  return [...new Set(runs.filter((run) => run.fitted && run.matching).map((run) => run.filter))]
    .map((filter) => runs.filter((run) => run.fitted && run.matching && run.filter === filter))
    .filter((pair) => new Set(pair.map((run) => run.matching)).size > 1);
}

const EFFECT_SYMBOLS = {linear: 'circle', indexed: 'triangle'};
const EFFECT_COLORS = {linear: 6, indexed: 1};

/** Throughput over installed filters for the smallest and the largest r, each way of matching. */
function effectOption(pair, theme) {
  const measured = (run, r, publishers) => throughputs(run.points.filter((point) =>
    point.r === r && point.filters > 0 && point.publishers === publishers));
  const copies = grades(pair[0].points.filter((point) => point.r > 0));
  const shown = [...new Set([copies[0], copies[copies.length - 1]])];
  const highest = Math.max(...pair.flatMap((run) => run.points.map((point) => point.filters)));
  const series = [];
  const values = [];
  const names = [];
  for (const run of pair) {
    const color = theme.grades[EFFECT_COLORS[run.matching] ?? 8];
    const [receive, filter, transmit] = run.fitted.parameters.map((parameter) => parameter.value);
    shown.forEach((r, index) => {
      const name = (publishers) => `${run.matching}, r = ${r}${byCrew(run, publishers)}`;
      const curve = [];
      for (let step = 0; step <= 60; step++) {
        const filters = r * Math.pow(highest / r, step / 60);
        curve.push([filters, (r + 1) * 1e6 / (receive + filters * filter + r * transmit)]);
      }
      values.push(...curve.map((pair) => pair[1]));
      const hollow = index > 0;
      crews(run).forEach((publishers, crew) => {
        const points = measured(run, r, publishers);
        names.push(name(publishers));
        values.push(...points.map((triple) => triple[1]));
        series.push({
          name: name(publishers), type: 'line', data: joined(points), symbolSize: 9 + 4 * crew,
          symbol: EFFECT_SYMBOLS[run.matching] ?? 'rect', lineStyle: {width: 2.2, color},
          itemStyle: hollow ? {color: theme.card, borderColor: color, borderWidth: 2} : {color},
          z: 3,
        });
      });
      series.push({
        name: name(crews(run)[0]), type: 'line', data: curve, symbol: 'none', silent: true, z: 2,
        lineStyle: {width: 1.8, type: [7, 5], color}, itemStyle: {color}, tooltip: {show: false},
      });
    });
  }
  const [bottom, top] = logarithmicLimits(values);
  return {
    ...base(theme),
    grid: {left: 78, right: 20, top: 44, bottom: 56},
    legend: {
      data: names, top: 0, type: 'scroll',
      textStyle: {color: theme.ink, fontSize: 13},
    },
    tooltip: {
      ...base(theme).tooltip, trigger: 'item',
      formatter: (item) => `${item.seriesName}, ${item.value[0]} filters<br><b>`
        + `${whole(item.value[1])}</b> messages/s`,
    },
    xAxis: axis(theme, 'installed filters  n_fltr = n + r', {
      type: 'log', nameGap: 34, min: 1, max: logarithmicLimits([highest])[1],
      axisLabel: {color: theme.soft, formatter: short}, minorTick: {show: true},
    }),
    yAxis: axis(theme, throughputName(pair[0]), {
      type: 'log', nameGap: 58, min: bottom, max: top, minorTick: {show: true},
      axisLabel: {color: theme.soft, formatter: short},
    }),
    series,
  };
}

function effectTable(pair) {
  const parameter = (run, index) => {
    const it = run.fitted.parameters[index];
    return it.containsZero ? `at most ${number(it.high)}` : number(it.value);
  };
  return table([
    {title: 'matching', text: true, cell: (run) => run.matching},
    ...[0, 1, 2].map((index) => ({
      title: element('span', {}, symbol(pair[0].fitted.parameters[index].symbol), ' µs'),
      cell: (run) => parameter(run, index),
    })),
    {title: 'mean error', cell: (run) => percent(run.fitted.meanErrorPercent)},
  ], pair);
}

function effectSection(runs) {
  const pairs = matchingPairs(runs);
  return pairs.length === 0 ? '' : element('section', {class: 'run'},
    element('h2', {}, 'What the index does'),
    element('p', {class: 'soft'}, 'The same load on topics whose filters are tried one by one, as '
      + 'in the paper, and on topics with an index. Points: measured, joined where they are close; '
      + 'dashed: model; hollow: the largest r.'),
    ...pairs.map((pair) => card(`Overall throughput, ${pair[0].filter} filters`, null,
      chart('', (theme) => effectOption(pair, theme)), effectTable(pair))));
}

function parameterTable(run) {
  return table([
    {title: '', text: true, cell: (row) => symbol(row.symbol)},
    {title: 'time to', text: true, cell: (row) => row.meaning},
    {title: 'µs', cell: (row) => element('b', {}, number(row.value))},
    {title: '95 % interval', cell: (row) => row.low === null ? 'too few points'
      : `${number(row.low)} … ${number(row.high)}`},
    {title: 'paper, µs', cell: (row) => number(row.paper)},
    {
      title: 'paper / this',
      cell: (row) => row.paper === null || row.value === 0 && row.high === null ? '–'
        : row.containsZero ? `over ${number(row.paper / row.high, 2)} ×`
        : number(row.paper / row.value, 2) + ' ×',
    },
    {
      title: '', text: true, css: () => 'warn',
      cell: (row) => row.containsZero ? 'may be 0, at most the upper end' : '',
    },
  ], run.fitted.parameters);
}

/** Points that were measured several times once each, with the medians that the fit takes. */
function medians(run, use) {
  const groups = Object.values(Object.groupBy(run.points.filter((point) => point.use === use),
    (point) => [point.publishers, point.r, point.n]));
  return groups.map((group) => {
    const serviceMicros = median(group.map((point) => point.serviceMicros));
    return {
      ...group[0], serviceMicros, saturated: (group[0].r + 1) * 1e6 / serviceMicros,
      errorPercent: (group[0].modelMicros / serviceMicros - 1) * 100,
    };
  });
}

function heldOutTable(run) {
  const rows = medians(run, 'held-out')
    .sort((a, b) => a.publishers - b.publishers || a.r - b.r || a.n - b.n);
  return table([
    ...crews(run).length > 1 ? [{title: 'pubs', cell: (row) => row.publishers}] : [],
    {title: 'r', cell: (row) => row.r},
    {title: 'n', cell: (row) => row.n},
    {title: 'measured B, µs', cell: (row) => number(row.serviceMicros)},
    {title: 'predicted B, µs', cell: (row) => number(row.modelMicros)},
    {title: 'measured, messages/s', cell: (row) => whole(row.saturated)},
    {title: 'predicted, messages/s', cell: (row) => whole((row.r + 1) * 1e6 / row.modelMicros)},
    {
      title: 'error of B', cell: (row) => signed(row.errorPercent),
      css: (row) => Math.abs(row.errorPercent) <= 5 ? 'good'
        : Math.abs(row.errorPercent) <= 10 ? 'warn' : 'bad',
    },
  ], rows);
}

/** How many points were fitted, and how many measurements if that is not the same. */
function fittedPoints(run) {
  const measurements = run.points.filter((point) => point.use === 'fit').length;
  return `${run.fitted.observations} points`
    + (measurements === run.fitted.observations ? '' : `, ${measurements} measurements`);
}

function pointTable(run) {
  const share = (value) => value === null ? '–' : (value * 100).toFixed(0) + ' %';
  const verdict = (row) => row.verdict === 'valid' ? row.notes.join(', ') || 'as the paper demands'
    : `${row.verdict}: ${row.reasons.join(', ')}`;
  const rows = [...run.all, ...run.failures.map((failure) => ({
    ...failure, verdict: 'failed', reasons: [failure.reason],
    received: null, dispatched: null, overall: null, brokerShare: null, compilerShare: null,
    clientShare: null, othersShare: null, stolenShare: null,
  }))];
  return table([
    {title: '#', cell: (row) => row.position},
    {title: 'pubs', cell: (row) => row.publishers},
    {title: 'r', cell: (row) => row.r},
    {title: 'n', cell: (row) => row.n},
    {title: 'received/s', cell: (row) => whole(row.received)},
    {title: 'dispatched/s', cell: (row) => whole(row.dispatched)},
    {title: 'overall/s', cell: (row) => whole(row.overall)},
    {title: 'broker µs/msg', cell: (row) => number(row.brokerMicrosPerMessage)},
    {title: 'client µs/msg', cell: (row) => number(row.clientMicrosPerMessage)},
    {title: 'broker', cell: (row) => share(row.brokerShare)},
    {title: 'compilers', cell: (row) => share(row.compilerShare)},
    {title: 'client', cell: (row) => share(row.clientShare)},
    {title: 'others', cell: (row) => share(row.othersShare)},
    {title: 'stolen', cell: (row) => share(row.stolenShare)},
    {title: 'verdict', text: true, cell: verdict, css: (row) => 'wrap '
      + {valid: 'soft', invalid: 'warn', failed: 'bad'}[row.verdict]},
  ], rows.sort((a, b) => a.publishers - b.publishers || a.r - b.r || a.n - b.n),
  'dense');
}

function definitions(pairs) {
  return element('dl', {}, ...pairs.flatMap(([name, value]) =>
    [element('dt', {}, name), element('dd', {}, value)]));
}

function validityNote(run) {
  const machineFull = run.all.filter((point) =>
    point.machineShare !== null && point.machineShare >= REPORT.rules.saturated).length;
  const machine = shared(run)
    ? `Broker and load share the ${run.machine.processors} processors of this machine, so the `
      + 'server cannot reach 98 % while the client stays below 75 %. A point is invalid if others '
      + 'had more than 25 % of the processors or more than 75 % of the memory was in use. '
    : `The broker listened at ${run.url}; shares are of the machine of the load, `
      + `with ${run.machine.processors} processors. A point is invalid if more than 75 % of its `
      + 'processors or of its memory was in use. ';
  return machine + 'Shares are of all processors together; “compilers” is CPU time of the broker’s '
    + 'just-in-time compilers, which “broker” leaves out, “others” that of other processes, '
    + '“stolen” that of other guests of the host. The machine as a whole was at 98 % or more in '
    + `${machineFull} of ${run.all.length} points. ` + leftOutText(run) + (!run.fitted ? '' : run.brokerCpuKnown
    ? 'The model is fitted to broker CPU time per received message, which is what a fully loaded '
      + 'server CPU means.'
    : 'The broker’s CPU time is not known, so the model is fitted to the measured throughput: '
      + 'B = (r + 1) / X.');
}

/** How many points the charts and the model are without. */
function leftOutText(run) {
  const points = run.all.length + run.failures.length;
  const leftOut = points - run.points.length;
  return leftOut ? `${leftOut} of ${points} points are invalid or failed; charts and model leave `
    + 'them out. ' : '';
}

function fittedHow(run) {
  return run.fitted.r2 === null ? 'too few points for intervals, R² and a mean error'
    : `R² = ${run.fitted.r2.toFixed(4)}, mean error ${percent(run.fitted.meanErrorPercent)}`;
}

function runSection(run) {
  const section = element('section', {class: 'run'},
    element('h2', {}, run.title + (run.matching ? `, ${run.matching} matching` : '')),
    element('p', {class: 'soft'}, `${run.scenario} · ${run.source}`, element('br'),
      element('code', {}, run.provider)));
  if (run.fitted) {
    const tiles = element('div', {class: 'tiles'});
    for (const parameter of run.fitted.parameters) {
      tiles.append(tile(symbol(parameter.symbol), number(parameter.value), 'µs'));
    }
    tiles.append(tile('mean error', run.fitted.meanErrorPercent === null ? '–'
      : run.fitted.meanErrorPercent.toFixed(1), '%'),
      tile('worst held-out error', run.fitted.worstHeldOutPercent === null ? '–'
        : run.fitted.worstHeldOutPercent.toFixed(1), '%'));
    section.append(tiles,
      card('Overall throughput over installed filters', comparison(run)
        + 'Points: measured, joined where they are close; dashed: model; diamonds: held out, '
        + `predicted without being fitted. ${run.brokerCpuKnown
          ? 'Received and dispatched messages per second of broker CPU time.' : 'As measured.'} `
        + 'A point without filters has no place on a logarithmic axis; it is fitted and listed below.',
      chart('', (theme) => throughputOption(run, theme))),
      card('Parameters', null, parameterTable(run),
        element('p', {class: 'soft small', style: 'margin:10px 0 0'},
          `B = t_rcv + n_fltr · t_fltr + r · t_tx by relative-weight non-negative least squares `
          + `over ${fittedPoints(run)}; ${fittedHow(run)}, condition number of the weighted `
          + `design ${number(run.fitted.conditionNumber)}. Paper: table 1, FioranoMQ 7.5 on 2005 `
          + 'hardware.')),
      card('Residuals', 'Model against measured service time; above zero the model is too '
        + 'pessimistic. Diamonds are held out.', chart('low', (theme) => residualOption(run, theme))));
    if (run.points.some((point) => point.use === 'held-out')) {
      section.append(card('Held-out points: predicted, then measured', null, heldOutTable(run)));
    }
  } else if (run.points.length) {
    section.append(card('Throughput', 'Received and dispatched messages per second'
      + (shared(run) ? ' while broker and load share the machine.' : '.'),
      chart('', (theme) => ratesOption(run, theme))));
  }
  const leftOut = leftOutText(run);
  if (leftOut) {
    section.append(element('p', {class: 'warn'}, leftOut));
  }
  section.append(
    element('div', {class: 'card'}, element('details', run.fitted && !leftOut ? {} : {open: ''},
      element('summary', {}, 'All points and the paper’s validity rules'),
      element('p', {class: 'soft small'}, validityNote(run)), pointTable(run))),
    element('div', {class: 'card'}, element('details', {},
      element('summary', {}, 'How it was measured'),
      definitions([
        ['run', run.id],
        ['started', run.started],
        ['command', element('code', {}, run.command)],
        ['seed', run.seed],
        ['provider', element('code', {}, run.provider)],
        ['broker', element('code', {}, run.url)],
        ['broker CPU time', run.brokerCpuSource],
        ...run.settings.map((setting) => [setting.name, setting.value]),
      ]))));
  return section;
}

function machineLine(machine) {
  const memory = machine.memoryBytes ? `, ${Math.round(machine.memoryBytes / 2 ** 30)} GiB` : '';
  return `${machine.processors} × ${machine.processor || 'processor'}${memory} · `
    + `${machine.system} · ${machine.jvm}`;
}

const page = document.getElementById('report');
const first = REPORT.runs[0];
page.append(element('header', {},
  element('h1', {}, 'Winnow load report'),
  first ? element('p', {class: 'soft'}, `${first.started.slice(0, 16).replace('T', ' ')} UTC`,
    element('br'), machineLine(first.machine)) : null));
page.append(effectSection(REPORT.runs), ...REPORT.runs.map(runSection));
drawCharts();
dark.addEventListener('change', drawCharts);
addEventListener('resize', () => charts.forEach((entry) => entry.drawn.resize()));
