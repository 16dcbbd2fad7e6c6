package winnow.loadgen.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;
import winnow.loadgen.remote.WorkerAddress;

/// Addresses of workers on the command line.
public final class WorkerAddressText implements ITypeConverter<WorkerAddress> {

    @Override
    public WorkerAddress convert(String text) {
        try {
            return WorkerAddress.of(text);
        } catch (IllegalArgumentException malformed) {
            throw new TypeConversionException(String.valueOf(malformed.getMessage()));
        }
    }
}
