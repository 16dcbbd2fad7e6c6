package winnow.tests.benchmark.anchors;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import winnow.tests.benchmark.rows.Atom;
import winnow.tests.benchmark.rows.Message;
import winnow.tests.benchmark.rows.Row;
import winnow.tests.benchmark.rows.Workload;

/// The A-Tree of the crate `a-tree`, in a process of its own (tests/a-tree).
///
/// Its attributes have one type each, so an attribute that has values of other types in some
/// messages has a second one beside it which tells whether it has; a prefix is the set of its
/// values.
final class ATreeAnchor extends ProgramAnchor {
    private static final int COMPARED = 64;
    private static final int MAX_SELECTORS = 100_000;

    /// @param program built from tests/a-tree
    ATreeAnchor(Path program) {
        super(program, COMPARED);
    }

    @Override
    public String name() {
        return "A-Tree";
    }

    @Override
    boolean accepts(Workload workload) {
        return workload.count() <= MAX_SELECTORS;
    }

    @Override
    void write(Workload workload, Writer out) throws IOException {
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
