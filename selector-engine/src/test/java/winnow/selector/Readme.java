package winnow.selector;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The example of README.md.
final class Readme {

    /// What its method returns.
    static final String RESULT = "true [ann, bob, everything] price <> 5";

    private Readme() {}

    /// The source of the class `Example`.
    static String example() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        int start = readme.indexOf("```java\n") + "```java\n".length();
        return readme.substring(start, readme.indexOf("```", start));
    }
}
