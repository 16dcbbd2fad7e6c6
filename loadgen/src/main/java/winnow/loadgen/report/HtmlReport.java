package winnow.loadgen.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import winnow.loadgen.run.LoadException;

/// One HTML file with everything in it: data, style, script and the plot library (Apache ECharts).
/// It loads nothing when it is viewed.
public final class HtmlReport {

    private static final String ECHARTS =
            "/META-INF/resources/webjars/echarts/5.5.0/echarts.min.js";

    private HtmlReport() {}

    /// Writes the page.
    public static void write(List<RunAnalysis> analyses, Path file) throws LoadException {
        try {
            Files.writeString(file, render(analyses));
        } catch (IOException failed) {
            throw new LoadException("cannot write the report to " + file, failed);
        }
    }

    static String render(List<RunAnalysis> analyses) throws IOException {
        // The data last: what users wrote may look like a placeholder.
        return resource("report.html")
                .replace("/*STYLE*/", resource("report.css"))
                .replace("/*SCRIPT*/", resource("report.js"))
                .replace("/*ECHARTS*/", resource(ECHARTS))
                .replace("/*DATA*/", data(analyses));
    }

    /// JSON that may stand within a script element: no `<` ends it early.
    private static String data(List<RunAnalysis> analyses) throws JsonProcessingException {
        return new ObjectMapper()
                .writeValueAsString(ReportData.of(analyses))
                .replace("<", "\\u003c");
    }

    private static String resource(String name) throws IOException {
        try (var stream = HtmlReport.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("resource missing: " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
