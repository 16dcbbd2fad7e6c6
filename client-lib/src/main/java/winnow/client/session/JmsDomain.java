package winnow.client.session;

import jakarta.jms.IllegalStateException;

/// Which half of the API an object belongs to: the domain-specific interfaces forbid the methods of
/// the other half (Jakarta Messaging 3.1, 6.1).
public enum JmsDomain {
    ANY,
    TOPIC,
    QUEUE;

    /// @throws IllegalStateException in an object for queues
    void requireTopics(String method) throws IllegalStateException {
        if (this == QUEUE) {
            throw new IllegalStateException(
                    method + " is not for a QueueConnection or QueueSession");
        }
    }

    /// @throws IllegalStateException in an object for topics
    void requireQueues(String method) throws IllegalStateException {
        if (this == TOPIC) {
            throw new IllegalStateException(
                    method + " is not for a TopicConnection or TopicSession");
        }
    }
}
