package winnow.tests.selector;

import java.util.Map;
import org.apache.qpid.server.filter.BooleanExpression;
import org.apache.qpid.server.filter.FilterableMessage;
import org.apache.qpid.server.filter.JMSMessagePropertyExpression;
import org.apache.qpid.server.filter.selector.SelectorParser;
import org.jspecify.annotations.Nullable;

/// Qpid Broker-J's expression over a hash map.
public final class QpidPeer implements Peer<FilterableMessage> {

    @Override
    public String name() {
        return "Qpid";
    }

    @Override
    public FilterableMessage message(Map<String, Object> properties) {
        return new PropertyMap(properties);
    }

    @Override
    public Parsed<FilterableMessage> parse(String selector) throws Exception {
        SelectorParser<FilterableMessage> parser = new SelectorParser<>();
        parser.setPropertyExpressionFactory(JMSMessagePropertyExpression.FACTORY);
        BooleanExpression<FilterableMessage> expression = parser.parse(selector);
        return expression::matches;
    }

    private record PropertyMap(Map<String, Object> values) implements FilterableMessage {

        @Override
        public boolean isPersistent() {
            return false;
        }

        @Override
        public boolean isRedelivered() {
            return false;
        }

        @Override
        public @Nullable Object getHeader(String name) {
            return values.get(name);
        }

        @Override
        public @Nullable String getReplyTo() {
            return null;
        }

        @Override
        public @Nullable String getType() {
            return null;
        }

        @Override
        public byte getPriority() {
            return 4;
        }

        @Override
        public @Nullable String getMessageId() {
            return null;
        }

        @Override
        public long getTimestamp() {
            return 0;
        }

        @Override
        public @Nullable String getCorrelationId() {
            return null;
        }

        @Override
        public long getExpiration() {
            return 0;
        }
    }
}
