package winnow.tests.selector;

import java.util.HashMap;
import java.util.Map;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.selector.filter.BooleanExpression;
import org.apache.activemq.artemis.selector.filter.Filterable;
import org.apache.activemq.artemis.selector.impl.SelectorParser;
import org.jspecify.annotations.Nullable;

/// Artemis' expression alone, over a hash map.
public final class ArtemisExpressionPeer implements Peer<Filterable> {

    @Override
    public String name() {
        return "Artemis' expression";
    }

    @Override
    public Filterable message(Map<String, Object> properties) {
        Map<SimpleString, Object> values = new HashMap<>();
        properties.forEach((name, value) -> values.put(SimpleString.of(name), value));
        return new PropertyMap(values);
    }

    @Override
    public Parsed<Filterable> parse(String selector) throws Exception {
        BooleanExpression expression = SelectorParser.parse(selector);
        return expression::matches;
    }

    private record PropertyMap(Map<SimpleString, Object> values) implements Filterable {

        @Override
        public <T> @Nullable T getBodyAs(Class<T> type) {
            return null;
        }

        @Override
        public @Nullable Object getProperty(SimpleString name) {
            return values.get(name);
        }

        @Override
        public @Nullable Object getLocalConnectionId() {
            return null;
        }
    }
}
