package winnow.tests.queues;

/// What senders do. Immutable.
///
/// @param destination where to
/// @param topic whether that is a topic
/// @param senders threads, each with a connection of its own
/// @param persistent whether the messages are, so that `send` waits for the disk
/// @param batch messages of a transaction, 0 for none
/// @param targets messages go in turn to so many values of [Receivers#TARGET]; 0 for a value that
///   nobody asks for
/// @param most messages that are sent at all
record SendPlan(
        String destination,
        boolean topic,
        int senders,
        boolean persistent,
        int batch,
        int targets,
        long most) {

    private static final int FILL_SENDERS = 4;
    private static final int FILL_BATCH = 500;

    /// A flow through a queue until it is stopped.
    static SendPlan flow(String queue, int senders, boolean persistent) {
        return new SendPlan(queue, false, senders, persistent, 0, 0, Long.MAX_VALUE);
    }

    /// A number of persistent messages into a queue, by transactions.
    static SendPlan fill(String queue, long messages) {
        return new SendPlan(queue, false, FILL_SENDERS, true, FILL_BATCH, 0, messages);
    }

    /// At most so many persistent messages to a topic.
    static SendPlan publish(String topic, int senders, long messages) {
        return new SendPlan(topic, true, senders, true, 0, 0, messages);
    }

    /// The same to so many values of the property.
    SendPlan to(int values) {
        return new SendPlan(destination, topic, senders, persistent, batch, values, most);
    }
}
