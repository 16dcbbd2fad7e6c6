/// What operators ask a running broker over HTTP, answered as JSON.
///
/// [AdminApi] knows the paths, [Explanations] how a subscription's selector is doing,
/// [DetailedMetrics] which topics' metrics are asked for. [ProtectedPage] demands credentials.
@NullMarked
package winnow.broker.admin;

import org.jspecify.annotations.NullMarked;
