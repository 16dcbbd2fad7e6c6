package winnow.tests.selector;

import jakarta.jms.JMSException;
import java.util.Map;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.filter.BooleanExpression;
import org.apache.activemq.filter.MessageEvaluationContext;
import org.apache.activemq.selector.SelectorParser;

/// ActiveMQ Classic's expression over one of its messages.
public final class ClassicPeer implements Peer<MessageEvaluationContext> {

    @Override
    public String name() {
        return "Classic";
    }

    @Override
    public MessageEvaluationContext message(Map<String, Object> properties) {
        ActiveMQMessage message = new ActiveMQMessage();
        properties.forEach((name, value) -> set(message, name, value));
        MessageEvaluationContext context = new MessageEvaluationContext();
        context.setMessageReference(message);
        return context;
    }

    private static void set(ActiveMQMessage message, String name, Object value) {
        try {
            message.setObjectProperty(name, value, false);
        } catch (JMSException e) {
            throw new IllegalArgumentException(name, e);
        }
    }

    @Override
    public Parsed<MessageEvaluationContext> parse(String selector) throws Exception {
        BooleanExpression expression = SelectorParser.parse(selector);
        SelectorParser.clearCache();
        return expression::matches;
    }
}
