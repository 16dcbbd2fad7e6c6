package winnow.broker.destination;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A name of topics in which `*` stands for any text. Immutable.
public record TopicPattern(String name) {
    boolean fits(String topic) {
        String regex =
                List.of(name.split("\\*", -1)).stream()
                        .map(Pattern::quote)
                        .collect(Collectors.joining(".*"));
        return Pattern.compile(regex, Pattern.DOTALL).matcher(topic).matches();
    }
}
