/// What people read after a run: the fitted model and one HTML page that needs nothing else.
///
/// Read in this order: [RunAnalysis] (fit and predictions of one run), [ReportData] (what the page
/// shows, as JSON), [HtmlReport] (page, style, script, plot library and data in one file).
///
/// Immutable throughout.
@NullMarked
package winnow.loadgen.report;

import org.jspecify.annotations.NullMarked;
