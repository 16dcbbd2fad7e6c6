package winnow.tests.benchmark.anchors;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import winnow.tests.benchmark.rows.Atom;
import winnow.tests.benchmark.rows.Message;
import winnow.tests.benchmark.rows.Row;
import winnow.tests.benchmark.rows.Workload;

/// BE-Tree, as implemented in C by Adgear, in a process of its own (tests/be-tree).
///
/// It gets workloads of conjunctions of equalities whose messages have all attributes. Strings are
/// numbers there, which spares it to look them up, and each attribute is declared with the least
/// range and as always there, which lets it split.
final class BeTreeAnchor extends ProgramAnchor {
    private static final int COMPARED = 4_096;

    /// It splits attributes with fewer values only, and would test each selector.
    private static final int MAX_VALUES = 1_000;

    /// @param program built from tests/be-tree
    BeTreeAnchor(Path program) {
        super(program, COMPARED);
    }

    @Override
    public String name() {
        return "BE-Tree";
    }

    @Override
    boolean accepts(Workload workload) {
        Row row = workload.row();
        return workload.selectors().stream().allMatch(BeTreeAnchor::areEqualities)
                && workload.messages().stream().allMatch(message -> hasAll(row, message))
                && IntStream.range(0, row.attributes())
                        .mapToObj(attribute -> range(workload, attribute))
                        .allMatch(range -> range.getMax() - range.getMin() < MAX_VALUES);
    }

    private static boolean areEqualities(Row.Generated selector) {
        return selector.conjunctions().size() == 1
                && selector.conjunctions().getFirst().stream().allMatch(BeTreeAnchor::isEquality);
    }

    private static boolean isEquality(Atom atom) {
        return atom.kind() == Atom.Kind.ONE_OF && atom.operands().length == 1;
    }

    private static boolean hasAll(Row row, Message message) {
        return IntStream.range(0, row.attributes())
                .allMatch(attribute -> message.value(attribute) >= 0);
    }

    private static IntSummaryStatistics range(Workload workload, int attribute) {
        IntStream operands =
                workload.selectors().stream()
                        .flatMap(BeTreeAnchor::atoms)
                        .filter(atom -> atom.attribute() == attribute)
                        .mapToInt(atom -> atom.operands()[0]);
        IntStream values =
                workload.messages().stream().mapToInt(message -> message.value(attribute));
        return IntStream.concat(operands, values).summaryStatistics();
    }

    private static Stream<Atom> atoms(Row.Generated selector) {
        return selector.conjunctions().stream().flatMap(List::stream);
    }

    @Override
    void write(Workload workload, Writer out) throws IOException {
        Row row = workload.row();
        for (int attribute = 0; attribute < row.attributes(); attribute++) {
            IntSummaryStatistics range = range(workload, attribute);
            out.write(
                    "%s %d %d\n".formatted(Atom.nameOf(attribute), range.getMin(), range.getMax()));
        }
        out.write("\n");
        for (Row.Generated selector : workload.selectors()) {
            out.write(expression(selector) + "\n");
        }
        out.write("\n");
        for (Message message : workload.messages()) {
            out.write(values(row, message) + "\n");
        }
    }

    private static String expression(Row.Generated selector) {
        return atoms(selector)
                .map(atom -> Atom.nameOf(atom.attribute()) + " = " + atom.operands()[0])
                .collect(Collectors.joining(" and "));
    }

    private static String values(Row row, Message message) {
        return IntStream.range(0, row.attributes())
                .mapToObj(attribute -> Integer.toString(message.value(attribute)))
                .collect(Collectors.joining("\t"));
    }
}
