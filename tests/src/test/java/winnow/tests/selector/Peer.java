package winnow.tests.selector;

import java.util.Map;

/// The selector evaluator of another broker.
///
/// @param <M> a message as that broker has it
public interface Peer<M> {

    String name();

    /// @param properties header fields by their JMS names, and properties
    M message(Map<String, Object> properties);

    /// @throws Exception if the broker refuses the selector
    Parsed<M> parse(String selector) throws Exception;

    /// A selector as that broker keeps it. One thread.
    @FunctionalInterface
    interface Parsed<M> {

        /// @throws Exception if the evaluation fails; the brokers take that as no match
        boolean matches(M message) throws Exception;
    }
}
