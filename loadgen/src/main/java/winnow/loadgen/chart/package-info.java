/// Draws measured points and a model's curves as SVG, for pages and for files that stand alone.
///
/// [Chart] is what is drawn, [ChartSvg] draws it, [ChartAxis] maps values to places. Colors are CSS
/// variables, so that light and dark pages look right; every series has a marker of its own.
@NullMarked
package winnow.loadgen.chart;

import org.jspecify.annotations.NullMarked;
