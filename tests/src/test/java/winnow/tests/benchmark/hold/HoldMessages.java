package winnow.tests.benchmark.hold;

import java.util.List;
import java.util.Map;
import winnow.wire.FrameType;
import winnow.wire.MessageBlock;
import winnow.wire.PropertyType;
import winnow.wire.WireWriter;
import winnow.wire.frame.Publish;

/// Writes the messages of a workload as a client does: properties by the numbers of their names, no
/// body. Stateless.
final class HoldMessages {
    private HoldMessages() {}

    /// The names of all properties.
    static List<String> names(HoldWorkload workload) {
        return workload.messages().stream()
                .flatMap(message -> message.keySet().stream())
                .distinct()
                .toList();
    }

    /// Frames that publish the messages, each to be confirmed.
    static List<byte[]> frames(HoldWorkload workload, int handle, Map<String, Integer> numbers) {
        return workload.messages().stream()
                .map(message -> frame(message, handle, numbers))
                .toList();
    }

    private static byte[] frame(
            Map<String, Object> message, int handle, Map<String, Integer> numbers) {
        WireWriter properties = new WireWriter(256);
        message.forEach((name, value) -> {
            properties.writeVarint(numbers.getOrDefault(name, 0));
            write(value, properties);
        });
        WireWriter out = new WireWriter(256);
        int mark = out.beginFrame(FrameType.PUBLISH);
        out.writeVarint(handle);
        out.writeByte(Publish.CONFIRM);
        out.writeByte(MessageBlock.HAS_PROPERTIES);
        out.writeByte(0);
        out.writeVarint(properties.size());
        out.writeRaw(properties.array(), 0, properties.size());
        out.endFrame(mark);
        return out.toByteArray();
    }

    private static void write(Object value, WireWriter out) {
        switch (value) {
            case Integer number -> {
                out.writeByte(PropertyType.INT);
                out.writeInt(number);
            }
            case Long number -> {
                out.writeByte(PropertyType.LONG);
                out.writeLong(number);
            }
            case Double number -> {
                out.writeByte(PropertyType.DOUBLE);
                out.writeLong(Double.doubleToRawLongBits(number));
            }
            case Boolean flag -> out.writeByte(flag ? PropertyType.TRUE : PropertyType.FALSE);
            case String text -> {
                out.writeByte(PropertyType.STRING);
                out.writeString(text);
            }
            default -> throw new IllegalArgumentException("no wire form for " + value);
        }
    }
}
