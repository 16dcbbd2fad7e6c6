package winnow.tests.benchmark.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;
import winnow.tests.benchmark.rows.Row.Generated;

/// A [StaticStructure] with the work around it that an index has: it gets the values of messages as
/// they travel, so it looks strings up and tells types apart, and it hands over subscribers. Used
/// by one thread.
final class StaticFromValues implements Evaluator {
    private static final int[] NO_STRINGS = {};

    private final StaticStructure structure;
    private final Slots slots = new Slots(1);
    private final SlotValues values = new SlotValues();
    private final SlottedMessages messages;
    private final int[] slotOf;

    /// By attribute and constant what the structure compares; none where values are numbers.
    private final int[][] valueOfConstant;

    /// By attribute, for the message that is matched.
    private final int[] asked;

    /// By number of the selector, one behind the other in memory, as those of the index are.
    private final Integer[] subscribers;

    StaticFromValues(Workload workload, StaticStructure structure) {
        this.structure = structure;
        int attributes = workload.row().attributes();
        asked = new int[attributes];
        slotOf = new int[attributes];
        valueOfConstant = new int[attributes][];
        for (int attribute = 0; attribute < attributes; attribute++) {
            slotOf[attribute] = slots.require(Atom.nameOf(attribute));
            valueOfConstant[attribute] =
                    workload.row().isText(attribute) ? constants(workload, attribute) : NO_STRINGS;
        }
        slots.publish();
        messages = new SlottedMessages(workload.messages(), slots);
        subscribers = IntStream.range(0, workload.count()).boxed().toArray(Integer[]::new);
    }

    /// Makes constants of all values that selectors and messages have.
    private int[] constants(Workload workload, int attribute) {
        Set<Integer> known = new LinkedHashSet<>();
        for (Generated selector : workload.selectors()) {
            selector.conjunctions().stream()
                    .flatMap(atoms -> atoms.stream())
                    .filter(atom -> atom.attribute() == attribute)
                    .flatMapToInt(atom -> IntStream.of(atom.operands()))
                    .forEach(known::add);
        }
        for (Message message : workload.messages()) {
            if (message.value(attribute) >= 0) {
                known.add(message.value(attribute));
            }
        }
        int[] valueOf = new int[known.size()];
        for (int value : known) {
            byte[] text = Atom.textOf(value).getBytes(UTF_8);
            valueOf[slots.requireConstant(slotOf[attribute], text)] = value;
        }
        return valueOf;
    }

    @Override
    public void match(int message, IntConsumer sink) {
        messages.read(message, values);
        for (int attribute = 0; attribute < asked.length; attribute++) {
            asked[attribute] = value(slotOf[attribute], valueOfConstant[attribute]);
        }
        structure.match(asked, selector -> sink.accept(subscribers[selector]));
    }

    private int value(int slot, int[] valueOf) {
        return switch (values.kind(slot)) {
            case SlotValues.MISSING -> Message.MISSING;
            case SlotValues.STRING -> {
                int constant = valueOf.length == 0 ? SlotValues.NO_CONSTANT : values.constant(slot);
                yield constant < 0 ? Message.OTHER_TYPE : valueOf[constant];
            }
            case SlotValues.EXACT ->
                    valueOf.length == 0 ? (int) values.exact(slot) : Message.OTHER_TYPE;
            case SlotValues.DOUBLE ->
                    valueOf.length == 0 ? (int) values.approximate(slot) : Message.OTHER_TYPE;
            default -> Message.OTHER_TYPE;
        };
    }
}
