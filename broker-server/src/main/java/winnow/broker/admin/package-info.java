/// What operators ask a running broker over HTTP, answered as JSON.
///
/// [AdminApi] knows the paths, [BrokerState] what goes on in the broker, [Explanations] how a
/// subscription's selector is doing, [DetailedMetrics] which topics' metrics are asked for.
/// [ProtectedPage] demands credentials, [StartPage] is for browsers.
@NullMarked
package winnow.broker.admin;

import org.jspecify.annotations.NullMarked;
