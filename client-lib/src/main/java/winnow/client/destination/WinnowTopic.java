package winnow.client.destination;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.Topic;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import winnow.wire.DestinationKind;

/// A topic, and for consumers the correlation-ID filter over it. Two topics are equal if their
/// names and filters are.
///
/// The text form is `NAME` or `NAME?correlationId=FILTER`. The filter may be written raw, as in
/// `prices?correlationId=[#7;#13]`, or percent-encoded; `%` followed by two hexadecimal digits is
/// decoded, any other `%` stands for itself. A raw filter cannot contain `&`, which separates
/// options: write `%26`. What a filter may say is checked by the broker when a consumer is created.
public sealed class WinnowTopic extends WinnowDestination implements Topic
        permits WinnowTemporaryTopic {
    /// The only option that a topic's text may carry.
    public static final String CORRELATION_ID_OPTION = "correlationId";

    private static final long serialVersionUID = 1L;

    private final String correlationIdFilter;

    WinnowTopic(String name, String correlationIdFilter) {
        super(name);
        this.correlationIdFilter = correlationIdFilter;
    }

    /// Reads the text form.
    ///
    /// @throws InvalidDestinationException if the name is missing or an option is unknown, empty or
    ///   given twice
    public static WinnowTopic parse(@Nullable String text) throws InvalidDestinationException {
        String whole = requireName(text);
        int mark = whole.indexOf('?');
        if (mark < 0) {
            return new WinnowTopic(whole, "");
        }
        String name = requireName(whole.substring(0, mark));
        return new WinnowTopic(name, parseOptions(whole, whole.substring(mark + 1)));
    }

    private static String parseOptions(String whole, String options)
            throws InvalidDestinationException {
        String filter = "";
        for (String option : options.split("&", -1)) {
            int equals = option.indexOf('=');
            String key = equals < 0 ? option : option.substring(0, equals);
            if (!key.equals(CORRELATION_ID_OPTION)) {
                throw new InvalidDestinationException(
                        "topic '%s': expected the option %s, found '%s'"
                                .formatted(whole, CORRELATION_ID_OPTION, key));
            }
            String value = equals < 0 ? "" : decode(option.substring(equals + 1));
            if (value.isEmpty() || !filter.isEmpty()) {
                throw new InvalidDestinationException(
                        "topic '%s': expected one correlation-ID filter, found %s"
                                .formatted(whole, value.isEmpty() ? "an empty one" : "two"));
            }
            filter = value;
        }
        return filter;
    }

    private static String decode(String value) {
        if (value.indexOf('%') < 0) {
            return value;
        }
        byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream decoded = new ByteArrayOutputStream(encoded.length);
        for (int i = 0; i < encoded.length; i++) {
            int high = i + 2 < encoded.length ? Character.digit(encoded[i + 1], 16) : -1;
            int low = i + 2 < encoded.length ? Character.digit(encoded[i + 2], 16) : -1;
            if (encoded[i] == '%' && high >= 0 && low >= 0) {
                decoded.write(high << 4 | low);
                i += 2;
            } else {
                decoded.write(encoded[i]);
            }
        }
        return decoded.toString(StandardCharsets.UTF_8);
    }

    @Override
    public final DestinationKind kind() {
        return DestinationKind.TOPIC;
    }

    /// The filter, decoded; empty if there is none.
    public final String correlationIdFilter() {
        return correlationIdFilter;
    }

    /// The same topic without its filter: what a message of it was sent to.
    public final WinnowTopic withoutFilter() {
        return correlationIdFilter.isEmpty() ? this : new WinnowTopic(name(), "");
    }

    /// This topic, which messages or replies are to be sent to.
    ///
    /// @throws InvalidDestinationException if it carries a filter, which only consumers may have
    public final WinnowTopic requireNoFilter() throws InvalidDestinationException {
        if (!correlationIdFilter.isEmpty()) {
            throw new InvalidDestinationException(
                    "topic '%s': a correlation-ID filter is for consumers, send to '%s'"
                            .formatted(this, name()));
        }
        return this;
    }

    /// The text form, which [#parse] reads back.
    @Override
    public final String getTopicName() {
        if (correlationIdFilter.isEmpty()) {
            return name();
        }
        String encoded = correlationIdFilter.replace("%", "%25").replace("&", "%26");
        return name() + "?" + CORRELATION_ID_OPTION + "=" + encoded;
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof WinnowTopic topic
                && topic.name().equals(name())
                && topic.correlationIdFilter.equals(correlationIdFilter);
    }

    @Override
    public final int hashCode() {
        return 31 * name().hashCode() + correlationIdFilter.hashCode();
    }

    @Override
    public final String toString() {
        return getTopicName();
    }
}
