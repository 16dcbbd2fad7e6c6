/// Results that people read after a run: the fitted model and one HTML page that needs nothing
/// else.
///
/// Read in this order: [RunAnalysis] (fit and predictions of one run), [ReportData] (the numbers
/// that the page shows), [HtmlReport] (the page: style, text and drawings in one file), [Finding]
/// (its verdict), [MatchingComparison] (linear beside indexed), [RunSection] and [RunDetails] (each
/// run), [ReportCharts] (what is drawn). [FitSummary] is the same for a terminal.
///
/// Immutable throughout.
@NullMarked
package winnow.loadgen.report;

import org.jspecify.annotations.NullMarked;
