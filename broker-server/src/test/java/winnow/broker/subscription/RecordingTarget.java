package winnow.broker.subscription;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Keeps what is delivered as `id:block`, with `+n` in front of it if names were announced. It may
/// be unwritable, or fail.
public class RecordingTarget implements DeliveryTarget {
    private final Loop loop;
    private int place;

    /// What was delivered.
    public final List<String> copies = new ArrayList<>();

    /// The numbers of the messages delivered.
    public final List<Long> numbers = new ArrayList<>();

    /// The arrays in which their blocks were.
    public final List<byte[]> arrays = new ArrayList<>();

    /// Failures of what belongs to this target.
    public final List<Throwable> faults = new ArrayList<>();

    /// Called with each copy.
    public Consumer<String> onCopy = copy -> {};

    public boolean writable = true;

    /// Of a longer block only the last bytes are recorded.
    public int recordedBytes = Integer.MAX_VALUE;

    /// How many of the next deliveries fail.
    public int failures;

    public RecordingTarget(Loop loop) {
        this.loop = loop;
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    public boolean writable() {
        return writable;
    }

    @Override
    public void deliver(long message, int subscriptionId, byte[] array, int start, int end) {
        if (failures > 0) {
            failures--;
            throw new IllegalStateException("the output fails");
        }
        int recorded = Math.min(recordedBytes, end - start);
        String block = new String(array, end - recorded, recorded, US_ASCII);
        String copy = subscriptionId + ":" + block;
        copies.add(copy);
        numbers.add(message);
        arrays.add(array);
        onCopy.accept(copy);
    }

    @Override
    public int place() {
        return place;
    }

    @Override
    public void place(int newPlace) {
        place = newPlace;
    }

    @Override
    public boolean announceNames(int maxNameId) {
        copies.add("+" + maxNameId);
        return true;
    }

    @Override
    public void onFault(Throwable fault) {
        faults.add(fault);
    }

    @Override
    public String toString() {
        return "target";
    }
}
