/// What operators ask a running broker over HTTP, answered as JSON.
///
/// [AdminApi] knows the paths, [Explanations] how a subscription's selector is doing.
@NullMarked
package winnow.broker.admin;

import org.jspecify.annotations.NullMarked;
