package winnow.loadgen.machine;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

/// Way in which a broker matches the selectors of a topic, in its own words: `indexed` or `linear`.
/// Used by one thread.
public interface TopicMatching {

    /// Empty if the broker does not say.
    Optional<String> of(String topic) throws IOException;

    /// A broker that cannot be asked.
    static TopicMatching unknown() {
        return _ -> Optional.empty();
    }

    /// As a broker of Winnow tells below its metrics page, in a label of the topic's metrics. Empty
    /// if it demands credentials for that.
    static TopicMatching ofMetrics(URI metrics) {
        var page = new MetricsPage(metrics);
        return topic -> parse(page.readTopic(topic), topic);
    }

    /// The label `matching` of the first metric whose label `topic` is this one.
    static Optional<String> parse(String page, String topic) {
        var label = Pattern.compile("[{,]matching=\"([^\"]*)\"");
        return page.lines()
                .filter(line -> line.contains("topic=\"" + topic + "\""))
                .map(label::matcher)
                .filter(matcher -> matcher.find())
                .map(matcher -> matcher.group(1))
                .findFirst();
    }
}
