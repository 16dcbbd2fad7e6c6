package winnow.tests.selector;

import java.util.Map;
import java.util.Objects;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.filter.Filter;
import org.apache.activemq.artemis.core.filter.impl.FilterImpl;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;

/// Artemis as its broker does it: a filter over a core message. Header fields other than properties
/// are left out.
public final class ArtemisPeer implements Peer<Message> {

    private static final int BUFFER_BYTES = 64;

    @Override
    public String name() {
        return "Artemis";
    }

    @Override
    public Message message(Map<String, Object> properties) {
        CoreMessage message = new CoreMessage(1, BUFFER_BYTES);
        properties.forEach((name, value) -> message.putObjectProperty(name, value));
        return message;
    }

    @Override
    public Parsed<Message> parse(String selector) throws Exception {
        Filter filter = Objects.requireNonNull(FilterImpl.createFilter(SimpleString.of(selector)));
        return filter::match;
    }
}
