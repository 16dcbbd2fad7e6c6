/// Messages that a consumer has received and the application has not: [ConsumerBuffer], and the
/// window of prefetched messages with its credit.
@NullMarked
package winnow.client.receive;

import org.jspecify.annotations.NullMarked;
