package winnow.client;

import static winnow.client.error.JmsErrors.call;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.client.error.JmsErrors;
import winnow.client.message.WinnowMessage;
import winnow.client.session.SendSettings;
import winnow.client.session.WinnowProducer;
import winnow.client.session.WinnowSession;

/// A producer of the simplified API. It is its settings only, because nothing closes it: all of a
/// context share one producer of the classic API. What its methods set on every message is kept in
/// a message of its own.
final class ContextProducer implements JMSProducer {
    private final WinnowSession session;
    private final WinnowProducer producer;
    private final SendSettings settings = new SendSettings();
    private final WinnowMessage template = new WinnowMessage();
    private @Nullable CompletionListener async;

    /// @param producer one without a destination, shared with others
    ContextProducer(WinnowSession session, WinnowProducer producer) {
        this.session = session;
        this.producer = producer;
    }

    @Override
    public JMSProducer send(Destination destination, Message message) {
        try {
            session.requireOpen();
            if (message == null) {
                throw new MessageFormatException("expected a message, found null");
            }
            applyTemplate(message);
            producer.send(WinnowProducer.sendable(destination), message, settings, async);
            return this;
        } catch (JMSException e) {
            throw JmsErrors.unchecked(e);
        }
    }

    private void applyTemplate(Message message) throws JMSException {
        for (String name : Collections.list(template.getPropertyNames())) {
            message.setObjectProperty(name, template.getObjectProperty(name));
        }
        if (template.getJMSCorrelationID() != null) {
            message.setJMSCorrelationID(template.getJMSCorrelationID());
        }
        if (template.getJMSType() != null) {
            message.setJMSType(template.getJMSType());
        }
        if (template.getJMSReplyTo() != null) {
            message.setJMSReplyTo(template.getJMSReplyTo());
        }
    }

    @Override
    public JMSProducer send(Destination destination, @Nullable String body) {
        return send(destination, call(() -> session.createTextMessage(body)));
    }

    @Override
    public JMSProducer send(Destination destination, @Nullable Map<String, Object> body) {
        MapMessage message = call(session::createMapMessage);
        if (body != null) {
            JmsErrors.run(() -> {
                for (Map.Entry<String, Object> entry : body.entrySet()) {
                    message.setObject(entry.getKey(), entry.getValue());
                }
            });
        }
        return send(destination, message);
    }

    @Override
    public JMSProducer send(Destination destination, byte @Nullable [] body) {
        BytesMessage message = call(session::createBytesMessage);
        if (body != null) {
            JmsErrors.run(() -> message.writeBytes(body));
        }
        return send(destination, message);
    }

    @Override
    public JMSProducer send(Destination destination, @Nullable Serializable body) {
        return send(destination, call(() -> session.createObjectMessage(body)));
    }

    private JMSProducer set(JmsErrors.Action setting) {
        JmsErrors.run(setting);
        return this;
    }

    private SendSettings settings() throws JMSException {
        session.requireOpen();
        return settings;
    }

    @Override
    public JMSProducer setDisableMessageID(boolean disabled) {
        return set(() -> settings().setMessageIdDisabled(disabled));
    }

    @Override
    public boolean getDisableMessageID() {
        return call(() -> settings().isMessageIdDisabled());
    }

    @Override
    public JMSProducer setDisableMessageTimestamp(boolean disabled) {
        return set(() -> settings().setTimestampDisabled(disabled));
    }

    @Override
    public boolean getDisableMessageTimestamp() {
        return call(() -> settings().isTimestampDisabled());
    }

    @Override
    public JMSProducer setDeliveryMode(int deliveryMode) {
        return set(() -> settings().setDeliveryMode(deliveryMode));
    }

    @Override
    public int getDeliveryMode() {
        return call(() -> settings().deliveryMode());
    }

    @Override
    public JMSProducer setPriority(int priority) {
        return set(() -> settings().setPriority(priority));
    }

    @Override
    public int getPriority() {
        return call(() -> settings().priority());
    }

    @Override
    public JMSProducer setTimeToLive(long timeToLive) {
        return set(() -> settings().setTimeToLive(timeToLive));
    }

    @Override
    public long getTimeToLive() {
        return call(() -> settings().timeToLive());
    }

    @Override
    public JMSProducer setDeliveryDelay(long deliveryDelay) {
        return set(() -> settings().setDeliveryDelay(deliveryDelay));
    }

    @Override
    public long getDeliveryDelay() {
        return call(() -> settings().deliveryDelay());
    }

    @Override
    public JMSProducer setAsync(@Nullable CompletionListener completionListener) {
        async = completionListener;
        return this;
    }

    @Override
    public @Nullable CompletionListener getAsync() {
        return async;
    }

    @Override
    public JMSProducer setProperty(String name, boolean value) {
        return set(() -> template.setBooleanProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, byte value) {
        return set(() -> template.setByteProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, short value) {
        return set(() -> template.setShortProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, int value) {
        return set(() -> template.setIntProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, long value) {
        return set(() -> template.setLongProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, float value) {
        return set(() -> template.setFloatProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, double value) {
        return set(() -> template.setDoubleProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, @Nullable String value) {
        return set(() -> template.setStringProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, @Nullable Object value) {
        return set(() -> template.setObjectProperty(name, value));
    }

    @Override
    public JMSProducer clearProperties() {
        template.clearProperties();
        return this;
    }

    @Override
    public boolean propertyExists(String name) {
        return call(() -> template.propertyExists(name));
    }

    @Override
    public boolean getBooleanProperty(String name) {
        return call(() -> template.getBooleanProperty(name));
    }

    @Override
    public byte getByteProperty(String name) {
        return call(() -> template.getByteProperty(name));
    }

    @Override
    public short getShortProperty(String name) {
        return call(() -> template.getShortProperty(name));
    }

    @Override
    public int getIntProperty(String name) {
        return call(() -> template.getIntProperty(name));
    }

    @Override
    public long getLongProperty(String name) {
        return call(() -> template.getLongProperty(name));
    }

    @Override
    public float getFloatProperty(String name) {
        return call(() -> template.getFloatProperty(name));
    }

    @Override
    public double getDoubleProperty(String name) {
        return call(() -> template.getDoubleProperty(name));
    }

    @Override
    public @Nullable String getStringProperty(String name) {
        return call(() -> template.getStringProperty(name));
    }

    @Override
    public @Nullable Object getObjectProperty(String name) {
        return call(() -> template.getObjectProperty(name));
    }

    @Override
    public Set<String> getPropertyNames() {
        return Collections.unmodifiableSet(
                new LinkedHashSet<>(Collections.list(call(template::getPropertyNames))));
    }

    @Override
    public JMSProducer setJMSCorrelationIDAsBytes(byte @Nullable [] correlationId) {
        return set(() -> template.setJMSCorrelationIDAsBytes(correlationId));
    }

    @Override
    public byte @Nullable [] getJMSCorrelationIDAsBytes() {
        return call(template::getJMSCorrelationIDAsBytes);
    }

    @Override
    public JMSProducer setJMSCorrelationID(@Nullable String correlationId) {
        return set(() -> template.setJMSCorrelationID(correlationId));
    }

    @Override
    public @Nullable String getJMSCorrelationID() {
        return call(template::getJMSCorrelationID);
    }

    @Override
    public JMSProducer setJMSType(@Nullable String type) {
        return set(() -> template.setJMSType(type));
    }

    @Override
    public @Nullable String getJMSType() {
        return call(template::getJMSType);
    }

    @Override
    public JMSProducer setJMSReplyTo(@Nullable Destination replyTo) {
        return set(() -> template.setJMSReplyTo(replyTo));
    }

    @Override
    public @Nullable Destination getJMSReplyTo() {
        return call(template::getJMSReplyTo);
    }
}
