package winnow.loadgen.report;

import java.util.ArrayList;
import java.util.List;

/// A table of the page, whose first columns may be text. Owned by the thread that writes the page.
final class HtmlTable {

    private final String caption;
    private final List<String> titles;
    private final int textColumns;
    private final List<String> rows = new ArrayList<>();

    /// @param caption says what is in it
    /// @param textColumns how many columns from the left are text and not figures
    HtmlTable(String caption, int textColumns, String... titles) {
        this.caption = caption;
        this.textColumns = textColumns;
        this.titles = List.of(titles);
    }

    /// @param css class of the row; may be empty
    /// @param cells text, which may have any characters
    void row(String css, String... cells) {
        var row = new StringBuilder(css.isEmpty() ? "<tr>" : "<tr class=\"" + css + "\">");
        for (var index = 0; index < cells.length; index++) {
            row.append(index < textColumns ? "<td class=\"text\">" : "<td>")
                    .append(HtmlReport.escaped(cells[index]))
                    .append("</td>");
        }
        rows.add(row.append("</tr>\n").toString());
    }

    /// The element, which scrolls by itself where it is too wide.
    String html() {
        var head = new StringBuilder();
        for (var index = 0; index < titles.size(); index++) {
            head.append(
                            index < textColumns
                                    ? "<th scope=\"col\" class=\"text\">"
                                    : "<th scope=\"col\">")
                    .append(HtmlReport.escaped(titles.get(index)))
                    .append("</th>");
        }
        return """
        <div class="scroll" tabindex="0" role="region" aria-label="%s"><table>
        <caption class="soft small">%s</caption>
        <thead><tr>%s</tr></thead>
        <tbody>
        %s</tbody></table></div>
        """
                .formatted(
                        HtmlReport.escaped(caption),
                        HtmlReport.escaped(caption),
                        head,
                        String.join("", rows));
    }
}
