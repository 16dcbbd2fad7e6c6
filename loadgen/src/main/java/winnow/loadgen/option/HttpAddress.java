package winnow.loadgen.option;

import java.net.URI;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Addresses of pages on the command line.
final class HttpAddress implements ITypeConverter<URI> {

    @Override
    public URI convert(String text) {
        if (text.matches("https?://[^/\\s]+\\S*")) {
            try {
                return URI.create(text);
            } catch (IllegalArgumentException malformed) {
                throw new TypeConversionException(String.valueOf(malformed.getMessage()));
            }
        }
        throw new TypeConversionException("expected http://HOST:PORT/PATH, found '" + text + "'");
    }
}
