package winnow.loadgen.option;

import java.util.Arrays;
import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;
import winnow.loadgen.roundtrip.Layer;

/// Layers on the command line.
public final class LayerName implements ITypeConverter<Layer>, Iterable<String> {

    @Override
    public Layer convert(String text) {
        return Arrays.stream(Layer.values())
                .filter(layer -> layer.label().equals(text))
                .findFirst()
                .orElseThrow(() ->
                        new TypeConversionException(
                                "expected one of %s, found '%s'"
                                        .formatted(String.join(", ", this), text)));
    }

    @Override
    public Iterator<String> iterator() {
        return Arrays.stream(Layer.values()).map(Layer::label).iterator();
    }
}
