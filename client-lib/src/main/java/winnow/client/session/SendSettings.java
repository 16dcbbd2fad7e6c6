package winnow.client.session;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;

/// Settings that a producer puts on each message that it sends. Belongs to the producer's thread.
public final class SendSettings {
    private boolean messageIdDisabled;
    private boolean timestampDisabled;
    private int deliveryMode = Message.DEFAULT_DELIVERY_MODE;
    private int priority = Message.DEFAULT_PRIORITY;
    private long timeToLive = Message.DEFAULT_TIME_TO_LIVE;
    private long deliveryDelay = Message.DEFAULT_DELIVERY_DELAY;

    /// These settings but for what one send says.
    ///
    /// @throws JMSException if a value is none that messages have
    SendSettings with(int otherMode, int otherPriority, long otherTimeToLive) throws JMSException {
        SendSettings changed = new SendSettings();
        changed.messageIdDisabled = messageIdDisabled;
        changed.timestampDisabled = timestampDisabled;
        changed.deliveryDelay = deliveryDelay;
        changed.setDeliveryMode(otherMode);
        changed.setPriority(otherPriority);
        changed.setTimeToLive(otherTimeToLive);
        return changed;
    }

    public boolean isMessageIdDisabled() {
        return messageIdDisabled;
    }

    public void setMessageIdDisabled(boolean disabled) {
        messageIdDisabled = disabled;
    }

    public boolean isTimestampDisabled() {
        return timestampDisabled;
    }

    public void setTimestampDisabled(boolean disabled) {
        timestampDisabled = disabled;
    }

    public int deliveryMode() {
        return deliveryMode;
    }

    public void setDeliveryMode(int deliveryMode) throws JMSException {
        if (deliveryMode != DeliveryMode.PERSISTENT
                && deliveryMode != DeliveryMode.NON_PERSISTENT) {
            throw new JMSException(
                    "expected delivery mode 1 (NON_PERSISTENT) or 2 (PERSISTENT), found "
                            + deliveryMode);
        }
        this.deliveryMode = deliveryMode;
    }

    public int priority() {
        return priority;
    }

    public void setPriority(int priority) throws JMSException {
        if (priority < 0 || priority > 9) {
            throw new JMSException("expected a priority of 0 to 9, found " + priority);
        }
        this.priority = priority;
    }

    public long timeToLive() {
        return timeToLive;
    }

    public void setTimeToLive(long timeToLive) throws JMSException {
        if (timeToLive < 0) {
            throw new JMSException("expected a time to live of at least 0 ms, found " + timeToLive);
        }
        this.timeToLive = timeToLive;
    }

    /// JMSExpiration of a message that is sent now: the last millisecond there is, if the sum is
    /// beyond it.
    long expiration(long now) {
        return timeToLive == 0 ? 0 : later(now, timeToLive);
    }

    private static long later(long now, long millis) {
        return millis > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + millis;
    }

    /// JMSTimestamp of a message that is sent now, 0 if that is disabled. A message with a time to
    /// live or a delay has it nevertheless: the broker compares it with its own clock.
    long timestamp(long now) {
        return timestampDisabled && timeToLive == 0 && deliveryDelay == 0 ? 0 : now;
    }

    public long deliveryDelay() {
        return deliveryDelay;
    }

    public void setDeliveryDelay(long deliveryDelay) throws JMSException {
        if (deliveryDelay < 0) {
            throw new JMSException(
                    "expected a delivery delay of at least 0 ms, found " + deliveryDelay);
        }
        this.deliveryDelay = deliveryDelay;
    }

    /// JMSDeliveryTime of a message that is sent now: when consumers may get it.
    long deliveryTime(long now) {
        return later(now, deliveryDelay);
    }
}
