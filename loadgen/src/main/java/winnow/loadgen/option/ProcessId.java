package winnow.loadgen.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Processes on the command line: each runs.
final class ProcessId implements ITypeConverter<Long> {

    @Override
    public Long convert(String text) {
        // To the kernel's clock 0 is the process that asks.
        if (text.matches("[1-9]\\d{0,9}") && ProcessHandle.of(Long.parseLong(text)).isPresent()) {
            return Long.valueOf(text);
        }
        throw new TypeConversionException("expected a process that runs, found '" + text + "'");
    }
}
