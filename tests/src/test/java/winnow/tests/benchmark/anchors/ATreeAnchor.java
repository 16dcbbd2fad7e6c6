package winnow.tests.benchmark.anchors;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import winnow.tests.benchmark.rows.Anchor;
import winnow.tests.benchmark.rows.Atom;
import winnow.tests.benchmark.rows.Evaluator;
import winnow.tests.benchmark.rows.Message;
import winnow.tests.benchmark.rows.Row;
import winnow.tests.benchmark.rows.Workload;

/// The A-Tree of the crate `a-tree`, in a process of its own (tests/a-tree).
///
/// Its attributes have one type each, so an attribute that has values of other types in some
/// messages has a second one beside it which tells whether it has; a prefix is the set of its
/// values.
final class ATreeAnchor implements Anchor {
    private static final int COMPARED = 64;
    private static final int BUILD_SECONDS = 60;
    private static final int SECONDS = 2;
    private static final int MAX_SELECTORS = 100_000;

    private final Path program;

    /// @param program built from tests/a-tree
    ATreeAnchor(Path program) {
        this.program = program;
    }

    @Override
    public String name() {
        return "A-Tree";
    }

    @Override
    public OptionalDouble microsPerMessage(Workload workload, Evaluator reference)
            throws Exception {
        if (workload.count() > MAX_SELECTORS) {
            return OptionalDouble.empty();
        }
        Path file = Files.createTempFile("a-tree", ".txt");
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
                                Integer.toString(COMPARED),
                                Integer.toString(BUILD_SECONDS),
                                Integer.toString(SECONDS))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader answers = process.inputReader()) {
            for (int message = 0; message < COMPARED; message++) {
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

    private static void write(Workload workload, Writer out) throws IOException {
        Row row = workload.row();
        for (int attribute = 0; attribute < row.attributes(); attribute++) {
            out.write(row.isText(attribute) ? "s " : "i ");
            out.write(Atom.nameOf(attribute) + "\n");
            out.write("b " + otherType(attribute) + "\n");
        }
        for (Row.Generated selector : workload.selectors()) {
            out.write("\n" + expression(selector));
        }
        out.write("\n");
        for (Message message : workload.messages()) {
            out.write("\n" + fields(row, message));
        }
        out.write("\n");
    }

    private static String otherType(int attribute) {
        return "o" + attribute;
    }

    private static String fields(Row row, Message message) {
        return IntStream.range(0, row.attributes())
                .mapToObj(attribute -> field(row, attribute, message.value(attribute)))
                .collect(Collectors.joining("\t"));
    }

    private static String field(Row row, int attribute, int value) {
        String other = otherType(attribute) + "=" + (value == Message.OTHER_TYPE);
        if (value < 0) {
            return other;
        }
        Object written = row.isText(attribute) ? Atom.textOf(value) : (Object) value;
        return other + "\t" + Atom.nameOf(attribute) + "=" + written;
    }

    private static String expression(Row.Generated selector) {
        return selector.conjunctions().stream()
                .map(atoms ->
                        atoms.stream()
                                .map(ATreeAnchor::expression)
                                .collect(Collectors.joining(" and ", "(", ")")))
                .collect(Collectors.joining(" or "));
    }

    private static String expression(Atom atom) {
        int[] operands = atom.operands();
        String name = Atom.nameOf(atom.attribute());
        String other = otherType(atom.attribute());
        String test =
                switch (atom.kind()) {
                    case ONE_OF -> name + " in [" + literals(atom, Arrays.stream(operands)) + "]";
                    case NONE_OF ->
                            name + " not in [" + literals(atom, Arrays.stream(operands)) + "]";
                    case RANGE ->
                            "(%s >= %d and %s <= %d)"
                                    .formatted(name, operands[0], name, operands[1]);
                    case OUTSIDE ->
                            "(%s < %d or %s > %d)".formatted(name, operands[0], name, operands[1]);
                    case PREFIX -> name + " in [" + literals(atom, atom.valuesOfPrefix()) + "]";
                    case MISSING -> "(" + name + " is null and not " + other + ")";
                };
        return atom.isTrueOfOtherTypes() ? "(" + test + " or " + other + ")" : test;
    }

    private static String literals(Atom atom, IntStream values) {
        return values.mapToObj(atom::literal).collect(Collectors.joining(", "));
    }
}
