package winnow.loadgen.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;
import winnow.loadgen.rate.Spacing;

/// Spacings of messages on the command line.
final class SpacingText implements ITypeConverter<Spacing> {

    @Override
    public Spacing convert(String text) {
        try {
            return Spacing.of(text);
        } catch (IllegalArgumentException none) {
            throw new TypeConversionException(String.valueOf(none.getMessage()));
        }
    }
}
