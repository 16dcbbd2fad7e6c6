package winnow.tests.benchmark.anchors;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import winnow.tests.benchmark.rows.Anchor;
import winnow.tests.benchmark.rows.Evaluator;
import winnow.tests.benchmark.rows.Workload;

/// A program in a process of its own, which reads the workload from a file.
///
/// Its arguments are the file, how many messages are compared, the seconds that it may take to add
/// the selectors, and those that it measures. It prints the numbers of the selectors that are true
/// for each compared message, a line each, and then the nanoseconds that a message takes; or `late`
/// if adding took too long.
abstract class ProgramAnchor implements Anchor {
    private static final int BUILD_SECONDS = 60;
    private static final int SECONDS = 2;

    private final Path program;
    private final int compared;

    /// @param compared how many messages
    ProgramAnchor(Path program, int compared) {
        this.program = program;
        this.compared = compared;
    }

    /// True if the program can answer it, and in a short time.
    abstract boolean accepts(Workload workload);

    abstract void write(Workload workload, Writer out) throws IOException;

    @Override
    public final OptionalDouble microsPerMessage(Workload workload, Evaluator reference)
            throws Exception {
        if (!accepts(workload)) {
            return OptionalDouble.empty();
        }
        Path file = Files.createTempFile("workload", ".txt");
        try {
            try (Writer out = Files.newBufferedWriter(file)) {
                write(workload, out);
            }
            return run(file, reference);
        } finally {
            Files.delete(file);
        }
    }

    private OptionalDouble run(Path file, Evaluator reference) throws Exception {
        Process process =
                new ProcessBuilder(
                                program.toString(),
                                file.toString(),
                                Integer.toString(compared),
                                Integer.toString(BUILD_SECONDS),
                                Integer.toString(SECONDS))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader answers = process.inputReader()) {
            for (int message = 0; message < compared; message++) {
                String answer = line(answers);
                if (answer.equals("late")) {
                    return OptionalDouble.empty();
                }
                compare(message, answer, reference);
            }
            return OptionalDouble.of(Long.parseLong(line(answers)) / 1e3);
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private String line(BufferedReader answers) throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException(program + " ended too early");
        }
        return line;
    }

    private static void compare(int message, String answer, Evaluator reference) {
        String expected =
                Arrays.stream(reference.answer(message))
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining(" "));
        if (!answer.equals(expected)) {
            throw new IllegalStateException(
                    "message %d: expected \"%s\", found \"%s\""
                            .formatted(message, expected, answer));
        }
    }
}
