/// Jakarta Messaging as a user reads its specification, over the real client and the real broker:
/// queues, acknowledgement modes, transactions, named subscriptions, browsers and temporary
/// destinations.
@NullMarked
package winnow.tests.jms;

import org.jspecify.annotations.NullMarked;
