package winnow.broker.config;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A name of destinations in which `*` stands for any text. Immutable.
public record NamePattern(String name) {
    public boolean fits(String destination) {
        String regex =
                List.of(name.split("\\*", -1)).stream()
                        .map(Pattern::quote)
                        .collect(Collectors.joining(".*"));
        return Pattern.compile(regex, Pattern.DOTALL).matcher(destination).matches();
    }
}
