package winnow.broker.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A number of bytes.
///
/// @param bytes not negative
public record ByteSize(long bytes) {
    private static final Pattern AMBIGUOUS =
            Pattern.compile("(\\d{1,18})\\s*([kmg])b", Pattern.CASE_INSENSITIVE);

    public ByteSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("expected a size of at least 0, found " + bytes);
        }
    }

    public static ByteSize ofKibibytes(long kibibytes) {
        return new ByteSize(kibibytes * 1024);
    }

    public static ByteSize ofMebibytes(long mebibytes) {
        return new ByteSize(mebibytes * 1024 * 1024);
    }

    /// Reads `65536`, `64KiB`, `16MiB` or `1GiB` (also `64k`, `16m`, `1g`, as Java's `-Xmx`).
    /// `16MB` is refused: some mean 16,000,000 bytes by it, others 16,777,216.
    ///
    /// @throws IllegalArgumentException with what was expected
    public static ByteSize parse(String text) {
        Matcher decimal = AMBIGUOUS.matcher(text.trim());
        if (decimal.matches()) {
            throw new IllegalArgumentException(ambiguous(text, decimal));
        }
        String lower = text.trim().toLowerCase(Locale.ROOT).replaceFirst("(ib|b)$", "");
        int shift =
                switch (lower.isEmpty() ? ' ' : lower.charAt(lower.length() - 1)) {
                    case 'k' -> 10;
                    case 'm' -> 20;
                    case 'g' -> 30;
                    default -> 0;
                };
        String digits = shift == 0 ? lower : lower.substring(0, lower.length() - 1).trim();
        try {
            return new ByteSize(Math.multiplyExact(Long.parseLong(digits), 1L << shift));
        } catch (NumberFormatException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "expected a size such as 65536, 64KiB or 16MiB, found '" + text + "'", e);
        }
    }

    private static String ambiguous(String text, Matcher decimal) {
        String number = decimal.group(1);
        String unit = decimal.group(2).toUpperCase(Locale.ROOT);
        return "expected a size such as 65536, 64KiB or 16MiB, found '%s': write %s%siB or %s%s"
                .formatted(text, number, unit, number, "000".repeat("KMG".indexOf(unit) + 1));
    }

    /// The number as an int, for sizes that are limited to one array.
    public int toInt() {
        return Math.toIntExact(bytes);
    }

    @Override
    public String toString() {
        if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
            return bytes / (1 << 20) + "MiB";
        }
        return bytes >= 1024 && bytes % 1024 == 0 ? bytes / 1024 + "KiB" : bytes + "B";
    }
}
