package winnow.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Arguments of a command line as UTF-8, whatever the locale says. Java decodes them before `main`
/// and puts U+FFFD where it cannot; Linux still has their bytes.
final class Arguments {
    private static final String REPLACEMENT = "\uFFFD";

    private Arguments() {}

    /// @param decoded what Java made of them
    /// @throws IllegalArgumentException if they are not UTF-8
    static String[] utf8(String... decoded) {
        return utf8(Path.of("/proc/self/cmdline"), decoded);
    }

    static String[] utf8(Path commandLine, String... decoded) {
        if (Arrays.stream(decoded).noneMatch(argument -> argument.contains(REPLACEMENT))) {
            return decoded;
        }
        List<byte[]> bytes;
        try {
            bytes = split(Files.readAllBytes(commandLine));
        } catch (IOException otherSystem) {
            return decoded;
        }
        if (bytes.size() < decoded.length) {
            return decoded;
        }
        return bytes.subList(bytes.size() - decoded.length, bytes.size()).stream()
                .map(Arguments::text)
                .toArray(String[]::new);
    }

    /// Each argument ends with a zero.
    private static List<byte[]> split(byte[] commandLine) {
        var arguments = new ArrayList<byte[]>();
        var start = 0;
        for (var i = 0; i < commandLine.length; i++) {
            if (commandLine[i] == 0) {
                arguments.add(Arrays.copyOfRange(commandLine, start, i));
                start = i + 1;
            }
        }
        return arguments;
    }

    private static String text(byte[] argument) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(argument)).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "expected arguments in UTF-8, found other bytes in '"
                            + new String(argument, StandardCharsets.UTF_8)
                            + "'",
                    e);
        }
    }
}
